-- What deposits have brought, as the payment's newest version shows it: it changes with a version of the payment alone,
-- and stays when the payment ends without. Minor units.
ALTER TABLE payment_fundings ADD COLUMN amount_received bigint NOT NULL DEFAULT 0
  CHECK (amount_received BETWEEN 0 AND amount_due);
GRANT UPDATE (amount_received) ON payment_fundings TO causeway_app;

-- How many of an end-user's payments wait is counted before each further one.
CREATE INDEX payment_fundings_waiting ON payment_fundings (customer_id, environment, payment_id)
  WHERE status = 'AWAITED';
-- What was completed and not looked at since is said again.
CREATE INDEX payment_fundings_held ON payment_fundings (updated_at) WHERE status = 'HELD';

-- As before, with what is shown; and what was handed to a rail is not waited for again.
CREATE OR REPLACE FUNCTION guard_payment_funding() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'amount_received', 'updated_at'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.status = 'AWAITED' AND NEW.amount_received = 0 THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND (OLD.status, NEW.status) = ('HELD', 'AWAITED') AND EXISTS (
      SELECT FROM settlement_attempts a WHERE a.payment_id = NEW.payment_id AND a.phase <> 'READY') THEN
    RAISE EXCEPTION 'payment %: what pays for it was handed to its rail', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND (OLD.status, NEW.status) IN (('AWAITED', 'AWAITED'), ('AWAITED', 'HELD'), ('AWAITED', 'CLOSED'),
       ('HELD', 'HELD'), ('HELD', 'AWAITED')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: what it waits for does not change', coalesce(NEW.payment_id, OLD.payment_id)
    USING ERRCODE = 'check_violation';
END $$;

-- Nothing leaves before all that is due is there. The funding's row is kept from others: a deposit that is orphaned
-- meanwhile finds the attempt, or the attempt finds that the payment waits again.
CREATE FUNCTION guard_funded_attempt() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  funding text;
BEGIN
  SELECT f.status INTO funding FROM payment_fundings f WHERE f.payment_id = NEW.payment_id FOR SHARE;
  IF funding <> 'HELD' THEN
    RAISE EXCEPTION 'payment %: its deposit is not there', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER funded_before_written BEFORE INSERT ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase <> 'READY') EXECUTE FUNCTION guard_funded_attempt();
CREATE TRIGGER funded_before_sent BEFORE UPDATE OF phase ON settlement_attempts FOR EACH ROW
  WHEN (OLD.phase IN ('READY', 'NOT_SENT') AND NEW.phase NOT IN ('READY', 'NOT_SENT', 'REJECTED'))
  EXECUTE FUNCTION guard_funded_attempt();

-- When all is written. A payment that deposits pay for has no hold of its own: deposits make it. It ends without them
-- only closed, and then nothing is released, for nothing was reserved: it would be other payments' money. It expires
-- only when whatever was mined in time is known for good.
CREATE FUNCTION check_funded_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted text := coalesce(to_jsonb(NEW) ->> 'payment_id', to_jsonb(NEW) ->> 'id');
  f payment_fundings;
  p payments;
BEGIN
  SELECT * INTO f FROM payment_fundings WHERE payment_id = wanted;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT * INTO p FROM payments WHERE id = wanted;
  IF (CASE f.status
      WHEN 'AWAITED' THEN p.status NOT IN ('PROCESSING', 'ON_HOLD')
      WHEN 'CLOSED' THEN p.status NOT IN ('CANCELED', 'EXPIRED', 'FAILED')
      ELSE p.status = 'EXPIRED' END) THEN
    RAISE EXCEPTION 'payment % is %, what it waits for is %', wanted, p.status, f.status
      USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT FROM ledger_transactions t WHERE t.payment_id = wanted
      AND (t.kind = 'HOLD' OR f.status <> 'HELD')) THEN
    RAISE EXCEPTION 'payment %: nothing is held for it but what deposits bring', wanted
      USING ERRCODE = 'check_violation';
  END IF;
  IF p.status = 'EXPIRED' AND NOT EXISTS (SELECT FROM chain_cursors c
      WHERE c.environment = f.environment AND c.network = f.network AND c.kind = 'FINAL'
        AND c.block_at > f.expires_at) THEN
    RAISE EXCEPTION 'payment %: a deposit in time may still be found', wanted
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER funding_fits_payment AFTER INSERT OR UPDATE OF status ON payment_fundings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_funded_payment();
CREATE CONSTRAINT TRIGGER payment_fits_funding AFTER UPDATE OF status ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status IN ('CANCELED', 'EXPIRED', 'FAILED'))
  EXECUTE FUNCTION check_funded_payment();

-- What is waited for is what the payment costs, in the asset that pays it.
CREATE FUNCTION check_new_funding() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payments p WHERE p.id = NEW.payment_id AND p.source_currency = NEW.asset
      AND p.scheduled_for IS NULL AND NEW.amount_due = p.source_amount + (
        SELECT coalesce(sum((fee ->> 'amount')::numeric), 0) FROM jsonb_array_elements(p.fees) AS fee)) THEN
    RAISE EXCEPTION 'payment %: what it waits for is not what it costs', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER funding_is_the_price AFTER INSERT ON payment_fundings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_new_funding();

-- What we have promised: a payment that waits for its deposit promises nothing yet, as a quote that may be used.
CREATE OR REPLACE FUNCTION fx_exposure(wanted_environment text)
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
