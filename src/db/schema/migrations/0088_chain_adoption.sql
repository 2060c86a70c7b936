-- After a restore the chain knows more than the database. A frozen lane that two operators thaw is first ADOPTING:
-- what its address sent and the database does not know is stored as it was found, by the mark of its payment's
-- reference, and what may still be on its way is made impossible by using up its nonces.
ALTER TABLE chain_lanes DROP CONSTRAINT chain_lanes_status_check;
ALTER TABLE chain_lanes ADD CONSTRAINT chain_lanes_status_check
  CHECK (status IN ('OPEN', 'FROZEN', 'ADOPTING'));
ALTER TABLE chain_lanes
  -- When operators thawed it last: it is frozen by every restore that began later.
  ADD COLUMN thawed_at timestamptz,
  -- While it is ADOPTING: no lost life of the database signed for this nonce or a later one.
  ADD COLUMN fence bigint,
  -- Counts how often it was frozen or thawed: an approval is about one freezing.
  ADD COLUMN version integer NOT NULL DEFAULT 1;

-- Without a reference: no payment is known that it carries.
ALTER TABLE chain_nonces ALTER COLUMN reference DROP NOT NULL;
-- The first half of SHA-256 of the reference, of a transfer that was found on the chain.
ALTER TABLE chain_nonces ADD COLUMN mark bytea;
ALTER TABLE chain_nonces ADD CONSTRAINT chain_nonces_mark_size CHECK (octet_length(mark) = 16) NOT VALID;
ALTER TABLE chain_nonces VALIDATE CONSTRAINT chain_nonces_mark_size;
CREATE INDEX chain_nonces_unclaimed ON chain_nonces (environment, network, mark)
  WHERE mark IS NOT NULL AND reference IS NULL;
ALTER TABLE chain_transactions ADD COLUMN is_found boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION guard_chain_lane() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.next_nonce <> NEW.first_nonce THEN
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
  IF OLD.status = 'FROZEN' AND NEW.status <> 'FROZEN' AND (approval_in_use('LANE_THAW',
      OLD.environment || '/' || OLD.network || '/' || OLD.address, OLD.version)).id IS NULL THEN
    RAISE EXCEPTION 'lane %: to thaw it takes two operators', OLD.address USING ERRCODE = 'check_violation';
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
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash)) THEN
    RAISE EXCEPTION 'nonce % of %: it was used by none of its transactions', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_chain_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before chain_transactions;
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- What was found on the chain was signed in another life of the database.
    IF NEW.is_found THEN
      IF NEW.raw IS NULL THEN
        RAISE EXCEPTION 'a transaction that was found is signed' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END IF;
    IF NEW.raw IS NOT NULL THEN
      RAISE EXCEPTION 'a transaction is stored before it is signed' USING ERRCODE = 'check_violation';
    END IF;
    SELECT * INTO before FROM chain_transactions t
    WHERE (t.environment, t.network, t.address, t.nonce, t.number)
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.number - 1);
    IF NEW.number > 0 AND (before IS NULL OR (before.kind = 'VOID' AND NEW.kind = 'TRANSFER')
      OR (before.raw IS NULL AND NEW.kind = before.kind)) THEN
      RAISE EXCEPTION 'nonce % of %: transaction % does not follow', NEW.nonce, NEW.address, NEW.number
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.raw IS NOT NULL
    OR (to_jsonb(NEW) - ARRAY['raw', 'hash', 'signed_at', 'signed_at_block'])
      <> (to_jsonb(OLD) - ARRAY['raw', 'hash', 'signed_at', 'signed_at_block']) THEN
    RAISE EXCEPTION 'transaction % of nonce %: what is signed is stored once', OLD.number, OLD.nonce
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- To freeze a lane takes one operator, to thaw it two.
ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('LANE_THAW', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
GRANT UPDATE (status, why, fence, thawed_at, updated_at) ON chain_lanes TO causeway_console;
CREATE POLICY operators_freeze_and_thaw ON chain_lanes FOR UPDATE TO causeway_console
  USING (true) WITH CHECK (true);

-- Effects work in a scope, whose role changes no lane. Null: there is no such lane, or it is not frozen. What may
-- have been paid without the database's knowledge is adopted first.
CREATE FUNCTION thaw_chain_lane(in_environment text, in_network text, in_address text, in_now timestamptz)
RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE chain_lanes SET why = NULL, thawed_at = in_now, updated_at = in_now,
    status = CASE WHEN why IN ('OPERATOR', 'SIGNING_REFUSED') AND NOT EXISTS (SELECT FROM restore_mode r
      WHERE r.begun_at > coalesce(thawed_at, created_at)) THEN 'OPEN' ELSE 'ADOPTING' END
  WHERE (environment, network, address) = (in_environment, in_network, in_address) AND status = 'FROZEN'
  RETURNING status
$$;
GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION thaw_chain_lane(text, text, text, timestamptz) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION thaw_chain_lane(text, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION thaw_chain_lane(text, text, text, timestamptz) TO causeway_dashboard;
