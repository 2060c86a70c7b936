-- A lane of which the database may have forgotten something is given up in two steps, a network that went back behind a
-- final block gives nothing back, and what an address that was given up never signed is free for another one.
ALTER TABLE chain_lanes
  -- Given up while something that the database does not know may have been signed for it, and may be mined still.
  ADD COLUMN may_still_pay boolean NOT NULL DEFAULT false,
  -- The approval by which nothing of that can be mined any more.
  ADD COLUMN ended_by text;
ALTER TABLE chain_lanes NO FORCE ROW LEVEL SECURITY;
UPDATE chain_lanes SET may_still_pay = true WHERE status = 'RETIRING';
ALTER TABLE chain_lanes FORCE ROW LEVEL SECURITY;
GRANT UPDATE (ended_by) ON chain_lanes TO causeway_console;

CREATE OR REPLACE FUNCTION guard_chain_lane() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.next_nonce <> NEW.first_nonce OR NEW.status NOT IN ('OPEN', 'FROZEN')
      OR NEW.may_still_pay OR NEW.ended_by IS NOT NULL THEN
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
  -- A restore that began later than a lane was opened or thawed may have taken away what it signed; so says what froze it.
  NEW.may_still_pay := CASE WHEN (OLD.status, NEW.status) = ('FROZEN', 'RETIRING')
    THEN OLD.why NOT IN ('OPERATOR', 'SIGNING_REFUSED') OR OLD.suspicion IS NOT NULL
      OR EXISTS (SELECT FROM restore_mode r WHERE r.begun_at > coalesce(OLD.thawed_at, OLD.created_at))
    ELSE OLD.may_still_pay END;
  IF NEW.ended_by IS DISTINCT FROM OLD.ended_by AND ((OLD.status, NEW.status) <> ('RETIRING', 'RETIRING')
    OR coalesce((approval_in_use('LANE_RETIRE', name, OLD.version)).id <> NEW.ended_by, true)) THEN
    RAISE EXCEPTION 'lane %: that nothing of it can be mined any more is said by two operators', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.status, NEW.status) = ('RETIRING', 'RETIRED') AND NEW.may_still_pay AND NEW.ended_by IS NULL THEN
    RAISE EXCEPTION 'lane %: what it signed before may be mined still', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.status, OLD.why) IS DISTINCT FROM (NEW.status, NEW.why) THEN
    NEW.version := OLD.version + 1;
  END IF;
  RETURN NEW;
END $$;

-- False: there is no such lane, or it is neither frozen nor one that may still pay and waits for this.
CREATE OR REPLACE FUNCTION retire_chain_lane(in_environment text, in_network text, in_address text, in_approval text,
  in_now timestamptz)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chain_lanes SET status = 'RETIRING', why = NULL, fence = NULL, suspicion = NULL,
    retired_by = in_approval, updated_at = in_now
  WHERE (environment, network, address) = (in_environment, in_network, in_address) AND status = 'FROZEN';
  IF NOT FOUND THEN
    UPDATE chain_lanes SET ended_by = in_approval, updated_at = in_now
    WHERE (environment, network, address) = (in_environment, in_network, in_address)
      AND status = 'RETIRING' AND may_still_pay AND ended_by IS NULL;
  END IF;
  RETURN FOUND;
END $$;

-- Whether an address of the network may have paid what the database does not know, or the network went back behind a
-- final block. Of a network without a lane a restored database knows nothing at all.
CREATE FUNCTION is_chain_unsure(in_environment text, in_network text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM public.chain_stops s
    WHERE s.environment = in_environment AND s.network = in_network AND s.lifted_at IS NULL)
  OR EXISTS (SELECT FROM public.chain_lanes l
    WHERE l.environment = in_environment AND l.network = in_network AND l.status <> 'RETIRED'
      AND (l.status IN ('ADOPTING', 'RETIRING') OR l.why IN ('RESTORED', 'NONCE_AHEAD', 'FOREIGN_TRANSACTION')
        OR l.suspicion IS NOT NULL OR EXISTS (SELECT FROM public.restore_mode r
          WHERE r.begun_at > coalesce(l.thawed_at, l.created_at))))
  OR (EXISTS (SELECT FROM public.restore_mode) AND NOT EXISTS (SELECT FROM public.chain_lanes l
    WHERE l.environment = in_environment AND l.network = in_network))
$$;

-- Whether a network may have paid a reference, or one of the next attempts after it, without the database's
-- knowledge: the network is unsure, or a transfer with its mark was found and is no known payment's. What two
-- operators have looked at is one transaction, and not all that its nonce was ever used by.
CREATE OR REPLACE FUNCTION may_chain_have_paid(in_environment text, in_network text, in_reference text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT public.is_chain_unsure(in_environment, in_network)
  OR EXISTS (
    SELECT FROM generate_series(0, 3) AS later (n) JOIN public.chain_nonces c
      ON c.environment = in_environment AND c.network = in_network AND c.reference IS NULL
      AND c.mark = substring(sha256(convert_to(CASE WHEN later.n = 0 THEN in_reference
        WHEN right(in_reference, 2) ~ '^[0-9]{2}$' THEN left(in_reference, -2)
          || lpad((right(in_reference, 2)::integer + later.n)::text, 2, '0') END, 'UTF8')) FROM 1 FOR 16)
    WHERE EXISTS (SELECT FROM public.chain_transactions t
      WHERE (t.environment, t.network, t.address, t.nonce) = (c.environment, c.network, c.address, c.nonce)
        AND t.is_found AND t.kind = 'TRANSFER' AND NOT EXISTS (SELECT FROM public.chain_foreign_transactions f
          WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
            = (t.environment, t.network, t.address, t.nonce, t.hash))))
$$;

-- Where a transfer stands, for whoever has its reference. That it moved nothing is said of a network that went back behind
-- a final block only where its payment has heard it before.
CREATE OR REPLACE FUNCTION find_chain_transfer(in_environment text, in_reference text)
RETURNS TABLE (state text, hold text, reason text, hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN s.is_kept THEN 'CARRIED' ELSE t.state END, t.hold,
    CASE WHEN NOT s.is_kept THEN t.reason END, n.mined_hash
  FROM public.chain_transfers t
  LEFT JOIN public.chain_nonces n ON n.reference = t.reference AND n.state IN ('SETTLED', 'FINAL')
  CROSS JOIN LATERAL (SELECT t.state = 'REJECTED' AND t.told IS DISTINCT FROM 'REJECTED'
    AND EXISTS (SELECT FROM public.chain_stops c WHERE c.environment = t.environment
      AND c.network = t.network AND c.lifted_at IS NULL) AS is_kept) AS s
  WHERE t.environment = in_environment AND t.reference = in_reference
$$;

-- What an address that is given up never signed can be mined by no one: its nonce ends without a transaction.
ALTER TABLE chain_nonces DROP CONSTRAINT chain_nonces_check;
ALTER TABLE chain_nonces ADD CONSTRAINT chain_nonces_check
  CHECK (state IN ('OPEN', 'REJECTED') OR mined_hash IS NOT NULL) NOT VALID;
CREATE OR REPLACE FUNCTION guard_chain_nonce() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash)))
    -- Nothing is ever signed for it again, and nothing was.
    AND NOT (NEW.state = 'REJECTED' AND NEW.mined_hash IS NULL
      AND EXISTS (SELECT FROM chain_lanes l WHERE (l.environment, l.network, l.address, l.status)
        = (NEW.environment, NEW.network, NEW.address, 'RETIRED'))
      AND NOT EXISTS (SELECT FROM chain_transactions t
        WHERE (t.environment, t.network, t.address, t.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND t.raw IS NOT NULL)) THEN
    RAISE EXCEPTION 'nonce % of %: it was used by none of its transactions', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION is_chain_unsure(text, text) OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
REVOKE ALL ON FUNCTION is_chain_unsure(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_chain_unsure(text, text) TO causeway_system;
