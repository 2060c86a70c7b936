-- A locked rate for one payment. Amounts are minor units of their currency; both fees are taken in the
-- source currency, out of source_amount, and what is left is converted.
CREATE TABLE quotes (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  source_currency text NOT NULL,
  target_currency text NOT NULL,
  -- The side that was asked for, and is kept to the last digit.
  fixed_side text NOT NULL CHECK (fixed_side IN ('SOURCE', 'TARGET')),
  source_amount bigint NOT NULL,
  converted_amount bigint NOT NULL CHECK (converted_amount > 0),
  target_amount bigint NOT NULL CHECK (target_amount > 0),
  fixed_fee bigint NOT NULL CHECK (fixed_fee >= 0),
  percentage_fee bigint NOT NULL CHECK (percentage_fee >= 0),
  fee_bps integer NOT NULL CHECK (fee_bps BETWEEN 0 AND 10000),
  mid_market_rate numeric NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  markup_bps integer NOT NULL CHECK (markup_bps BETWEEN 0 AND 9999),
  rate_as_of timestamptz NOT NULL,
  rate_source text NOT NULL,
  is_stale boolean NOT NULL,
  lock_for text NOT NULL CHECK (lock_for IN ('1m', '5m', '15m', '1h')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  payment_id text UNIQUE,
  UNIQUE (customer_id, environment, id),
  -- The payment's row may follow later in the transaction.
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT another_currency CHECK (source_currency <> target_currency),
  CONSTRAINT what_is_paid_is_what_is_converted_and_fees
    CHECK (source_amount = converted_amount + fixed_fee + percentage_fee),
  CONSTRAINT the_markup_is_ours CHECK (rate <= mid_market_rate),
  CONSTRAINT live_is_never_stale CHECK (environment = 'test' OR NOT is_stale),
  CHECK (expires_at > created_at),
  CHECK (num_nulls(consumed_at, payment_id) IN (0, 2)),
  CONSTRAINT consumed_in_time CHECK (consumed_at < expires_at)
);
CREATE INDEX quotes_newest_first ON quotes (customer_id, environment, seq DESC);
-- What nobody used is forgotten in time.
CREATE INDEX quotes_unused ON quotes (expires_at) WHERE consumed_at IS NULL;
CALL secure_scoped_table('quotes');
GRANT INSERT, UPDATE (consumed_at, payment_id) ON quotes TO causeway_app;
GRANT DELETE ON quotes TO causeway_system;
CREATE TRIGGER quote_is_only_consumed BEFORE UPDATE ON quotes
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('consumed_at', 'payment_id');

CREATE FUNCTION keep_consumed_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.consumed_at IS NOT NULL THEN
    RAISE EXCEPTION 'quote % was consumed and is kept', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER keep_consumed_quote BEFORE DELETE ON quotes
  FOR EACH ROW EXECUTE FUNCTION keep_consumed_quote();
