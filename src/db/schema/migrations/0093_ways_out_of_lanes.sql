-- Ways out where a lane stands still: two operators say that a transaction is none of ours, or that an address is given
-- up for ever; and no funds go back while a chain may have paid.
ALTER TABLE chain_lanes DROP CONSTRAINT chain_lanes_status_check;
-- RETIRING: given up; what is final of it is learnt. RETIRED: that is done. Neither ever signs again.
ALTER TABLE chain_lanes ADD CONSTRAINT chain_lanes_status_check
  CHECK (status IN ('OPEN', 'FROZEN', 'ADOPTING', 'RETIRING', 'RETIRED'));
-- The approval by which it was given up.
ALTER TABLE chain_lanes ADD COLUMN retired_by text;

-- STALLED is told, too: an operator must look.
ALTER TABLE chain_transfers DROP CONSTRAINT chain_transfers_told_hold_check;
ALTER TABLE chain_transfers ADD CONSTRAINT chain_transfers_told_hold_check
  CHECK (told_hold IN ('AWAITING_LIQUIDITY', 'NETWORK_CONGESTED', 'STALLED')) NOT VALID;

ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES
  ('LANE_RETIRE', '{OPERATIONS}'), ('FOREIGN_NONCE', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

-- Transactions that used a nonce of ours and are none of ours: two operators say so, of one by its hash or of all
-- of an address that is given up.
CREATE TABLE chain_foreign_transactions (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  approval_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce, hash),
  FOREIGN KEY (environment, network, address) REFERENCES chain_lanes
);
CREATE FUNCTION guard_foreign_transaction() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  lane public.chain_lanes;
  used public.approvals;
BEGIN
  SELECT * INTO lane FROM public.chain_lanes l
  WHERE (l.environment, l.network, l.address) = (NEW.environment, NEW.network, NEW.address);
  IF lane.status IN ('RETIRING', 'RETIRED') AND lane.retired_by = NEW.approval_id THEN
    RETURN NEW;
  END IF;
  used := public.approval_in_use('FOREIGN_NONCE',
    concat_ws('/', NEW.environment, NEW.network, NEW.address, NEW.nonce), lane.version);
  IF used.id IS DISTINCT FROM NEW.approval_id OR used.content ->> 'hash' IS DISTINCT FROM NEW.hash THEN
    RAISE EXCEPTION 'nonce % of %: that it is none of ours is said by two operators', NEW.nonce, NEW.address
      USING ERRCODE = 'check_violation', CONSTRAINT = 'foreign_takes_two_operators';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_foreign_transaction BEFORE INSERT ON chain_foreign_transactions
  FOR EACH ROW EXECUTE FUNCTION guard_foreign_transaction();
CREATE TRIGGER chain_foreign_transactions_stay BEFORE UPDATE OR DELETE ON chain_foreign_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE chain_foreign_transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_foreign_transactions FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_foreign_transactions FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_foreign_transactions TO causeway_chain USING (true) WITH CHECK (true);
CREATE POLICY operators_say ON chain_foreign_transactions TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON chain_foreign_transactions TO causeway_system, causeway_chain, causeway_console;
GRANT INSERT ON chain_foreign_transactions TO causeway_chain, causeway_console;
GRANT UPDATE (retired_by) ON chain_lanes TO causeway_console;

CREATE OR REPLACE FUNCTION guard_chain_lane() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  name text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.next_nonce <> NEW.first_nonce OR NEW.status NOT IN ('OPEN', 'FROZEN') THEN
      RAISE EXCEPTION 'lane %: it begins with the nonce that the chain gives', NEW.address
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.environment, NEW.network, NEW.address, NEW.first_nonce, NEW.created_at)
    IS DISTINCT FROM (OLD.environment, OLD.network, OLD.address, OLD.first_nonce, OLD.created_at)
    OR NEW.next_nonce NOT IN (OLD.next_nonce, OLD.next_nonce + 1)
    OR (NEW.next_nonce <> OLD.next_nonce AND (OLD.status = 'FROZEN' OR NEW.status = 'FROZEN'))
    OR (OLD.status, NEW.status) = ('FROZEN', 'ADOPTING') AND NEW.thawed_at IS NOT DISTINCT FROM OLD.thawed_at THEN
    RAISE EXCEPTION 'lane %: nonces are used one by one, while it is not frozen', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  name := OLD.environment || '/' || OLD.network || '/' || OLD.address;
  IF OLD.status = 'FROZEN' AND NEW.status IN ('OPEN', 'ADOPTING')
    AND (approval_in_use('LANE_THAW', name, OLD.version)).id IS NULL THEN
    RAISE EXCEPTION 'lane %: to thaw it takes two operators', OLD.address USING ERRCODE = 'check_violation';
  END IF;
  -- What a lane has learnt from the chain, only the process that reads the chain says.
  IF (OLD.status, NEW.status) IN (('ADOPTING', 'OPEN'), ('RETIRING', 'RETIRED'))
    AND NOT pg_has_role(current_user, 'causeway_chain', 'USAGE') THEN
    RAISE EXCEPTION 'lane %: only its own process says what it has learnt', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.status IN ('RETIRING', 'RETIRED') AND NEW.status NOT IN (OLD.status, 'RETIRED'))
    OR (OLD.status <> NEW.status AND NEW.status = 'RETIRED' AND OLD.status <> 'RETIRING')
    OR (OLD.status <> NEW.status AND NEW.status = 'RETIRING' AND (OLD.status <> 'FROZEN'
      OR coalesce((approval_in_use('LANE_RETIRE', name, OLD.version)).id <> NEW.retired_by, true)))
    OR (OLD.status = 'OPEN' AND NEW.status NOT IN ('OPEN', 'FROZEN'))
    OR (NEW.retired_by IS DISTINCT FROM OLD.retired_by AND NEW.status <> 'RETIRING') THEN
    RAISE EXCEPTION 'lane %: it cannot go from % to %', OLD.address, OLD.status, NEW.status
      USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.status, OLD.why) IS DISTINCT FROM (NEW.status, NEW.why) THEN
    NEW.version := OLD.version + 1;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_chain_nonce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'OPEN' OR num_nonnulls(NEW.void_why, NEW.mined_hash, NEW.fee) > 0
      OR NOT EXISTS (SELECT FROM chain_lanes l WHERE (l.environment, l.network, l.address, l.next_nonce)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce + 1)) THEN
      RAISE EXCEPTION 'nonce % of %: it is not the lane''s next', NEW.nonce, NEW.address
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.created_at)
    IS DISTINCT FROM (OLD.environment, OLD.network, OLD.address, OLD.nonce, OLD.created_at)
    -- What was found on the chain is given to its payment once; what was not found is nobody's.
    OR (OLD.reference IS NOT NULL AND NEW.reference IS DISTINCT FROM OLD.reference)
    OR (OLD.reference IS NULL AND NEW.reference IS NOT NULL AND NEW.mark IS NULL)
    OR (OLD.mark IS NOT NULL AND NEW.mark IS DISTINCT FROM OLD.mark)
    OR (OLD.void_why IS NOT NULL AND NEW.void_why IS DISTINCT FROM OLD.void_why)
    OR (OLD.void_why IS NULL AND NEW.void_why IS NOT NULL AND OLD.state <> 'OPEN') THEN
    RAISE EXCEPTION 'nonce % of %: a nonce carries one thing', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.state IN ('FINAL', 'REJECTED') OR (NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('OPEN', 'SETTLED'), ('SETTLED', 'OPEN'), ('SETTLED', 'FINAL'), ('OPEN', 'REJECTED'))) THEN
    RAISE EXCEPTION 'nonce % of %: it cannot go from % to %', OLD.nonce, OLD.address, OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.state <> 'OPEN' AND NOT EXISTS (SELECT FROM chain_transactions t
    WHERE (t.environment, t.network, t.address, t.nonce, t.hash)
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash))
    -- Another's moved nothing for us, as far as two operators know.
    AND NOT (NEW.state = 'REJECTED' AND EXISTS (SELECT FROM chain_foreign_transactions f
      WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash))) THEN
    RAISE EXCEPTION 'nonce % of %: it was used by none of its transactions', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- Nothing is signed for an address that is frozen or given up, also where it was frozen while the signer worked.
CREATE FUNCTION guard_signing_lane() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.chain_lanes l WHERE (l.environment, l.network, l.address)
      = (NEW.environment, NEW.network, NEW.address) AND l.status IN ('FROZEN', 'RETIRING', 'RETIRED')) THEN
    RAISE EXCEPTION 'lane %: it signs nothing', NEW.address USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER new_is_of_a_signing_lane BEFORE INSERT ON chain_transactions
  FOR EACH ROW WHEN (NOT NEW.is_found) EXECUTE FUNCTION guard_signing_lane();
CREATE TRIGGER signed_is_of_a_signing_lane BEFORE UPDATE OF raw ON chain_transactions
  FOR EACH ROW WHEN (NEW.raw IS NOT NULL) EXECUTE FUNCTION guard_signing_lane();

-- Whether a network may have paid a reference, or one of the next attempts after it, without the database's
-- knowledge: an address of it has not learnt yet what it sent, or a transfer with its mark was found and is no
-- known payment's. Two operators have looked at what is in chain_foreign_transactions.
CREATE FUNCTION may_chain_have_paid(in_environment text, in_network text, in_reference text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM public.chain_lanes l
    WHERE l.environment = in_environment AND l.network = in_network AND l.status <> 'RETIRED'
      AND (l.status IN ('ADOPTING', 'RETIRING') OR l.why IN ('RESTORED', 'NONCE_AHEAD', 'FOREIGN_TRANSACTION')
        OR l.suspicion IS NOT NULL OR EXISTS (SELECT FROM public.restore_mode r
          WHERE r.begun_at > coalesce(l.thawed_at, l.created_at))))
  OR EXISTS (
    SELECT FROM generate_series(0, 3) AS later (n) JOIN public.chain_nonces c
      ON c.environment = in_environment AND c.network = in_network AND c.reference IS NULL
      AND c.mark = substring(sha256(convert_to(CASE WHEN later.n = 0 THEN in_reference
        WHEN right(in_reference, 2) ~ '^[0-9]{2}$' THEN left(in_reference, -2)
          || lpad((right(in_reference, 2)::integer + later.n)::text, 2, '0') END, 'UTF8')) FROM 1 FOR 16)
    WHERE NOT EXISTS (SELECT FROM public.chain_foreign_transactions f
      WHERE (f.environment, f.network, f.address, f.nonce) = (c.environment, c.network, c.address, c.nonce)))
$$;

-- Funds go back, and another nonce is taken, only while no chain may have paid.
CREATE FUNCTION guard_unpaid_transfer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF public.may_chain_have_paid(NEW.environment, NEW.network, NEW.reference) THEN
    RAISE EXCEPTION 'transfer %: a lost life of the database may have paid it', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'chain_may_have_paid';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refused_is_unpaid BEFORE UPDATE ON chain_transfers FOR EACH ROW
  WHEN (NEW.state = 'REJECTED' AND OLD.state <> 'REJECTED') EXECUTE FUNCTION guard_unpaid_transfer();
CREATE TRIGGER carried_is_unpaid BEFORE INSERT ON chain_nonces FOR EACH ROW
  WHEN (NEW.reference IS NOT NULL) EXECUTE FUNCTION guard_unpaid_transfer();

CREATE FUNCTION guard_unpaid_payment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  attempt RECORD;
BEGIN
  FOR attempt IN
    SELECT a.reference, t.state FROM public.settlement_attempts a
    LEFT JOIN public.chain_transfers t ON t.reference = a.reference
    WHERE a.environment = NEW.environment AND a.payment_id = NEW.id
  LOOP
    IF attempt.state IS DISTINCT FROM 'REJECTED' AND (attempt.state IS NOT NULL
      OR public.may_chain_have_paid(NEW.environment, NEW.rail, attempt.reference)) THEN
      RAISE EXCEPTION 'payment %: its network may have paid it', NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'chain_may_have_paid';
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER released_is_unpaid BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (NEW.wallet_id IS NOT NULL AND NEW.status IN ('FAILED', 'CANCELED', 'EXPIRED') AND OLD.status <> NEW.status)
  EXECUTE FUNCTION guard_unpaid_payment();

-- Effects work in a scope, whose role changes no lane. False: there is no such lane, or it is not frozen.
CREATE FUNCTION retire_chain_lane(in_environment text, in_network text, in_address text, in_approval text,
  in_now timestamptz)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chain_lanes SET status = 'RETIRING', why = NULL, fence = NULL, suspicion = NULL,
    retired_by = in_approval, updated_at = in_now
  WHERE (environment, network, address) = (in_environment, in_network, in_address) AND status = 'FROZEN';
  RETURN FOUND;
END $$;
CREATE FUNCTION name_foreign_transaction(in_environment text, in_network text, in_address text, in_nonce bigint,
  in_hash text, in_approval text, in_now timestamptz)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO chain_foreign_transactions (environment, network, address, nonce, hash, approval_id, created_at)
  VALUES (in_environment, in_network, in_address, in_nonce, in_hash, in_approval, in_now)
$$;
GRANT UPDATE (suspicion) ON chain_lanes TO causeway_console;
GRANT CREATE ON SCHEMA public TO causeway_console, causeway_system_definer;
ALTER FUNCTION retire_chain_lane(text, text, text, text, timestamptz) OWNER TO causeway_console;
ALTER FUNCTION name_foreign_transaction(text, text, text, bigint, text, text, timestamptz) OWNER TO causeway_console;
ALTER FUNCTION may_chain_have_paid(text, text, text) OWNER TO causeway_system_definer;
ALTER FUNCTION guard_unpaid_transfer() OWNER TO causeway_system_definer;
ALTER FUNCTION guard_unpaid_payment() OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console, causeway_system_definer;
REVOKE ALL ON FUNCTION retire_chain_lane(text, text, text, text, timestamptz),
  name_foreign_transaction(text, text, text, bigint, text, text, timestamptz),
  may_chain_have_paid(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION retire_chain_lane(text, text, text, text, timestamptz),
  name_foreign_transaction(text, text, text, bigint, text, text, timestamptz) TO causeway_dashboard;
GRANT EXECUTE ON FUNCTION may_chain_have_paid(text, text, text)
  TO causeway_app, causeway_system, causeway_dashboard;
