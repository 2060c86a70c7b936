-- How far a chain has been read for deposits. HEAD: up to the newest block; it goes back where the chain does. FINAL:
-- up to where no reorganisation goes; it only goes on.
CREATE TABLE chain_cursors (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  kind text NOT NULL CHECK (kind IN ('HEAD', 'FINAL')),
  -- The last block that was read.
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  block_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, kind)
);

CREATE FUNCTION guard_chain_cursor() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['block_number', 'block_hash', 'block_at', 'version', 'updated_at'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.version = 1 THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved AND NEW.version = OLD.version + 1
     AND (NEW.kind = 'HEAD' OR NEW.block_number > OLD.block_number AND NEW.block_at >= OLD.block_at) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'cursor % of %: it does not move there', OLD.kind, OLD.network
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_chain_cursor BEFORE INSERT OR UPDATE OR DELETE ON chain_cursors
  FOR EACH ROW EXECUTE FUNCTION guard_chain_cursor();

-- A network that went back behind a block that was final: nothing goes over it until operators have looked.
CREATE TABLE chain_stops (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  -- The block that was final.
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  stopped_at timestamptz NOT NULL,
  lifted_at timestamptz,
  CHECK (lifted_at >= stopped_at)
);
CREATE UNIQUE INDEX one_stop_a_chain ON chain_stops (environment, network) WHERE lifted_at IS NULL;
CREATE TRIGGER chain_stops_stay BEFORE DELETE ON chain_stops
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What left an address that deposits come to, as final blocks show it: with the deposits it says what must be there.
CREATE TABLE swept_tokens (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  tx_hash text NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- The log's place within its own receipt.
  ordinal integer NOT NULL CHECK (ordinal >= 0),
  asset text NOT NULL CHECK (asset IN ('EURC', 'USDC', 'USDT')),
  -- In the mixed case of EIP-55.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  amount bigint NOT NULL CHECK (amount > 0),
  block_number bigint NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, tx_hash, ordinal)
);
CREATE INDEX swept_tokens_of_address ON swept_tokens (environment, network, address);
CREATE TRIGGER swept_tokens_stay BEFORE UPDATE OR DELETE ON swept_tokens
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- When what is at an address was held against the books last, and at which final block that was found right.
CREATE TABLE chain_address_checks (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  right_at_block bigint,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address)
);

DO $$
DECLARE
  target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['chain_cursors', 'chain_stops', 'swept_tokens', 'chain_address_checks'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY system_sees_all ON %I TO causeway_system USING (true) WITH CHECK (true)', target);
    EXECUTE format('GRANT SELECT ON %I TO causeway_system', target);
  END LOOP;
END $$;
GRANT INSERT ON chain_cursors, chain_stops, swept_tokens, chain_address_checks TO causeway_system;
GRANT UPDATE (block_number, block_hash, block_at, version, updated_at) ON chain_cursors TO causeway_system;
GRANT UPDATE (right_at_block, checked_at) ON chain_address_checks TO causeway_system;
-- A scope reads how far its networks are read, and whether they are stopped.
CREATE POLICY every_scope_sees ON chain_cursors FOR SELECT TO causeway_app USING (true);
CREATE POLICY every_scope_sees ON chain_stops FOR SELECT TO causeway_app USING (true);
GRANT SELECT ON chain_cursors, chain_stops TO causeway_app;

-- HELD: what is known of its sender is for an operator to judge, and it is not credited before. RELEASED and REFUSED:
-- what was judged; then it is credited, or blocked.
ALTER TABLE deposits ADD COLUMN review text CHECK (review IN ('HELD', 'RELEASED', 'REFUSED'));
GRANT UPDATE (review) ON deposits TO causeway_app;
CREATE INDEX deposits_held ON deposits (environment, seq) WHERE review = 'HELD';

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
       OR to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
         AND (NEW.status <> 'CREDITED' OR coalesce(NEW.review, 'RELEASED') = 'RELEASED')
         AND (OLD.status, NEW.status) IN (('SEEN', 'CREDITED'), ('SEEN', 'BLOCKED'), ('SEEN', 'ORPHANED'),
           ('CREDITED', 'FINAL'), ('CREDITED', 'ORPHANED'), ('BLOCKED', 'ORPHANED'),
           ('CREDITED', 'CREDITED'), ('FINAL', 'FINAL'))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it does not become this', coalesce(NEW.id, OLD.id)
    USING ERRCODE = 'check_violation';
END $$;
