-- Where tokens are paid to: an address of an end-user, or the customer's own where none is named. The address
-- is plain, for the chain shows it to everybody; what is said of the host of a wallet is sealed.
CREATE TABLE wallets (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  end_user_id text,
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  -- In the mixed case of EIP-55; of an erased end-user what no address is.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$' OR address = 'erased-' || id),
  ownership text NOT NULL CHECK (ownership IN ('SELF_HOSTED', 'HOSTED')),
  -- Sealed: name and country of the host; null for a wallet that its owner keeps.
  vasp bytea,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'ACTIVE', 'REJECTED', 'DISABLED')),
  -- What the message that proves the ownership holds, so that no older signature serves.
  proof_nonce text NOT NULL CHECK (proof_nonce ~ '^[0-9a-f]{32}$'),
  proved_at timestamptz,
  screening_result text CHECK (screening_result IN ('CLEAR', 'REVIEW', 'BLOCKED')),
  screening_list text CHECK (length(screening_list) BETWEEN 1 AND 200),
  -- What was found at the registration lets no money leave.
  screened_for text CHECK (screened_for IN ('REGISTRATION', 'RELEASE')),
  screened_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CHECK ((ownership = 'HOSTED') = (vasp IS NOT NULL)),
  CHECK (ownership = 'SELF_HOSTED' OR proved_at IS NULL),
  CHECK (num_nulls(screening_result, screening_list, screened_for, screened_at) IN (0, 4)),
  -- Nobody is paid at an address that was not looked up, or that is on a list.
  CHECK (status <> 'ACTIVE' OR screening_result IS NOT NULL AND screening_result <> 'BLOCKED'),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id)
);
CREATE INDEX wallets_newest_first ON wallets (customer_id, environment, seq DESC);
CREATE INDEX wallets_of_end_user ON wallets (end_user_id, seq);
-- What was paid to one address within a day is summed over all its wallets.
CREATE INDEX wallets_by_address ON wallets (customer_id, environment, address);
-- One row a wallet: one that was disabled can be given anew.
CREATE UNIQUE INDEX one_wallet_in_use ON wallets
  (customer_id, environment, network, address, coalesce(end_user_id, '')) WHERE status <> 'DISABLED';
CALL secure_scoped_table('wallets');
GRANT INSERT, UPDATE ON wallets TO causeway_app;

-- Where a wallet is and whose never changes; a payment to it could go elsewhere otherwise.
CREATE FUNCTION guard_wallet() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'proved_at', 'version', 'updated_at'];
  screened text[] := ARRAY['screening_result', 'screening_list', 'screened_for', 'screened_at'];
  blanked text[] := ARRAY['address', 'vasp'];
BEGIN
  IF to_jsonb(NEW) - screened = to_jsonb(OLD) - screened THEN
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - moved - screened = to_jsonb(OLD) - moved - screened
     AND NEW.version = OLD.version + 1
     AND (OLD.proved_at IS NULL OR NEW.proved_at = OLD.proved_at)
     AND (NEW.status = OLD.status AND OLD.status <> 'DISABLED'
       OR (OLD.status, NEW.status) IN (('PENDING', 'ACTIVE'), ('PENDING', 'REJECTED'),
         ('PENDING', 'DISABLED'), ('ACTIVE', 'REJECTED'), ('ACTIVE', 'DISABLED'),
         ('REJECTED', 'DISABLED'))) THEN
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - blanked = to_jsonb(OLD) - blanked AND NEW.address = 'erased-' || OLD.id
     AND (NEW.vasp IS NULL AND OLD.vasp IS NULL OR NEW.vasp = '')
     AND EXISTS (SELECT FROM end_user_keys k
                 WHERE k.wrapped_key IS NULL AND k.end_user_id = OLD.end_user_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'wallet %: only its status, proof and screening change, a version each', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_wallet BEFORE UPDATE ON wallets
  FOR EACH ROW EXECUTE FUNCTION guard_wallet();

-- In live nobody registers a wallet of the customer's own with a key alone: who has stolen the key would
-- withdraw everything to it.
CREATE FUNCTION refuse_own_live_wallet() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.end_user_id IS NULL OR EXISTS (SELECT FROM end_users e
      WHERE e.id = NEW.end_user_id AND e.relationship = 'SELF') THEN
    RAISE EXCEPTION 'wallet %: a customer''s own wallet in live is not made with a key', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER own_wallet_is_not_live BEFORE INSERT ON wallets FOR EACH ROW
  WHEN (NEW.environment = 'live') EXECUTE FUNCTION refuse_own_live_wallet();
