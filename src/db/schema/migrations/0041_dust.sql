-- Transfers below the floor of their asset: they are counted, and become deposits only where enough of them come.

CREATE TABLE dust_transfers (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  tx_hash text NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- The log's place within its final block.
  log_index bigint NOT NULL CHECK (log_index >= 0),
  asset text NOT NULL CHECK (asset IN ('EURC', 'USDC', 'USDT')),
  -- In the mixed case of EIP-55.
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount bigint NOT NULL CHECK (amount > 0),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  -- It is a deposit since.
  taken_at timestamptz,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, tx_hash, log_index)
);
COMMENT ON TABLE dust_transfers IS
  'One transfer of tokens to a deposit address that is below the floor of its asset, as a final block shows it. It is '
  'deleted only to be read again, after the network went back behind that block.';
CREATE INDEX dust_transfers_of_address ON dust_transfers (environment, network, to_address);
ALTER TABLE dust_transfers ENABLE ROW LEVEL SECURITY;
ALTER TABLE dust_transfers FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON dust_transfers TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE, UPDATE (taken_at) ON dust_transfers TO causeway_system;

CREATE TABLE dust_sums (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  asset text NOT NULL CHECK (asset IN ('EURC', 'USDC', 'USDT')),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Of the transfers that are no deposits yet.
  amount numeric NOT NULL CHECK (amount >= 0),
  transfers bigint NOT NULL CHECK (transfers >= 0),
  -- None becomes a deposit before.
  next_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, asset, address)
);
COMMENT ON TABLE dust_sums IS
  'What the transfers below the floor of one asset come to at one deposit address. No role may delete it.';
CREATE INDEX dust_sums_by_amount ON dust_sums (environment, network, asset, amount);
ALTER TABLE dust_sums ENABLE ROW LEVEL SECURITY;
ALTER TABLE dust_sums FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON dust_sums TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (amount, transfers, next_at) ON dust_sums TO causeway_system;

-- What came stays what came: it becomes a deposit once, and what is in a block that is gone is read again.
CREATE FUNCTION guard_dust_transfer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.taken_at IS NULL AND NEW.taken_at IS NOT NULL
     AND to_jsonb(NEW) - 'taken_at' = to_jsonb(OLD) - 'taken_at' THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND is_proved_again(OLD.environment, OLD.network, OLD.block_number) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'what came to % in a final block stays', OLD.to_address USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_dust_transfer BEFORE UPDATE OR DELETE ON dust_transfers
  FOR EACH ROW EXECUTE FUNCTION guard_dust_transfer();

-- The sum of an address is that of its transfers, whoever writes them.
CREATE FUNCTION sum_dust() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO dust_sums AS s (environment, network, asset, address, amount, transfers, next_at)
  SELECT environment, network, asset, to_address, sum(amount), count(*), max(found_at)
  FROM added GROUP BY environment, network, asset, to_address ORDER BY environment, network, asset, to_address
  ON CONFLICT (environment, network, asset, address) DO UPDATE
    SET amount = s.amount + excluded.amount, transfers = s.transfers + excluded.transfers;
  RETURN NULL;
END $$;
CREATE TRIGGER sum_dust AFTER INSERT ON dust_transfers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_dust();

CREATE FUNCTION subtract_dust() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE dust_sums s SET amount = s.amount - OLD.amount, transfers = s.transfers - 1
  WHERE (s.environment, s.network, s.asset, s.address) = (OLD.environment, OLD.network, OLD.asset, OLD.to_address);
  RETURN NULL;
END $$;
CREATE TRIGGER subtract_taken_dust AFTER UPDATE ON dust_transfers
  FOR EACH ROW EXECUTE FUNCTION subtract_dust();
CREATE TRIGGER subtract_lost_dust AFTER DELETE ON dust_transfers FOR EACH ROW WHEN (OLD.taken_at IS NULL)
  EXECUTE FUNCTION subtract_dust();
