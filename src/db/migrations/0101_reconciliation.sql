-- A credit is the return of a payout only where the bank marks it as one. What the bank does not mark is
-- a payment that another party made to us, whatever reference it carries.
ALTER TABLE statement_lines DROP COLUMN is_incoming_payment;
ALTER TABLE statement_lines ADD COLUMN is_return boolean NOT NULL DEFAULT false;
