-- Transfers below the floor of their asset: they are counted, and become deposits only where enough of them come.

-- The transfers that are alike are one row: providers may differ about the place of a log, not about what it moves.
CREATE TABLE dust_transfers (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  tx_hash text NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  asset text NOT NULL CHECK (asset IN ('EURC', 'USDC', 'USDT')),
  -- In the mixed case of EIP-55.
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Of each of them.
  amount bigint NOT NULL CHECK (amount > 0),
  transfers integer NOT NULL CHECK (transfers > 0),
  -- Deposits that are such transfers, but those that are ORPHANED.
  deposits integer NOT NULL DEFAULT 0 CHECK (deposits >= 0),
  -- Transfers that are no deposits.
  open integer NOT NULL GENERATED ALWAYS AS (greatest(transfers - deposits, 0)) STORED,
  block_number bigint NOT NULL CHECK (block_number >= 0),
  found_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, tx_hash, asset, to_address, amount)
);
COMMENT ON TABLE dust_transfers IS
  'The transfers of one amount of tokens by one transaction to a deposit address, below the floor of the asset, as a '
  'final block shows them. A row is deleted only to be read again, after the network went back behind that block.';
CREATE INDEX dust_transfers_largest ON dust_transfers (environment, network, to_address, asset, amount DESC, tx_hash)
  WHERE open > 0;
CREATE INDEX dust_transfers_by_block ON dust_transfers (environment, network, block_number);
ALTER TABLE dust_transfers ENABLE ROW LEVEL SECURITY;
ALTER TABLE dust_transfers FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON dust_transfers TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE, UPDATE (transfers, deposits) ON dust_transfers TO causeway_system;

CREATE TABLE dust_sums (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  asset text NOT NULL CHECK (asset IN ('EURC', 'USDC', 'USDT')),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Of the transfers that are no deposits.
  amount numeric NOT NULL CHECK (amount >= 0),
  transfers bigint NOT NULL CHECK (transfers >= 0),
  -- None becomes a deposit before.
  next_at timestamptz NOT NULL,
  -- The approval by which the largest become deposits although they do not reach the floor.
  asked_by text,
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (environment, network, address, asset)
);
COMMENT ON TABLE dust_sums IS
  'What the transfers below the floor of one asset come to at one deposit address. No role may delete it.';
CREATE INDEX dust_sums_by_amount ON dust_sums (environment, network, asset, amount);
CREATE INDEX dust_sums_asked ON dust_sums (environment, network) WHERE asked_by IS NOT NULL;
ALTER TABLE dust_sums ENABLE ROW LEVEL SECURITY;
ALTER TABLE dust_sums FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON dust_sums TO causeway_system USING (true) WITH CHECK (true);
CREATE POLICY operators_ask ON dust_sums TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (amount, transfers, next_at, asked_by) ON dust_sums TO causeway_system;
GRANT SELECT, UPDATE (next_at, asked_by, version) ON dust_sums TO causeway_console;

ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('DUST_DEPOSITS', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

CREATE FUNCTION guard_asked_dust() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  used public.approvals := public.approval_in_use('DUST_DEPOSITS',
    concat_ws('/', OLD.environment, OLD.network, OLD.asset, OLD.address), OLD.version);
BEGIN
  IF used.id = NEW.asked_by AND NEW.version = OLD.version + 1 THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'what lies at % below the floor: two operators make deposits of it', NEW.address
    USING ERRCODE = 'check_violation', CONSTRAINT = 'dust_deposits_take_two_operators';
END $$;
CREATE TRIGGER guard_asked_dust BEFORE UPDATE OF asked_by, version ON dust_sums FOR EACH ROW
  WHEN (NEW.version <> OLD.version OR NEW.asked_by IS NOT NULL AND NEW.asked_by IS DISTINCT FROM OLD.asked_by)
  EXECUTE FUNCTION guard_asked_dust();

-- By the approval that this transaction uses, as resume_chain. It is the turn of the address now.
CREATE FUNCTION ask_for_dust(in_environment text, in_network text, in_asset text, in_address text, in_approval text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE dust_sums SET asked_by = in_approval, version = version + 1, next_at = 'epoch'
  WHERE (environment, network, asset, address) = (in_environment, in_network, in_asset, in_address)
    AND transfers > 0;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION ask_for_dust FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ask_for_dust TO causeway_dashboard, causeway_console;

-- What came stays what came, and what is in a block that is gone is read again.
CREATE FUNCTION guard_dust_transfer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  counts text[] := ARRAY['transfers', 'deposits', 'open'];
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.transfers >= OLD.transfers AND to_jsonb(NEW) - counts = to_jsonb(OLD) - counts THEN
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
  SELECT environment, network, asset, to_address, sum(amount * open), sum(open), max(found_at)
  FROM added WHERE open > 0
  GROUP BY environment, network, asset, to_address ORDER BY environment, network, asset, to_address
  ON CONFLICT (environment, network, address, asset) DO UPDATE
    SET amount = s.amount + excluded.amount, transfers = s.transfers + excluded.transfers;
  RETURN NULL;
END $$;
CREATE TRIGGER sum_dust AFTER INSERT ON dust_transfers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION sum_dust();

CREATE FUNCTION sum_changed_dust() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  more bigint := CASE TG_OP WHEN 'UPDATE' THEN NEW.open ELSE 0 END - OLD.open;
BEGIN
  INSERT INTO dust_sums AS s (environment, network, asset, address, amount, transfers, next_at)
  VALUES (OLD.environment, OLD.network, OLD.asset, OLD.to_address, greatest(OLD.amount * more, 0),
    greatest(more, 0), OLD.found_at)
  ON CONFLICT (environment, network, address, asset) DO UPDATE
    SET amount = s.amount + OLD.amount * more, transfers = s.transfers + more;
  RETURN NULL;
END $$;
CREATE TRIGGER sum_changed_dust AFTER UPDATE ON dust_transfers FOR EACH ROW
  WHEN (OLD.open <> NEW.open) EXECUTE FUNCTION sum_changed_dust();
CREATE TRIGGER sum_lost_dust AFTER DELETE ON dust_transfers FOR EACH ROW
  WHEN (OLD.open > 0) EXECUTE FUNCTION sum_changed_dust();

-- A transfer is counted or a deposit, whichever release stores it and whatever the floor was. Who counts transfers of a
-- network takes the same lock for itself first, so that neither misses what the other stores.
CREATE FUNCTION count_dust_deposits() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('dust:' || environment || ':' || network, 0))
  FROM (SELECT DISTINCT environment, network FROM added) AS places;
  UPDATE dust_transfers d SET deposits = d.deposits + a.times
  FROM (SELECT environment, network, tx_hash, asset, to_address, amount, count(*)::integer AS times FROM added
    WHERE status <> 'ORPHANED' GROUP BY environment, network, tx_hash, asset, to_address, amount) AS a
  WHERE (d.environment, d.network, d.tx_hash, d.asset, d.to_address, d.amount)
    = (a.environment, a.network, a.tx_hash, a.asset, a.to_address, a.amount);
  RETURN NULL;
END $$;
CREATE TRIGGER count_dust_deposits AFTER INSERT ON deposits REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_dust_deposits();

CREATE FUNCTION count_orphaned_dust() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('dust:' || NEW.environment || ':' || NEW.network, 0));
  UPDATE dust_transfers SET deposits = greatest(deposits + CASE NEW.status WHEN 'ORPHANED' THEN -1 ELSE 1 END, 0)
  WHERE (environment, network, tx_hash, asset, to_address, amount)
    = (NEW.environment, NEW.network, NEW.tx_hash, NEW.asset, NEW.to_address, NEW.amount);
  RETURN NULL;
END $$;
CREATE TRIGGER count_orphaned_dust AFTER UPDATE OF status ON deposits FOR EACH ROW
  WHEN ((OLD.status = 'ORPHANED') <> (NEW.status = 'ORPHANED')) EXECUTE FUNCTION count_orphaned_dust();

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION count_dust_deposits OWNER TO causeway_system_definer;
ALTER FUNCTION count_orphaned_dust OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION ask_for_dust OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
