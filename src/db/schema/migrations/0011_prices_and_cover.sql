-- Rates, quotes, and our position in foreign currencies.

CREATE TABLE fx_rates (
  source text NOT NULL,
  base text NOT NULL,
  quote text NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  as_of timestamptz NOT NULL,
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (source, base, quote)
);
COMMENT ON TABLE fx_rates IS
  'The newest exchange rate of one source and pair. It belongs to no customer: all see the same mid-market. Only '
  'the system role writes it.';
GRANT SELECT ON fx_rates TO causeway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON fx_rates TO causeway_system;

CREATE TABLE fx_rate_history (
  source text NOT NULL,
  base text NOT NULL,
  quote text NOT NULL,
  as_of timestamptz NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (source, base, quote, as_of)
);
COMMENT ON TABLE fx_rate_history IS
  'One exchange rate of one source and pair at one time, the newest included. A source that corrects a rate '
  'corrects its row; old rows are deleted, the newest of each source and pair never.';
-- What is old enough to be forgotten.
CREATE INDEX fx_rate_history_by_age ON fx_rate_history (as_of);
GRANT SELECT ON fx_rate_history TO causeway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON fx_rate_history TO causeway_system;

-- The fees of a payment or a quote, in minor units.
CREATE FUNCTION sum_of_fees(fees jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(sum((fee ->> 'amount')::bigint), 0)::bigint FROM jsonb_array_elements(fees) AS fee
$$;

-- Amounts are minor units of their currency. All fees are taken in the source currency, out of source_amount, and the
-- rest is converted. Either side may be an asset: the columns of currencies hold its code.
CREATE TABLE quotes (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  source_currency text NOT NULL,
  target_currency text NOT NULL,
  -- Where an asset arrives.
  network text,
  -- The side that was asked for, and is kept to the last digit.
  fixed_side text NOT NULL CHECK (fixed_side IN ('SOURCE', 'TARGET')),
  source_amount bigint NOT NULL,
  converted_amount bigint NOT NULL CHECK (converted_amount > 0),
  target_amount bigint NOT NULL CHECK (target_amount > 0),
  fixed_fee bigint NOT NULL CHECK (fixed_fee >= 0),
  percentage_fee bigint NOT NULL CHECK (percentage_fee >= 0),
  fee_bps integer NOT NULL CHECK (fee_bps BETWEEN 0 AND 10000),
  -- Those of the operator's schedule, as in payments, and what rounding leaves over.
  fees jsonb NOT NULL DEFAULT '[]',
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
  CONSTRAINT the_markup_is_ours CHECK (rate <= mid_market_rate),
  CONSTRAINT live_is_never_stale CHECK (environment = 'test' OR NOT is_stale),
  CHECK (expires_at > created_at),
  CHECK (num_nulls(consumed_at, payment_id) IN (0, 2)),
  CONSTRAINT consumed_in_time CHECK (consumed_at < expires_at),
  CONSTRAINT what_is_paid_is_what_is_converted_and_fees CHECK
    (source_amount = converted_amount + fixed_fee + percentage_fee + sum_of_fees(fees)),
  CONSTRAINT assets_arrive_on_networks CHECK
    ((network IS NOT NULL) = (target_currency IN ('EURC', 'USDC', 'USDT'))),
  CONSTRAINT known_network CHECK
    (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  -- A quote is charged by the schedule or by rates of its own, never by both.
  CONSTRAINT one_kind_of_fees CHECK
    (fees = '[]' OR (fixed_fee = 0 AND percentage_fee = 0))
);
COMMENT ON TABLE quotes IS
  'One locked rate for one payment. It is used at most once; a quote that expired unused is deleted 90 days later.';
CREATE INDEX quotes_newest_first ON quotes (customer_id, environment, seq DESC);
-- What nobody used is forgotten in time.
CREATE INDEX quotes_unused ON quotes (expires_at) WHERE consumed_at IS NULL;
-- What a customer may still use, for the limit of our position.
CREATE INDEX quotes_unused_by_customer ON quotes (customer_id, environment, expires_at)
  WHERE consumed_at IS NULL;
CALL secure_scoped_table('quotes');
GRANT INSERT, UPDATE (consumed_at, payment_id) ON quotes TO causeway_app;
GRANT DELETE ON quotes TO causeway_system;
CREATE TRIGGER quote_is_only_consumed BEFORE UPDATE ON quotes
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('consumed_at', 'payment_id');

-- What nobody used may be forgotten.
CREATE FUNCTION keep_consumed_quote() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.consumed_at IS NOT NULL THEN
    RAISE EXCEPTION 'quote % was consumed and is kept', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER keep_consumed_quote BEFORE DELETE ON quotes
  FOR EACH ROW EXECUTE FUNCTION keep_consumed_quote();

-- A payment is what its quote says, and the quote says that it is this payment's: so no quote has two. The fees
-- of the schedule are the payment's one by one.
CREATE FUNCTION check_payment_is_as_quoted() RETURNS trigger LANGUAGE plpgsql
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
CREATE CONSTRAINT TRIGGER payment_is_as_quoted AFTER INSERT ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.quote_id IS NOT NULL)
  EXECUTE FUNCTION check_payment_is_as_quoted();

-- Ids begin with their time, so that the rest is short. All rows of an environment are written together.
CREATE TABLE fx_checkpoints (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  currency text NOT NULL,
  position bigint NOT NULL,
  before_id text NOT NULL,
  PRIMARY KEY (environment, currency)
);
COMMENT ON TABLE fx_checkpoints IS
  'The sum of all `fx` postings of one environment and currency in transactions whose id sorts before '
  '`before_id`. Only the system role writes it.';
GRANT SELECT ON fx_checkpoints TO causeway_app;
GRANT SELECT, INSERT, UPDATE ON fx_checkpoints TO causeway_system;

-- What was sold left our account on one rail, what was bought came in on another. Minor units.
CREATE TABLE cover_trades (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers CHECK (customer_id = 'cus_platform'),
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  -- The bank's own number of the trade.
  reference text NOT NULL CHECK (reference ~ '^[A-Za-z0-9][A-Za-z0-9./_-]{0,63}$'),
  sold_currency text NOT NULL,
  sold_amount bigint NOT NULL CHECK (sold_amount > 0),
  sold_rail text NOT NULL,
  bought_currency text NOT NULL,
  bought_amount bigint NOT NULL CHECK (bought_amount > 0),
  bought_rail text NOT NULL,
  transaction_id text NOT NULL UNIQUE,
  recorded_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT one_cover_trade_a_reference UNIQUE (environment, reference),
  CONSTRAINT a_trade_is_between_two_currencies CHECK (sold_currency <> bought_currency),
  FOREIGN KEY (customer_id, environment, transaction_id)
    REFERENCES ledger_transactions (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED
);
COMMENT ON TABLE cover_trades IS
  'One trade that operators made at a bank to cover our position. Rows never change and are never deleted.';
CALL secure_scoped_table('cover_trades');
GRANT INSERT ON cover_trades TO causeway_app;
CREATE TRIGGER cover_trades_is_append_only BEFORE UPDATE OR DELETE ON cover_trades
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A trade is what two operators approved.
CREATE FUNCTION guard_cover_trade() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  approved jsonb := (approval_in_use('FX_COVER', NEW.environment || ':' || NEW.reference, 1)).content;
BEGIN
  IF approved IS NULL OR ROW(approved ->> 'soldCurrency', approved ->> 'soldMinor', approved ->> 'soldRail',
      approved ->> 'boughtCurrency', approved ->> 'boughtMinor', approved ->> 'boughtRail')
    IS DISTINCT FROM ROW(NEW.sold_currency, NEW.sold_amount::text, NEW.sold_rail,
      NEW.bought_currency, NEW.bought_amount::text, NEW.bought_rail) THEN
    RAISE EXCEPTION 'cover trade %: no two operators have approved it', NEW.reference
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_cover_trade BEFORE INSERT ON cover_trades
  FOR EACH ROW EXECUTE FUNCTION guard_cover_trade();

-- The platform account moves money by cover trades, which no other customer has, and by what comes into suspense and
-- leaves it, which guard_credit_transaction guards.
CREATE FUNCTION guard_platform_transaction() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.kind <> 'COVER' OR NOT EXISTS (
    SELECT FROM cover_trades t WHERE t.customer_id = NEW.customer_id
      AND t.environment = NEW.environment AND t.transaction_id = NEW.id) THEN
    RAISE EXCEPTION 'ledger transaction % is not of a cover trade', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_platform_transaction BEFORE INSERT ON ledger_transactions
  FOR EACH ROW WHEN (NEW.kind = 'COVER' OR NEW.customer_id = 'cus_platform' AND NEW.kind NOT IN ('SUSPEND', 'CLOSE'))
  EXECUTE FUNCTION guard_platform_transaction();

-- What we have of each currency, minor units, long positive: settled (fx lines of the ledger), and promised to
-- payments under way. A payment that waits for its deposit promises nothing yet, as a quote that may be used.
-- Over all customers, so it is a function.
CREATE FUNCTION fx_exposure(wanted_environment text)
RETURNS TABLE (currency text, settled bigint, held bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH part (currency, settled, held) AS (
    SELECT c.currency, c.position, 0 FROM fx_checkpoints c WHERE c.environment = wanted_environment
    UNION ALL
    SELECT e.currency, e.amount, 0 FROM ledger_entries e
    WHERE e.account = 'fx' AND e.environment = wanted_environment
      AND e.transaction_id COLLATE "C" >= coalesce(
        (SELECT max(c.before_id COLLATE "C") FROM fx_checkpoints c
         WHERE c.environment = wanted_environment), '')
    UNION ALL
    SELECT leg.currency, 0, leg.amount
    FROM payments p CROSS JOIN LATERAL
      (VALUES (p.source_currency, p.source_amount), (p.currency, -p.amount)) AS leg (currency, amount)
    WHERE p.environment = wanted_environment AND p.quote_id IS NOT NULL
      AND p.status IN ('PROCESSING', 'ON_HOLD', 'SENT')
      AND NOT EXISTS (SELECT FROM payment_fundings f WHERE f.payment_id = p.id AND f.status = 'AWAITED')
  )
  SELECT part.currency, sum(part.settled)::bigint, sum(part.held)::bigint
  FROM part GROUP BY part.currency ORDER BY part.currency
$$;
REVOKE ALL ON FUNCTION fx_exposure FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fx_exposure TO causeway_app, causeway_system;

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION fx_exposure OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
