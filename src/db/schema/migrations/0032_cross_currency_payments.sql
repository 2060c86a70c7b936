-- All at once, in the order of the transactions that move money: what waits for one holds no other.
LOCK TABLE ledger_transactions, payments IN ACCESS EXCLUSIVE MODE;

-- The price of a payment beside its amount. source_amount is without the fees; each of these is
-- {"type", "amount" (minor units of the source currency, as text), "bps"}.
ALTER TABLE payments
  ADD COLUMN quote_id text,
  ADD COLUMN fees jsonb NOT NULL DEFAULT '[]';
-- Not validated here: rows of before have neither, and a look at all of them would keep writers waiting.
ALTER TABLE payments ADD CONSTRAINT another_currency_takes_a_quote
  CHECK ((quote_id IS NULL) = (source_currency = currency)) NOT VALID;

-- A payment is what its quote says, and the quote says that it is this payment's: so no quote has two.
CREATE FUNCTION check_payment_is_as_quoted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM quotes q
    WHERE q.customer_id = NEW.customer_id AND q.environment = NEW.environment AND q.id = NEW.quote_id
      AND q.payment_id = NEW.id
      AND q.source_currency = NEW.source_currency AND q.converted_amount = NEW.source_amount
      AND q.target_currency = NEW.currency AND q.target_amount = NEW.amount
      AND q.rate = NEW.rate::numeric
      AND q.fixed_fee + q.percentage_fee = (
        SELECT coalesce(sum((fee ->> 'amount')::bigint), 0) FROM jsonb_array_elements(NEW.fees) AS fee)
  ) THEN
    RAISE EXCEPTION 'payment % is not as quote % says', NEW.id, NEW.quote_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER payment_is_as_quoted AFTER INSERT ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.quote_id IS NOT NULL)
  EXECUTE FUNCTION check_payment_is_as_quoted();

CREATE FUNCTION refuse_another_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment %: its price cannot change', OLD.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER price_of_payment_is_kept BEFORE UPDATE OF quote_id, rate, fees ON payments
  FOR EACH ROW WHEN (ROW(OLD.quote_id, OLD.rate, OLD.fees)
    IS DISTINCT FROM ROW(NEW.quote_id, NEW.rate, NEW.fees))
  EXECUTE FUNCTION refuse_another_price();

-- Ourselves as a customer: the owner of cover trades. It has no API keys, so that no partner acts as it.
INSERT INTO customers (id, name, created_at) VALUES ('cus_house', 'House', now())
  ON CONFLICT (id) DO NOTHING;
ALTER TABLE api_keys ADD CONSTRAINT the_house_has_no_keys CHECK (customer_id <> 'cus_house') NOT VALID;

ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN
  ('FUND', 'HOLD', 'SETTLE', 'RELEASE', 'RETURN', 'RETURN_DIFFERENCE', 'COVER')) NOT VALID;

-- A trade that operators made at a bank against our position: what was sold left our account on one rail,
-- what was bought came in on another. Minor units.
CREATE TABLE cover_trades (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers CHECK (customer_id = 'cus_house'),
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
CALL secure_scoped_table('cover_trades');
GRANT INSERT ON cover_trades TO causeway_app;
CREATE TRIGGER cover_trades_is_append_only BEFORE UPDATE OR DELETE ON cover_trades
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_cover_trade() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- The house moves money by cover trades alone, and no other customer has any.
CREATE FUNCTION guard_house_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind <> 'COVER' OR NOT EXISTS (
    SELECT FROM cover_trades t WHERE t.customer_id = NEW.customer_id
      AND t.environment = NEW.environment AND t.transaction_id = NEW.id) THEN
    RAISE EXCEPTION 'ledger transaction % is not of a cover trade', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_house_transaction BEFORE INSERT ON ledger_transactions
  FOR EACH ROW WHEN (NEW.kind = 'COVER' OR NEW.customer_id = 'cus_house')
  EXECUTE FUNCTION guard_house_transaction();

-- The sum of all fx lines of ledger transactions whose id sorts before `before_id`: ids begin with their
-- time, so that the rest is short. All rows of an environment are written together.
CREATE TABLE fx_checkpoints (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  currency text NOT NULL,
  position bigint NOT NULL,
  before_id text NOT NULL,
  PRIMARY KEY (environment, currency)
);
GRANT SELECT ON fx_checkpoints TO causeway_app, causeway_system;
GRANT INSERT, UPDATE ON fx_checkpoints TO causeway_system;

-- What we have of each currency, minor units, long positive: settled (fx lines of the ledger), and promised
-- to payments under way. Over all customers, so it is a function.
CREATE FUNCTION fx_exposure(wanted_environment text)
RETURNS TABLE (currency text, settled bigint, held bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
  )
  SELECT part.currency, sum(part.settled)::bigint, sum(part.held)::bigint
  FROM part GROUP BY part.currency ORDER BY part.currency
$$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION fx_exposure(text) OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION fx_exposure(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fx_exposure(text) TO causeway_app, causeway_system;
