-- Either side of a quote may be in an asset: the columns of currencies hold its code. Where one arrives is the
-- network. `fees` are those of the operator's schedule, as in payments, and what rounding leaves over.
CREATE FUNCTION sum_of_fees(fees jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(sum((fee ->> 'amount')::bigint), 0)::bigint FROM jsonb_array_elements(fees) AS fee
$$;

ALTER TABLE quotes
  ADD COLUMN network text,
  ADD COLUMN fees jsonb NOT NULL DEFAULT '[]';
ALTER TABLE quotes DROP CONSTRAINT what_is_paid_is_what_is_converted_and_fees;
-- Not validated here: a look at all rows would keep writers waiting.
ALTER TABLE quotes
  ADD CONSTRAINT what_is_paid_is_what_is_converted_and_fees CHECK
    (source_amount = converted_amount + fixed_fee + percentage_fee + sum_of_fees(fees)) NOT VALID,
  ADD CONSTRAINT assets_arrive_on_networks CHECK
    ((network IS NOT NULL) = (target_currency IN ('EURC', 'USDC', 'USDT'))) NOT VALID,
  ADD CONSTRAINT known_network CHECK
    (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')) NOT VALID,
  -- A quote is charged by the schedule or by rates of its own, never by both.
  ADD CONSTRAINT one_kind_of_fees CHECK
    (fees = '[]' OR (fixed_fee = 0 AND percentage_fee = 0)) NOT VALID;

-- As before, and the fees of the schedule are the payment's one by one.
CREATE OR REPLACE FUNCTION check_payment_is_as_quoted() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.quotes q
    WHERE q.customer_id = NEW.customer_id AND q.environment = NEW.environment AND q.id = NEW.quote_id
      AND q.payment_id = NEW.id
      AND q.source_currency = NEW.source_currency AND q.converted_amount = NEW.source_amount
      AND q.target_currency = NEW.currency AND q.target_amount = NEW.amount
      AND q.rate = NEW.rate::numeric
      AND (q.network IS NULL OR q.network = NEW.rail)
      AND CASE WHEN q.fees = '[]'
        THEN q.fixed_fee + q.percentage_fee = public.sum_of_fees(NEW.fees)
        ELSE q.fees = NEW.fees END
  ) THEN
    RAISE EXCEPTION 'payment % is not as quote % says', NEW.id, NEW.quote_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
