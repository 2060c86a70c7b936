-- A payment in two currencies may be priced anew when its rate is over: at most at `max_source_amount` (minor units of
-- the source, with fees), which is what is reserved for it, and before `requote_until`. Null: it fails then.

-- A quote that replaces an earlier one of its payment: 1 for the first one. 0 where it is the price of the acceptance, or
-- not used yet.
ALTER TABLE quotes ADD COLUMN requote integer NOT NULL DEFAULT 0 CHECK (requote >= 0);
ALTER TABLE quotes ADD CONSTRAINT one_price_at_a_time UNIQUE (payment_id, requote);
ALTER TABLE quotes DROP CONSTRAINT quotes_payment_id_key;

ALTER TABLE payments ADD COLUMN max_source_amount bigint, ADD COLUMN requote_until timestamptz;
-- No row has one yet.
ALTER TABLE payments ADD CONSTRAINT a_price_stays_below_its_maximum CHECK
  (max_source_amount IS NULL AND requote_until IS NULL
    OR quote_id IS NOT NULL AND wallet_id IS NULL AND requote_until > created_at
      AND source_amount + sum_of_fees(fees) <= max_source_amount) NOT VALID;

-- As before, but that the source amount is part of the price: `guard_price` keeps it.
CREATE OR REPLACE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_unended boolean;
  has_outcome boolean;
BEGIN
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'payment %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation';
  END IF;
  IF ROW(NEW.id, NEW.customer_id, NEW.environment, NEW.end_user_id, NEW.bank_account_id,
         NEW.idempotency_key, NEW.workflow_id, NEW.rail, NEW.currency, NEW.amount,
         NEW.source_currency)
     IS DISTINCT FROM
     ROW(OLD.id, OLD.customer_id, OLD.environment, OLD.end_user_id, OLD.bank_account_id,
         OLD.idempotency_key, OLD.workflow_id, OLD.rail, OLD.currency, OLD.amount,
         OLD.source_currency) THEN
    RAISE EXCEPTION 'payment %: what was ordered cannot change', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status <> OLD.status THEN
    IF NOT EXISTS (SELECT FROM payment_moves
                   WHERE from_status = OLD.status AND to_status = NEW.status) THEN
      RAISE EXCEPTION 'payment % cannot move from % to %', OLD.id, OLD.status, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.status IN ('COMPLETED', 'RETURNED', 'CANCELED', 'EXPIRED', 'FAILED') THEN
      SELECT coalesce(bool_or(a.is_open OR a.phase = 'READY'), false),
        coalesce(bool_or(a.phase = CASE NEW.status WHEN 'COMPLETED' THEN 'SETTLED' ELSE 'RETURNED' END), false)
        INTO is_unended, has_outcome
        FROM settlement_attempts a WHERE a.payment_id = OLD.id;
      -- Only a closed attempt lets the funds go.
      IF is_unended THEN
        RAISE EXCEPTION 'payment % cannot be % while a settlement attempt is open', OLD.id, NEW.status
          USING ERRCODE = 'check_violation';
      END IF;
      IF NEW.status IN ('COMPLETED', 'RETURNED') AND NOT has_outcome THEN
        RAISE EXCEPTION 'payment % cannot be % without an attempt that is', OLD.id, NEW.status
          USING ERRCODE = 'check_violation';
      END IF;
    END IF;
  END IF;
  RETURN NEW;
END $$;

-- A price changes only as its customer agreed to: for another quote, once the rate before is over, before its end, and
-- while the bank has nothing of the payment. What was agreed stays.
CREATE FUNCTION guard_price() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.max_source_amount IS NULL
    OR ROW(NEW.max_source_amount, NEW.requote_until) IS DISTINCT FROM ROW(OLD.max_source_amount, OLD.requote_until)
    OR NEW.quote_id IS NOT DISTINCT FROM OLD.quote_id
    OR NEW.status <> 'PROCESSING'
    OR NEW.updated_at < OLD.rate_held_until
    OR NEW.updated_at >= OLD.requote_until
    OR NEW.rate_held_until IS NULL
    OR NEW.rate_held_until <= NEW.updated_at
    OR EXISTS (SELECT FROM settlement_attempts a
      WHERE a.payment_id = OLD.id AND a.phase NOT IN ('READY', 'NOT_SENT', 'REJECTED')) THEN
    RAISE EXCEPTION 'payment %: its price cannot change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER price_of_payment_is_kept ON payments;
-- Asked only by a statement that names one of the columns: those that move payments do not.
CREATE TRIGGER price_of_payment_is_kept
  BEFORE UPDATE OF quote_id, source_amount, rate, rate_held_until, fees, max_source_amount, requote_until ON payments
  FOR EACH ROW WHEN (
    ROW(OLD.quote_id, OLD.source_amount, OLD.rate, OLD.rate_held_until, OLD.fees, OLD.max_source_amount,
      OLD.requote_until)
    IS DISTINCT FROM ROW(NEW.quote_id, NEW.source_amount, NEW.rate, NEW.rate_held_until, NEW.fees,
      NEW.max_source_amount, NEW.requote_until))
  EXECUTE FUNCTION guard_price();
DROP FUNCTION refuse_another_price();
CREATE CONSTRAINT TRIGGER requoted_payment_is_as_quoted AFTER UPDATE OF quote_id ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.quote_id IS DISTINCT FROM OLD.quote_id)
  EXECUTE FUNCTION check_payment_is_as_quoted();

-- What is reserved above the price is let go with the payment's end, whatever release of the software ends it: the one
-- before this one knows of no maximum, and leaves such a payment to this one.
CREATE FUNCTION check_nothing_stays_reserved() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
    WHERE t.payment_id = NEW.id AND e.account = 'reserved' HAVING sum(e.amount) <> 0) THEN
    RAISE EXCEPTION 'payment % is % and money stays reserved for it', NEW.id, NEW.status
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER nothing_stays_reserved AFTER UPDATE ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.max_source_amount IS NOT NULL AND NEW.status <> OLD.status
    AND NEW.status IN ('COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED', 'RETURNED'))
  EXECUTE FUNCTION check_nothing_stays_reserved();

-- As before, but that of a payment that settles, what is given back is a release.
CREATE OR REPLACE FUNCTION check_added_entries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wrong text;
BEGIN
  SELECT a.transaction_id INTO wrong FROM added a
  GROUP BY a.transaction_id, a.currency HAVING sum(a.amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', wrong USING ERRCODE = 'check_violation';
  END IF;
  SELECT a.transaction_id INTO wrong FROM (SELECT DISTINCT e.transaction_id, e.seq, e.kind FROM added e) a
  WHERE NOT EXISTS (
    SELECT FROM ledger_transactions t
    WHERE t.id = a.transaction_id AND t.seq = a.seq
      AND (a.kind IN (t.kind, 'FEE', 'REPAYMENT') OR t.kind = 'SETTLE' AND a.kind = 'RELEASE')
      AND t.xmin = pg_current_xact_id()::xid)
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: its entries are written with it, with its number and kind', wrong
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_come_with_their_transaction';
  END IF;
  RETURN NULL;
END $$;
