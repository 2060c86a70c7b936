-- What a payment waits for that a deposit over a network pays for. Its hold is made by the deposits: until they are
-- all there it holds nothing.
CREATE TABLE payment_fundings (
  payment_id text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  asset text NOT NULL CHECK (asset IN ('EURC', 'USDC', 'USDT')),
  -- In the mixed case of EIP-55; this payment's alone.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- Source amount and fees, in minor units.
  amount_due bigint NOT NULL CHECK (amount_due > 0),
  -- A deposit is in time whose block is not younger.
  expires_at timestamptz NOT NULL,
  refund_wallet_id text,
  status text NOT NULL DEFAULT 'AWAITED' CHECK (status IN ('AWAITED', 'HELD', 'CLOSED')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, payment_id),
  UNIQUE (environment, address),
  -- The payment's row may follow later in the transaction.
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (customer_id, environment, refund_wallet_id)
    REFERENCES wallets (customer_id, environment, id)
);
CREATE INDEX payment_fundings_awaited ON payment_fundings (environment, network, expires_at)
  WHERE status = 'AWAITED';
CALL secure_scoped_table('payment_fundings');
GRANT INSERT, UPDATE (status, updated_at) ON payment_fundings TO causeway_app;

CREATE FUNCTION guard_payment_funding() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'updated_at'];
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND (OLD.status, NEW.status) IN (('AWAITED', 'HELD'), ('HELD', 'AWAITED'), ('AWAITED', 'CLOSED')) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' AND NEW.status = 'AWAITED' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: what it waits for does not change', coalesce(NEW.payment_id, OLD.payment_id)
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_payment_funding BEFORE INSERT OR UPDATE OR DELETE ON payment_fundings
  FOR EACH ROW EXECUTE FUNCTION guard_payment_funding();

-- Standing addresses: what comes in is paid to the account or the wallet, or stays in the balance.
CREATE TABLE deposit_addresses (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  end_user_id text,
  bank_account_id text,
  wallet_id text,
  -- In minor units of whatever asset comes: they all have six decimals.
  min_amount bigint NOT NULL CHECK (min_amount >= 0),
  -- The same on all networks.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (environment, address),
  CONSTRAINT one_destination_at_most CHECK (num_nonnulls(bank_account_id, wallet_id) <= 1),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, bank_account_id)
    REFERENCES bank_accounts (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, wallet_id)
    REFERENCES wallets (customer_id, environment, id)
);
CREATE INDEX deposit_addresses_newest_first ON deposit_addresses (customer_id, environment, seq DESC);
CALL secure_scoped_table('deposit_addresses');
GRANT INSERT, UPDATE (status, version, updated_at) ON deposit_addresses TO causeway_app;

CREATE FUNCTION guard_deposit_address() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'version', 'updated_at'];
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND NEW.version = OLD.version + 1 AND (OLD.status, NEW.status) = ('ACTIVE', 'DISABLED') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit address % is only disabled, and once', OLD.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_deposit_address BEFORE UPDATE OR DELETE ON deposit_addresses
  FOR EACH ROW EXECUTE FUNCTION guard_deposit_address();

-- Tokens that came to an address of ours. One row a Transfer event, told by its transaction and its place in the
-- receipt: a block that is gone takes neither away, and the same event mined again is the same deposit.
CREATE TABLE deposits (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  tx_hash text NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  ordinal integer NOT NULL CHECK (ordinal >= 0),
  asset text NOT NULL CHECK (asset IN ('EURC', 'USDC', 'USDT')),
  from_address text NOT NULL CHECK (from_address ~ '^0x[0-9a-fA-F]{40}$'),
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  amount bigint NOT NULL CHECK (amount > 0),
  -- The payment that waits at this address, or the standing address.
  payment_id text,
  deposit_address_id text,
  -- The block that holds it, or held it last.
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  block_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'SEEN'
    CHECK (status IN ('SEEN', 'CREDITED', 'FINAL', 'ORPHANED', 'BLOCKED')),
  applied_to text CHECK (applied_to IN ('PAYMENT', 'BALANCE', 'SUSPENSE')),
  reason text CHECK (reason IN ('LATE', 'SURPLUS', 'UNDERPAID', 'WRONG_ASSET', 'WRONG_NETWORK', 'BELOW_MINIMUM')),
  to_payment bigint NOT NULL DEFAULT 0,
  -- Of the ledger's movements that come next.
  round integer NOT NULL DEFAULT 1 CHECK (round > 0),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT one_owner CHECK (num_nulls(payment_id, deposit_address_id) = 1),
  CONSTRAINT in_the_books_it_is_somewhere CHECK ((applied_to IS NULL) = (status IN ('SEEN', 'ORPHANED'))),
  CONSTRAINT blocked_is_in_suspense CHECK ((status = 'BLOCKED') = (applied_to IS NOT DISTINCT FROM 'SUSPENSE')),
  CHECK (reason IS NULL OR applied_to = 'BALANCE' OR applied_to = 'PAYMENT' AND reason = 'SURPLUS'),
  CONSTRAINT no_more_than_came CHECK (to_payment BETWEEN 0 AND amount
    AND (to_payment > 0) = (applied_to IS NOT DISTINCT FROM 'PAYMENT')),
  CONSTRAINT only_payments_are_paid CHECK (to_payment = 0 OR payment_id IS NOT NULL),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payment_fundings (customer_id, environment, payment_id),
  FOREIGN KEY (customer_id, environment, deposit_address_id)
    REFERENCES deposit_addresses (customer_id, environment, id),
  -- A transaction that is mined again may do something else than before: then this one stays orphaned.
  CONSTRAINT one_row_an_event
    UNIQUE (environment, network, tx_hash, ordinal, asset, from_address, to_address, amount)
);
CREATE UNIQUE INDEX one_event_a_place ON deposits (environment, network, tx_hash, ordinal)
  WHERE status <> 'ORPHANED';
CREATE INDEX deposits_newest_first ON deposits (customer_id, environment, seq DESC);
CREATE INDEX deposits_of_payment ON deposits (payment_id, seq) WHERE payment_id IS NOT NULL;
CREATE INDEX deposits_of_address ON deposits (deposit_address_id, seq) WHERE deposit_address_id IS NOT NULL;
CREATE INDEX deposits_unfinished ON deposits (environment, network, block_number)
  WHERE status IN ('SEEN', 'CREDITED', 'BLOCKED');
CALL secure_scoped_table('deposits');
GRANT INSERT, UPDATE (block_number, block_hash, block_at, status, applied_to, reason, to_payment, round,
  version, updated_at) ON deposits TO causeway_app;

-- What came stays what came. Its block changes only when it is mined again; a round follows the one before.
CREATE FUNCTION guard_deposit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'applied_to', 'reason', 'to_payment', 'round', 'version', 'updated_at'];
  mined text[] := ARRAY['block_number', 'block_hash', 'block_at'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.status = 'SEEN' AND NEW.round = 1 AND NEW.version = 1
     AND (EXISTS (SELECT FROM payment_fundings f WHERE f.payment_id = NEW.payment_id
            AND f.address = NEW.to_address)
       OR EXISTS (SELECT FROM deposit_addresses a WHERE a.id = NEW.deposit_address_id
            AND a.address = NEW.to_address)) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.version = OLD.version + 1 AND NEW.round - OLD.round IN (0, 1)
     AND (OLD.status = 'ORPHANED' AND NEW.status = 'SEEN'
         AND to_jsonb(NEW) - moved - mined = to_jsonb(OLD) - moved - mined
       OR to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
         AND (OLD.status, NEW.status) IN (('SEEN', 'CREDITED'), ('SEEN', 'BLOCKED'), ('SEEN', 'ORPHANED'),
           ('CREDITED', 'FINAL'), ('CREDITED', 'ORPHANED'), ('BLOCKED', 'ORPHANED'),
           ('CREDITED', 'CREDITED'), ('FINAL', 'FINAL'))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it does not become this', coalesce(NEW.id, OLD.id)
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_deposit BEFORE INSERT OR UPDATE OR DELETE ON deposits
  FOR EACH ROW EXECUTE FUNCTION guard_deposit();

-- Every version that a deposit ever had, whoever wrote it.
CREATE TABLE deposit_history (
  deposit_id text NOT NULL,
  version integer NOT NULL,
  customer_id text NOT NULL,
  environment text NOT NULL,
  status text NOT NULL,
  applied_to text,
  reason text,
  to_payment bigint NOT NULL,
  round integer NOT NULL,
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (deposit_id, version),
  FOREIGN KEY (customer_id, environment, deposit_id) REFERENCES deposits (customer_id, environment, id)
);
CALL secure_scoped_table('deposit_history');
GRANT INSERT ON deposit_history TO causeway_app;
CREATE TRIGGER deposit_history_is_append_only BEFORE UPDATE OR DELETE ON deposit_history
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE FUNCTION keep_deposit_version() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_history VALUES (NEW.id, NEW.version, NEW.customer_id, NEW.environment, NEW.status,
    NEW.applied_to, NEW.reason, NEW.to_payment, NEW.round, NEW.block_number, NEW.block_hash, NEW.updated_at);
  RETURN NULL;
END $$;
CREATE TRIGGER keep_deposit_version AFTER INSERT OR UPDATE ON deposits
  FOR EACH ROW EXECUTE FUNCTION keep_deposit_version();

-- A payment takes what is due and no more, and waits exactly while something is missing.
CREATE FUNCTION check_funding_received() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM payment_fundings f CROSS JOIN LATERAL (
      SELECT coalesce(sum(d.to_payment), 0) AS minor FROM deposits d WHERE d.payment_id = f.payment_id
    ) AS received
    WHERE f.payment_id = NEW.payment_id AND (received.minor > f.amount_due
      OR f.status = 'AWAITED' AND received.minor = f.amount_due
      OR f.status = 'CLOSED' AND received.minor > 0)) THEN
    RAISE EXCEPTION 'payment %: its deposits are not what is due', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER funding_received AFTER UPDATE ON payment_fundings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_funding_received();
CREATE CONSTRAINT TRIGGER deposits_of_funding AFTER UPDATE ON deposits
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.payment_id IS NOT NULL)
  EXECUTE FUNCTION check_funding_received();
