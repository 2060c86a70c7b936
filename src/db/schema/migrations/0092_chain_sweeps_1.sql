-- What lies at addresses of deposits is swept to the treasury: a lane signs a call of the factory for up to 50 of
-- them. The books know nothing of it, for the money stays ours.

-- Addresses at which deposits lie for good and may not have been swept: one row an asset, as long as that is so.
CREATE TABLE chain_unswept (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL,
  asset text NOT NULL,
  -- In the mixed case of EIP-55.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- The payment's or the standing address's: the address follows from it.
  owner_id text NOT NULL,
  -- Counts the deposits: what was read of the address before the last one says nothing of it.
  version integer NOT NULL DEFAULT 1,
  -- Of the last of them: what a block before it says is not all.
  block_number bigint NOT NULL,
  -- Not looked at before.
  next_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, asset, address)
);
CREATE INDEX chain_unswept_due ON chain_unswept (environment, network, next_at);

CREATE FUNCTION list_unswept() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO public.chain_unswept AS u (environment, network, asset, address, owner_id, block_number, next_at)
  VALUES (NEW.environment, NEW.network, NEW.asset, NEW.to_address,
    coalesce(NEW.payment_id, NEW.deposit_address_id), NEW.block_number, NEW.updated_at)
  ON CONFLICT (environment, network, asset, address)
    DO UPDATE SET version = u.version + 1, next_at = excluded.next_at,
      block_number = greatest(u.block_number, excluded.block_number);
  RETURN NULL;
END $$;
CREATE TRIGGER list_unswept AFTER UPDATE ON deposits
  FOR EACH ROW WHEN (NEW.status = 'FINAL' AND OLD.status <> 'FINAL') EXECUTE FUNCTION list_unswept();

-- When the next round of sweeps on a network may begin.
CREATE TABLE chain_sweep_rounds (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network)
);

-- A sweep is what its nonce carries. One that is over without having moved anything is planned anew, as another.
CREATE TABLE chain_sweeps (
  environment text NOT NULL,
  network text NOT NULL,
  -- Of the lane.
  address text NOT NULL,
  nonce bigint NOT NULL,
  asset text NOT NULL,
  -- The asset's contract.
  token text NOT NULL CHECK (token ~ '^0x[0-9a-fA-F]{40}$'),
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'FINAL', 'REJECTED')),
  -- What the transaction that was mined cost, in wei.
  fee numeric(78) CHECK (fee >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce),
  FOREIGN KEY (environment, network, address, nonce) REFERENCES chain_nonces
);
CREATE INDEX chain_sweeps_open ON chain_sweeps (environment, network, address) WHERE state = 'OPEN';

CREATE TABLE chain_sweep_addresses (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  token text NOT NULL,
  -- The address that is emptied, in the mixed case of EIP-55, and the salt that it follows from.
  swept_address text NOT NULL CHECK (swept_address ~ '^0x[0-9a-fA-F]{40}$'),
  salt text NOT NULL CHECK (salt ~ '^0x[0-9a-f]{64}$'),
  -- Minor units that lay there at the final block when it was planned.
  amount numeric(78) NOT NULL CHECK (amount > 0),
  is_open boolean NOT NULL DEFAULT true,
  PRIMARY KEY (environment, network, address, nonce, swept_address),
  FOREIGN KEY (environment, network, address, nonce) REFERENCES chain_sweeps
);
CREATE UNIQUE INDEX one_open_sweep_an_address ON chain_sweep_addresses (environment, network, token, swept_address)
  WHERE is_open;

-- Payments keep 12 of a lane's 16 nonces. The lane is locked by whoever takes a nonce, so the count holds.
CREATE FUNCTION guard_chain_sweep() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'OPEN' OR NEW.fee IS NOT NULL OR NOT EXISTS (SELECT FROM chain_nonces n
        WHERE (n.environment, n.network, n.address, n.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce)
          AND n.state = 'OPEN' AND n.reference IS NULL AND n.mark IS NULL)
      OR (SELECT count(*) FROM chain_sweeps s WHERE (s.environment, s.network, s.address)
        = (NEW.environment, NEW.network, NEW.address) AND s.state = 'OPEN') >= 4 THEN
      RAISE EXCEPTION 'sweep % of %: its nonce carries something else, or four are under way',
        NEW.nonce, NEW.address USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.state <> 'OPEN' OR NOT EXISTS (SELECT FROM chain_nonces n
      WHERE (n.environment, n.network, n.address, n.nonce, n.state)
        = (OLD.environment, OLD.network, OLD.address, OLD.nonce, NEW.state))
    OR to_jsonb(NEW) - ARRAY['state', 'fee', 'updated_at']
      <> to_jsonb(OLD) - ARRAY['state', 'fee', 'updated_at'] THEN
    RAISE EXCEPTION 'sweep % of %: it ends as its nonce does', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_sweep BEFORE INSERT OR UPDATE ON chain_sweeps
  FOR EACH ROW EXECUTE FUNCTION guard_chain_sweep();

-- An address is open exactly as long as its sweep is.
CREATE FUNCTION guard_sweep_address() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  sweep chain_sweeps;
BEGIN
  SELECT * INTO sweep FROM chain_sweeps s WHERE (s.environment, s.network, s.address, s.nonce)
    = (NEW.environment, NEW.network, NEW.address, NEW.nonce);
  IF NEW.token <> sweep.token OR NEW.is_open <> (sweep.state = 'OPEN')
    OR (TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'is_open' <> to_jsonb(OLD) - 'is_open') THEN
    RAISE EXCEPTION 'sweep % of %: its addresses do not change', NEW.nonce, NEW.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_sweep_address BEFORE INSERT OR UPDATE ON chain_sweep_addresses
  FOR EACH ROW EXECUTE FUNCTION guard_sweep_address();

CREATE FUNCTION end_chain_sweep() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE chain_sweeps s SET state = NEW.state, fee = NEW.fee, updated_at = NEW.updated_at
  WHERE (s.environment, s.network, s.address, s.nonce)
    = (NEW.environment, NEW.network, NEW.address, NEW.nonce);
  UPDATE chain_sweep_addresses a SET is_open = false
  WHERE (a.environment, a.network, a.address, a.nonce)
    = (NEW.environment, NEW.network, NEW.address, NEW.nonce);
  RETURN NULL;
END $$;
CREATE TRIGGER end_chain_sweep AFTER UPDATE ON chain_nonces
  FOR EACH ROW WHEN (NEW.state IN ('FINAL', 'REJECTED') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION end_chain_sweep();

-- A sweep is neither a transfer nor becomes one; what was found on the chain may have lost its row.
ALTER TABLE chain_transactions DROP CONSTRAINT chain_transactions_kind_check;
ALTER TABLE chain_transactions ADD CONSTRAINT chain_transactions_kind_check
  CHECK (kind IN ('TRANSFER', 'SWEEP', 'VOID')) NOT VALID;
CREATE OR REPLACE FUNCTION guard_chain_transaction() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
    IF NEW.kind <> 'VOID' AND (NEW.kind = 'SWEEP') <> EXISTS (SELECT FROM chain_sweeps s
        WHERE (s.environment, s.network, s.address, s.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce)) THEN
      RAISE EXCEPTION 'nonce % of %: it carries something else', NEW.nonce, NEW.address
        USING ERRCODE = 'check_violation';
    END IF;
    SELECT * INTO before FROM chain_transactions t
    WHERE (t.environment, t.network, t.address, t.nonce, t.number)
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.number - 1);
    IF NEW.number > 0 AND (before IS NULL OR (before.kind = 'VOID' AND NEW.kind <> 'VOID')
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

-- Whether the address had enough of the network's coin when that was looked at last.
ALTER TABLE chain_lanes
  ADD COLUMN gas_looked_at timestamptz,
  ADD COLUMN is_low_on_gas boolean NOT NULL DEFAULT false;

CREATE TRIGGER chain_sweeps_stay BEFORE DELETE ON chain_sweeps
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_sweep_addresses_stay BEFORE DELETE ON chain_sweep_addresses
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

DO $$
DECLARE
  target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['chain_unswept', 'chain_sweep_rounds', 'chain_sweeps', 'chain_sweep_addresses'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY chain_is_seen ON %I FOR SELECT TO causeway_system USING (true)', target);
    EXECUTE format('CREATE POLICY the_signer_writes ON %I TO causeway_chain USING (true) WITH CHECK (true)',
      target);
    EXECUTE format('GRANT SELECT ON %I TO causeway_system, causeway_chain', target);
  END LOOP;
END $$;
-- Rows come from deposits alone.
CREATE POLICY deposits_list ON chain_unswept TO causeway_system_definer USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (version, block_number, next_at) ON chain_unswept
  TO causeway_system_definer;
GRANT UPDATE (next_at), DELETE ON chain_unswept TO causeway_chain;
GRANT INSERT, UPDATE (next_at) ON chain_sweep_rounds TO causeway_chain;
GRANT INSERT, UPDATE (state, fee, updated_at) ON chain_sweeps TO causeway_chain;
GRANT INSERT, UPDATE (is_open) ON chain_sweep_addresses TO causeway_chain;

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION list_unswept() OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
REVOKE ALL ON FUNCTION list_unswept() FROM PUBLIC;
