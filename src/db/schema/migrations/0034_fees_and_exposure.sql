-- The fees of its payment at the price that a quote replaces, those of the rail included. The answer to the payment's
-- request is told again from the first ones. Null: it replaces no price, or a release before this one wrote it.
ALTER TABLE quotes ADD COLUMN replaced_fees jsonb;
ALTER TABLE quotes ADD CONSTRAINT fees_of_a_replaced_price CHECK (replaced_fees IS NULL OR requote > 0) NOT VALID;
