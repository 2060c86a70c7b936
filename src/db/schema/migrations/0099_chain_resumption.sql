-- A network that went back behind a final block goes on when two operators have said at which block: all behind the
-- last block that is still of the chain is read and proved again before, and what is gone is taken back.

-- The first final block of each hour that was read: from the newest that is still of the chain on, all is read again.
CREATE TABLE chain_checkpoints (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  PRIMARY KEY (environment, network, block_number)
);
ALTER TABLE chain_checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_checkpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON chain_checkpoints TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (block_hash) ON chain_checkpoints TO causeway_system;

CREATE FUNCTION keep_checkpoint() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' OR date_trunc('hour', NEW.block_at) <> date_trunc('hour', OLD.block_at) THEN
    INSERT INTO public.chain_checkpoints (environment, network, block_number, block_hash)
    VALUES (NEW.environment, NEW.network, NEW.block_number, NEW.block_hash)
    ON CONFLICT (environment, network, block_number) DO UPDATE SET block_hash = excluded.block_hash;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_checkpoint AFTER INSERT OR UPDATE ON chain_cursors
  FOR EACH ROW WHEN (NEW.kind = 'FINAL') EXECUTE FUNCTION keep_checkpoint();
ALTER TABLE chain_cursors NO FORCE ROW LEVEL SECURITY;
ALTER TABLE chain_checkpoints NO FORCE ROW LEVEL SECURITY;
INSERT INTO chain_checkpoints (environment, network, block_number, block_hash)
SELECT environment, network, block_number, block_hash FROM chain_cursors WHERE kind = 'FINAL';
ALTER TABLE chain_checkpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE chain_cursors FORCE ROW LEVEL SECURITY;

ALTER TABLE chain_stops
  ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  -- The final block that it goes on behind, and the approval by which that was said.
  ADD COLUMN resume_block bigint,
  ADD COLUMN resume_hash text CHECK (resume_hash ~ '^0x[0-9a-f]{64}$'),
  ADD COLUMN resumed_by text,
  -- The last block from before that is still of the chain, and up to where all behind it was proved again.
  ADD COLUMN base_block bigint,
  ADD COLUMN proved_block bigint,
  ADD CONSTRAINT resumed_as_a_whole CHECK (num_nulls(resume_block, resume_hash, resumed_by) IN (0, 3)),
  ADD CONSTRAINT proved_from_its_base CHECK (num_nulls(base_block, proved_block) IN (0, 2)
    AND (base_block IS NULL OR resume_block IS NOT NULL)
    AND base_block <= block_number AND base_block <= proved_block AND proved_block <= resume_block),
  -- The cursor only goes forward.
  ADD CONSTRAINT resumed_behind_what_is_gone CHECK (resume_block > block_number);

CREATE FUNCTION guard_chain_stop() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  used public.approvals;
  said text[] := ARRAY['resume_block', 'resume_hash', 'resumed_by', 'base_block', 'proved_block', 'version'];
  proved text[] := ARRAY['base_block', 'proved_block'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.version = 1 AND num_nonnulls(NEW.lifted_at, NEW.resumed_by, NEW.base_block) = 0 THEN
      RETURN NEW;
    END IF;
  ELSIF OLD.lifted_at IS NULL AND NEW.resumed_by IS DISTINCT FROM OLD.resumed_by THEN
    used := public.approval_in_use('CHAIN_RESUMPTION',
      concat_ws('/', OLD.environment, OLD.network, OLD.seq), OLD.version);
    IF used.id = NEW.resumed_by AND used.content ->> 'block' = NEW.resume_block::text
       AND used.content ->> 'hash' = NEW.resume_hash AND NEW.base_block IS NULL
       AND NEW.version = OLD.version + 1 AND to_jsonb(NEW) - said = to_jsonb(OLD) - said THEN
      RETURN NEW;
    END IF;
  ELSIF OLD.lifted_at IS NULL AND NEW.lifted_at IS NULL THEN
    IF OLD.resumed_by IS NOT NULL AND to_jsonb(NEW) - proved = to_jsonb(OLD) - proved
       AND (OLD.base_block IS NULL OR NEW.base_block = OLD.base_block AND NEW.proved_block > OLD.proved_block) THEN
      RETURN NEW;
    END IF;
  ELSIF OLD.lifted_at IS NULL THEN
    IF OLD.proved_block = OLD.resume_block AND to_jsonb(NEW) - 'lifted_at' = to_jsonb(OLD) - 'lifted_at'
       AND EXISTS (SELECT FROM public.chain_cursors c
         WHERE (c.environment, c.network, c.kind, c.block_number, c.block_hash)
           = (OLD.environment, OLD.network, 'FINAL', OLD.resume_block, OLD.resume_hash)) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'stop of %: two operators lift it, and all is proved again before', NEW.network
    USING ERRCODE = 'check_violation', CONSTRAINT = 'resumption_takes_two_operators';
END $$;
CREATE TRIGGER guard_chain_stop BEFORE INSERT OR UPDATE ON chain_stops
  FOR EACH ROW EXECUTE FUNCTION guard_chain_stop();
GRANT UPDATE (base_block, proved_block, lifted_at) ON chain_stops TO causeway_system;

-- By the approval that this transaction uses.
CREATE FUNCTION resume_chain(in_environment text, in_network text, in_seq bigint, in_block bigint, in_hash text,
  in_approval text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE chain_stops SET resume_block = in_block, resume_hash = in_hash, resumed_by = in_approval,
    base_block = NULL, proved_block = NULL, version = version + 1
  WHERE (environment, network, seq) = (in_environment, in_network, in_seq) AND lifted_at IS NULL;
  RETURN FOUND;
END $$;
CREATE POLICY operators_say ON chain_stops TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (resume_block, resume_hash, resumed_by, base_block, proved_block, version) ON chain_stops
  TO causeway_console;
GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION resume_chain(text, text, bigint, bigint, text, text) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION resume_chain(text, text, bigint, bigint, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION resume_chain(text, text, bigint, bigint, text, text) TO causeway_dashboard;

ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('CHAIN_RESUMPTION', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

-- Whether what was final in a block is proved again: behind the base of a stop that is being lifted, up to the block
-- that was gone.
CREATE FUNCTION is_proved_again(in_environment text, in_network text, in_block bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM public.chain_stops s
    WHERE (s.environment, s.network) = (in_environment, in_network) AND s.lifted_at IS NULL
      AND in_block > s.base_block AND in_block <= s.resume_block)
$$;

-- What left our addresses in blocks that are gone is read again as well.
DROP TRIGGER swept_tokens_stay ON swept_tokens;
CREATE TRIGGER swept_tokens_stay BEFORE UPDATE ON swept_tokens
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE FUNCTION guard_swept_tokens() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF is_proved_again(OLD.environment, OLD.network, OLD.block_number) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'what left % in a final block stays', OLD.address USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_swept_tokens BEFORE DELETE ON swept_tokens
  FOR EACH ROW EXECUTE FUNCTION guard_swept_tokens();
GRANT DELETE ON swept_tokens TO causeway_system;

-- A deposit that is final again was owed its payment before.
CREATE OR REPLACE FUNCTION owe_onward_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_onward (deposit_id, customer_id, environment, created_at, updated_at)
  SELECT NEW.id, NEW.customer_id, NEW.environment, NEW.updated_at, NEW.updated_at
  FROM deposit_addresses a
  WHERE a.id = NEW.deposit_address_id AND num_nonnulls(a.bank_account_id, a.wallet_id) = 1
  ON CONFLICT (deposit_id) DO NOTHING;
  RETURN NULL;
END $$;

-- As before; and what is final is taken back, or moves with its block, only while its network is resumed.
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
       OR (OLD.status, NEW.status) = ('FINAL', 'FINAL')
         AND is_proved_again(OLD.environment, OLD.network, OLD.block_number)
         AND is_proved_again(NEW.environment, NEW.network, NEW.block_number)
         AND to_jsonb(NEW) - mined - ARRAY['version', 'updated_at']
           = to_jsonb(OLD) - mined - ARRAY['version', 'updated_at']
       OR to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
         AND (NEW.status <> 'CREDITED' OR coalesce(NEW.review, 'RELEASED') = 'RELEASED')
         AND ((OLD.status, NEW.status) IN (('SEEN', 'CREDITED'), ('SEEN', 'BLOCKED'), ('SEEN', 'ORPHANED'),
             ('CREDITED', 'FINAL'), ('CREDITED', 'ORPHANED'), ('BLOCKED', 'ORPHANED'),
             ('CREDITED', 'CREDITED'), ('FINAL', 'FINAL'))
           OR (OLD.status, NEW.status) = ('FINAL', 'ORPHANED')
             AND is_proved_again(OLD.environment, OLD.network, OLD.block_number))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it does not become this', coalesce(NEW.id, OLD.id)
    USING ERRCODE = 'check_violation';
END $$;
