-- Two operators decide what becomes of a deposit whose sender is on a list: it is credited, or it stays in suspense for
-- good (KEPT), and then its address may be swept.
ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('BLOCKED_DEPOSIT', '{COMPLIANCE}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

ALTER TABLE deposits
  DROP CONSTRAINT deposits_status_check,
  ADD CONSTRAINT deposits_status_check CHECK
    (status IN ('SEEN', 'CREDITED', 'FINAL', 'ORPHANED', 'BLOCKED', 'KEPT')) NOT VALID,
  DROP CONSTRAINT blocked_is_in_suspense,
  ADD CONSTRAINT blocked_is_in_suspense CHECK
    ((status IN ('BLOCKED', 'KEPT')) = (applied_to IS NOT DISTINCT FROM 'SUSPENSE')) NOT VALID;

DO $$
DECLARE
  known text := (SELECT string_agg(quote_literal(kind[1]), ', ') FROM regexp_matches(
    (SELECT pg_get_constraintdef(oid) FROM pg_constraint
     WHERE conrelid = 'ledger_transactions'::regclass AND conname = 'ledger_transactions_kind_check'),
    '''([A-Z_]+)''', 'g') AS kind);
BEGIN
  ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
  EXECUTE format('ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK
    (kind IN (%s, ''DEPOSIT_UNBLOCK'')) NOT VALID', known);
END $$;

-- Whether the running transaction uses an approval that this deposit, as it is at this version, becomes this. Nothing is
-- decided on a network that is stopped; and for good only what no reorganisation takes back.
CREATE FUNCTION is_blocked_deposit_decided(blocked deposits, in_status text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((approval_in_use('BLOCKED_DEPOSIT', blocked.id, blocked.version)).content ->> 'decision'
      = CASE in_status WHEN 'CREDITED' THEN 'RELEASE' WHEN 'KEPT' THEN 'KEEP' END, false)
    AND NOT EXISTS (SELECT FROM chain_stops s WHERE s.lifted_at IS NULL
      AND (s.environment, s.network) = (blocked.environment, blocked.network))
    AND (in_status = 'CREDITED' OR EXISTS (SELECT FROM chain_cursors c WHERE c.kind = 'FINAL'
      AND (c.environment, c.network) = (blocked.environment, blocked.network)
      AND c.block_number >= blocked.block_number))
$$;

-- As before; and what is blocked leaves that only as two operators approved, what is kept is as what is final, and what
-- they released stays credited whatever an operator had said of its sender before.
CREATE OR REPLACE FUNCTION guard_deposit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'applied_to', 'reason', 'to_payment', 'round', 'version', 'updated_at'];
  mined text[] := ARRAY['block_number', 'block_hash', 'block_at'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.status = 'SEEN' AND NEW.round = 1 AND NEW.version = 1 AND NEW.review IS NULL
     AND (EXISTS (SELECT FROM payment_fundings f WHERE f.payment_id = NEW.payment_id
            AND f.address = NEW.to_address)
       OR EXISTS (SELECT FROM deposit_addresses a WHERE a.id = NEW.deposit_address_id
            AND a.address = NEW.to_address)) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.version = OLD.version + 1 AND NEW.round - OLD.round IN (0, 1)
     AND (OLD.status = 'ORPHANED' AND NEW.status = 'SEEN'
         AND to_jsonb(NEW) - moved - mined = to_jsonb(OLD) - moved - mined
       OR OLD.status = 'SEEN' AND OLD.review IS NULL AND NEW.review = 'HELD'
         AND to_jsonb(NEW) - ARRAY['review', 'version', 'updated_at']
           = to_jsonb(OLD) - ARRAY['review', 'version', 'updated_at']
       OR (OLD.status, NEW.status) IN (('FINAL', 'FINAL'), ('KEPT', 'KEPT'))
         AND is_proved_again(OLD.environment, OLD.network, OLD.block_number)
         AND is_proved_again(NEW.environment, NEW.network, NEW.block_number)
         AND to_jsonb(NEW) - mined - ARRAY['version', 'updated_at']
           = to_jsonb(OLD) - mined - ARRAY['version', 'updated_at']
       OR to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
         AND (NEW.status <> 'CREDITED' OR OLD.status IN ('CREDITED', 'BLOCKED')
           OR coalesce(NEW.review, 'RELEASED') = 'RELEASED')
         AND ((OLD.status, NEW.status) IN (('SEEN', 'CREDITED'), ('SEEN', 'BLOCKED'), ('SEEN', 'ORPHANED'),
             ('CREDITED', 'FINAL'), ('CREDITED', 'ORPHANED'), ('BLOCKED', 'ORPHANED'),
             ('CREDITED', 'CREDITED'), ('FINAL', 'FINAL'))
           OR (OLD.status, NEW.status) IN (('FINAL', 'ORPHANED'), ('KEPT', 'ORPHANED'))
             AND is_proved_again(OLD.environment, OLD.network, OLD.block_number)
           OR OLD.status = 'BLOCKED' AND NEW.status IN ('CREDITED', 'KEPT') AND NEW.round = OLD.round
             AND is_blocked_deposit_decided(OLD, NEW.status))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it does not become this', coalesce(NEW.id, OLD.id)
    USING ERRCODE = 'check_violation';
END $$;

-- When all is written: what is in the books of a deposit is all of it, or nothing, as its status says.
CREATE OR REPLACE FUNCTION check_deposit_in_books() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted text := CASE TG_TABLE_NAME WHEN 'deposits' THEN to_jsonb(NEW) ->> 'id'
    ELSE to_jsonb(NEW) ->> 'deposit_id' END;
BEGIN
  IF EXISTS (
    SELECT FROM deposits d CROSS JOIN LATERAL (
      SELECT coalesce(-sum(e.amount) FILTER (WHERE e.account = 'nostro:' || d.network), 0) AS arrived,
        coalesce(sum(e.amount) FILTER (WHERE e.account = 'suspense'), 0) AS suspended,
        count(*) FILTER (WHERE e.currency <> d.asset OR e.account NOT IN ('available', 'reserved', 'pending',
          'receivable', 'suspense', 'nostro:' || d.network)) AS stray
      FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
      WHERE t.deposit_id = d.id
    ) AS books
    WHERE d.id = wanted AND (books.stray > 0
      OR books.arrived <> CASE WHEN d.applied_to IS NULL THEN 0 ELSE d.amount END
      OR books.suspended <> CASE WHEN d.status IN ('BLOCKED', 'KEPT') THEN d.amount ELSE 0 END)) THEN
    RAISE EXCEPTION 'deposit %: the books do not show what it is', wanted
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- What is kept lies at its address as what is final does, until it is swept.
DROP TRIGGER list_unswept ON deposits;
CREATE TRIGGER list_unswept AFTER UPDATE ON deposits FOR EACH ROW
  WHEN (NEW.status IN ('FINAL', 'KEPT') AND OLD.status <> NEW.status) EXECUTE FUNCTION list_unswept();
