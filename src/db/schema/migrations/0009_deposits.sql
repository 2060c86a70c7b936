-- Tokens that come in: how far chains are read, what was found, what it pays for and how it leaves again.

-- HEAD: up to the newest block; it goes back where the chain does. FINAL: up to where no reorganization goes; it only
-- goes forward.
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
COMMENT ON TABLE chain_cursors IS
  'How far one network has been read for deposits, one row for HEAD and one for FINAL. Only the system role '
  'writes it; rows are never deleted.';
ALTER TABLE chain_cursors ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_cursors FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON chain_cursors TO causeway_system USING (true) WITH CHECK (true);
-- A scope reads how far its networks are read, and whether they are stopped.
CREATE POLICY every_scope_sees ON chain_cursors FOR SELECT TO causeway_app USING (true);
GRANT SELECT ON chain_cursors TO causeway_app;
GRANT SELECT, INSERT, UPDATE (block_number, block_hash, block_at, version, updated_at) ON chain_cursors
  TO causeway_system;

-- FINAL goes on, HEAD goes either way, a version each.
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

-- After a deep reorganization all is read again from the newest checkpoint that the chain still has.
CREATE TABLE chain_checkpoints (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  block_number bigint NOT NULL CHECK (block_number >= 0),
  block_hash text NOT NULL CHECK (block_hash ~ '^0x[0-9a-f]{64}$'),
  PRIMARY KEY (environment, network, block_number)
);
COMMENT ON TABLE chain_checkpoints IS
  'The first final block of one hour that was read on one network. The trigger of the FINAL cursor writes it, and '
  'no role may delete it.';
ALTER TABLE chain_checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_checkpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON chain_checkpoints TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (block_hash) ON chain_checkpoints TO causeway_system;

-- The reader writes its cursor alone; this keeps the blocks.
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

-- Before the network resumes, everything behind the last block that the chain still has is read and proved
-- again, and what is gone is reversed.
CREATE TABLE chain_stops (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  -- The block that was final.
  block_number bigint NOT NULL,
  block_hash text NOT NULL,
  stopped_at timestamptz NOT NULL,
  lifted_at timestamptz,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  version integer NOT NULL DEFAULT 1,
  -- The final block that it goes on behind, and the approval by which that was said.
  resume_block bigint,
  resume_hash text CHECK (resume_hash ~ '^0x[0-9a-f]{64}$'),
  resumed_by text,
  -- The last block from before that is still of the chain, and up to where all behind it was proved again.
  base_block bigint,
  proved_block bigint,
  CHECK (lifted_at >= stopped_at),
  CONSTRAINT resumed_as_a_whole CHECK (num_nulls(resume_block, resume_hash, resumed_by) IN (0, 3)),
  CONSTRAINT proved_from_its_base CHECK (num_nulls(base_block, proved_block) IN (0, 2)
    AND (base_block IS NULL OR resume_block IS NOT NULL)
    AND base_block <= block_number AND base_block <= proved_block AND proved_block <= resume_block),
  -- The cursor only goes forward.
  CONSTRAINT resumed_behind_what_is_gone CHECK (resume_block > block_number)
);
COMMENT ON TABLE chain_stops IS
  'One stop of a network that went back behind a final block. It ends when two operators say at which block the '
  'network resumes, and rows are never deleted.';
CREATE UNIQUE INDEX one_stop_a_chain ON chain_stops (environment, network) WHERE lifted_at IS NULL;
ALTER TABLE chain_stops ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_stops FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON chain_stops TO causeway_system USING (true) WITH CHECK (true);
CREATE POLICY every_scope_sees ON chain_stops FOR SELECT TO causeway_app USING (true);
CREATE POLICY operators_say ON chain_stops TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON chain_stops TO causeway_app;
GRANT SELECT, INSERT, UPDATE (lifted_at, base_block, proved_block) ON chain_stops TO causeway_system;
GRANT SELECT, UPDATE (version, resume_block, resume_hash, resumed_by, base_block, proved_block) ON chain_stops
  TO causeway_console;
CREATE TRIGGER chain_stops_stay BEFORE DELETE ON chain_stops
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A stop is lifted as two operators said, once all is proved again.
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

-- By the approval that this transaction uses. Effects work in a scope, whose role changes no stop.
CREATE FUNCTION resume_chain(in_environment text, in_network text, in_seq bigint, in_block bigint, in_hash text,
  in_approval text)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE chain_stops SET resume_block = in_block, resume_hash = in_hash, resumed_by = in_approval,
    base_block = NULL, proved_block = NULL, version = version + 1
  WHERE (environment, network, seq) = (in_environment, in_network, in_seq) AND lifted_at IS NULL;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION resume_chain FROM PUBLIC;
GRANT EXECUTE ON FUNCTION resume_chain TO causeway_dashboard, causeway_console;

-- Whether what was final in a block is proved again: behind the base of a stop that is being lifted, up to the
-- block that was gone.
CREATE FUNCTION is_proved_again(in_environment text, in_network text, in_block bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM public.chain_stops s
    WHERE (s.environment, s.network) = (in_environment, in_network) AND s.lifted_at IS NULL
      AND in_block > s.base_block AND in_block <= s.resume_block)
$$;

-- With the deposits it says what must be at the address.
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
COMMENT ON TABLE swept_tokens IS
  'One transfer of tokens out of a deposit address, as a final block shows it. It is deleted only to be read '
  'again, after the network went back behind that block.';
CREATE INDEX swept_tokens_of_address ON swept_tokens (environment, network, address);
ALTER TABLE swept_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE swept_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON swept_tokens TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON swept_tokens TO causeway_system;
CREATE TRIGGER swept_tokens_stay BEFORE UPDATE ON swept_tokens
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What left our addresses in blocks that are gone is read again as well.
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

CREATE TABLE chain_address_checks (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  right_at_block bigint,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address)
);
COMMENT ON TABLE chain_address_checks IS
  'The last comparison of the tokens at one address with the books, and the final block at which they agreed. No '
  'role may delete it.';
ALTER TABLE chain_address_checks ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_address_checks FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON chain_address_checks TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (right_at_block, checked_at) ON chain_address_checks TO causeway_system;

-- A receipt that was not read has the place 0 and the address that was listed. Once it is read, what the database
-- refuses at that place may be for another address.
CREATE TABLE set_aside_deposits (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  tx_hash text NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- The log's place within its own receipt.
  ordinal integer NOT NULL CHECK (ordinal >= 0),
  -- In the mixed case of EIP-55.
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- The SQLSTATE that it was refused with last, or TOO_LARGE.
  why text NOT NULL CHECK (why ~ '^[0-9A-Z]{5}$' OR why = 'TOO_LARGE'),
  tries integer NOT NULL DEFAULT 1 CHECK (tries > 0),
  since timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, tx_hash, ordinal)
);
COMMENT ON TABLE set_aside_deposits IS
  'One transfer to a deposit address that could not be booked: the database refused it, or its receipt is too '
  'large. The reader tries it again, and deletes the row once it is booked.';
CREATE INDEX set_aside_deposits_due ON set_aside_deposits (environment, network, next_at);
ALTER TABLE set_aside_deposits ENABLE ROW LEVEL SECURITY;
ALTER TABLE set_aside_deposits FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON set_aside_deposits TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (to_address, why, tries, tried_at, next_at), DELETE ON set_aside_deposits
  TO causeway_system;

-- The deposits make the payment's hold: until they are all there, nothing is held.
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
  -- What deposits have brought, as the payment's newest version shows it: it changes with a version of the
  -- payment alone, and stays when the payment ends without. Minor units.
  amount_received bigint NOT NULL DEFAULT 0
    CHECK (amount_received BETWEEN 0 AND amount_due),
  -- A deposit is in time whose block is not younger.
  expires_at timestamptz NOT NULL,
  refund_wallet_id text,
  status text NOT NULL DEFAULT 'AWAITED' CHECK (status IN ('AWAITED', 'HELD', 'CLOSED')),
  -- Since when the rails of a payment say that they have paid it under no reference, although a database before
  -- a restore may have sent it. Once they still say so later, what came for it in part is given back.
  not_paid_at timestamptz,
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
COMMENT ON TABLE payment_fundings IS
  'The tokens over a network that one payment waits for, and how many have come. Rows are never deleted.';
CREATE INDEX payment_fundings_awaited ON payment_fundings (environment, network, expires_at)
  WHERE status = 'AWAITED';
-- How many of an end-user's payments wait is counted before each further one.
CREATE INDEX payment_fundings_waiting ON payment_fundings (customer_id, environment, payment_id)
  WHERE status = 'AWAITED';
-- What was completed and not looked at since is said again.
CREATE INDEX payment_fundings_held ON payment_fundings (updated_at) WHERE status = 'HELD';
-- Finds payments that deposits pay for by their request: their ids hold no time.
CREATE INDEX payment_fundings_by_time ON payment_fundings (created_at);
CALL secure_scoped_table('payment_fundings');
GRANT INSERT, UPDATE (status, updated_at, amount_received, not_paid_at) ON payment_fundings TO causeway_app;

-- A funding begins with nothing, and moves by what is shown and what rails say. What was handed to a rail is
-- not waited for again.
CREATE FUNCTION guard_payment_funding() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'amount_received', 'not_paid_at', 'updated_at'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.status = 'AWAITED' AND NEW.amount_received = 0 AND NEW.not_paid_at IS NULL THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND (OLD.status, NEW.status) = ('HELD', 'AWAITED') AND EXISTS (
      SELECT FROM settlement_attempts a WHERE a.payment_id = NEW.payment_id AND a.phase <> 'READY') THEN
    RAISE EXCEPTION 'payment %: what pays for it was handed to its rail', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND (OLD.status, NEW.status) IN (('AWAITED', 'AWAITED'), ('AWAITED', 'HELD'), ('AWAITED', 'CLOSED'),
       ('HELD', 'HELD'), ('HELD', 'AWAITED')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: what it waits for does not change', coalesce(NEW.payment_id, OLD.payment_id)
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_payment_funding BEFORE INSERT OR UPDATE OR DELETE ON payment_fundings
  FOR EACH ROW EXECUTE FUNCTION guard_payment_funding();

-- Nothing leaves before all that is due is there. The funding's row is kept from others: a deposit that is orphaned
-- meanwhile finds the attempt, or the attempt finds that the payment waits again.
CREATE FUNCTION guard_funded_attempt() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  funding text;
BEGIN
  SELECT f.status INTO funding FROM payment_fundings f WHERE f.payment_id = NEW.payment_id FOR SHARE;
  IF funding <> 'HELD' THEN
    RAISE EXCEPTION 'payment %: its deposit is not there', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER funded_before_written BEFORE INSERT ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase <> 'READY') EXECUTE FUNCTION guard_funded_attempt();
CREATE TRIGGER funded_before_sent BEFORE UPDATE OF phase ON settlement_attempts FOR EACH ROW
  WHEN (OLD.phase IN ('READY', 'NOT_SENT') AND NEW.phase NOT IN ('READY', 'NOT_SENT', 'REJECTED'))
  EXECUTE FUNCTION guard_funded_attempt();

-- When all is written. A payment that deposits pay for has no hold of its own: deposits make it. It ends
-- without them only closed, and then nothing is released, for nothing was reserved: it would be other payments'
-- money. It expires only when whatever was mined in time is known for good.
CREATE FUNCTION check_funded_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted text := coalesce(to_jsonb(NEW) ->> 'payment_id', to_jsonb(NEW) ->> 'id');
  f payment_fundings;
  p payments;
BEGIN
  SELECT * INTO f FROM payment_fundings WHERE payment_id = wanted;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT * INTO p FROM payments WHERE id = wanted;
  IF (CASE f.status
      WHEN 'AWAITED' THEN p.status NOT IN ('PROCESSING', 'ON_HOLD')
      WHEN 'CLOSED' THEN p.status NOT IN ('CANCELED', 'EXPIRED', 'FAILED')
      ELSE p.status = 'EXPIRED' END) THEN
    RAISE EXCEPTION 'payment % is %, what it waits for is %', wanted, p.status, f.status
      USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT FROM ledger_transactions t WHERE t.payment_id = wanted
      AND (t.kind = 'HOLD' OR f.status <> 'HELD')) THEN
    RAISE EXCEPTION 'payment %: nothing is held for it but what deposits bring', wanted
      USING ERRCODE = 'check_violation';
  END IF;
  IF p.status = 'EXPIRED' AND NOT EXISTS (SELECT FROM chain_cursors c
      WHERE c.environment = f.environment AND c.network = f.network AND c.kind = 'FINAL'
        AND c.block_at > f.expires_at) THEN
    RAISE EXCEPTION 'payment %: a deposit in time may still be found', wanted
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER funding_fits_payment AFTER INSERT OR UPDATE OF status ON payment_fundings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_funded_payment();
CREATE CONSTRAINT TRIGGER payment_fits_funding AFTER UPDATE OF status ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status IN ('CANCELED', 'EXPIRED', 'FAILED'))
  EXECUTE FUNCTION check_funded_payment();

-- What is waited for is what the payment costs, in the asset that pays it.
CREATE FUNCTION check_new_funding() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payments p WHERE p.id = NEW.payment_id AND p.source_currency = NEW.asset
      AND p.scheduled_for IS NULL AND NEW.amount_due = p.source_amount + (
        SELECT coalesce(sum((fee ->> 'amount')::numeric), 0) FROM jsonb_array_elements(p.fees) AS fee)) THEN
    RAISE EXCEPTION 'payment %: what it waits for is not what it costs', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER funding_is_the_price AFTER INSERT ON payment_fundings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_new_funding();

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
COMMENT ON TABLE deposit_addresses IS
  'One standing address of a customer: what comes in is paid to its account or wallet, or stays in the balance. '
  'It is disabled once, never deleted.';
CREATE INDEX deposit_addresses_newest_first ON deposit_addresses (customer_id, environment, seq DESC);
-- Counts the addresses in use of a customer and of each of its end-users.
CREATE INDEX deposit_addresses_in_use ON deposit_addresses (customer_id, environment, end_user_id)
  WHERE status = 'ACTIVE';
-- Counts the addresses of a customer that were disabled lately: they are looked at for 30 days more.
CREATE INDEX deposit_addresses_disabled ON deposit_addresses (customer_id, environment, updated_at)
  WHERE status = 'DISABLED';
CALL secure_scoped_table('deposit_addresses');
GRANT INSERT, UPDATE (status, version, updated_at) ON deposit_addresses TO causeway_app;

-- A deposit address is only disabled, and once.
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

-- Every address is asked about with each poll cycle of each network, for 30 days after it was disabled, too: 50 in
-- use of an end-user, 10,000 in use of a customer in an environment, and 20,000 of it that are looked at. While
-- restore mode is on, what was given out before the restore is given out again: as many as two lives may have that are
-- looked at, and no less. The lock puts addresses that are made at once in order; the API takes it before it
-- counts.
CREATE FUNCTION limit_deposit_addresses() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  of_customer integer;
  of_end_user integer;
  disabled integer;
BEGIN
  PERFORM pg_advisory_xact_lock(
    hashtextextended('deposit-addresses:' || NEW.customer_id || ':' || NEW.environment, 0));
  SELECT count(*), count(*) FILTER (WHERE a.end_user_id = NEW.end_user_id) INTO of_customer, of_end_user
  FROM deposit_addresses a
  WHERE a.customer_id = NEW.customer_id AND a.environment = NEW.environment AND a.status = 'ACTIVE';
  SELECT count(*) INTO disabled FROM deposit_addresses a
  WHERE a.customer_id = NEW.customer_id AND a.environment = NEW.environment AND a.status = 'DISABLED'
    AND a.updated_at > NEW.created_at - interval '720 hours';
  IF EXISTS (SELECT FROM restore_mode r WHERE r.ended_at IS NULL OR r.ended_at > NEW.created_at) THEN
    IF of_customer + disabled <= 40000 THEN
      RETURN NULL;
    END IF;
  ELSIF of_customer <= 10000 AND of_end_user <= 50 AND of_customer + disabled <= 20000 THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'deposit address %: there are as many as may be already', NEW.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_addresses_at_most';
END $$;
CREATE TRIGGER limit_deposit_addresses AFTER INSERT ON deposit_addresses
  FOR EACH ROW EXECUTE FUNCTION limit_deposit_addresses();

-- A block that is gone changes neither transaction nor place, and the same event mined again is the same deposit.
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
  -- KEPT: two operators decided that it stays in suspense for good; then its address may be swept.
  status text NOT NULL DEFAULT 'SEEN' CHECK
    (status IN ('SEEN', 'CREDITED', 'FINAL', 'ORPHANED', 'BLOCKED', 'KEPT')),
  -- HELD: what is known of its sender is for an operator to judge, and it is not credited before. RELEASED and
  -- REFUSED: what was judged; then it is credited, or blocked.
  review text CHECK (review IN ('HELD', 'RELEASED', 'REFUSED')),
  applied_to text CHECK (applied_to IN ('PAYMENT', 'BALANCE', 'SUSPENSE')),
  reason text CHECK
    (reason IN ('LATE', 'SURPLUS', 'UNDERPAID', 'WRONG_ASSET', 'WRONG_NETWORK', 'BELOW_MINIMUM',
      'PAYMENT_REFUSED')),
  to_payment bigint NOT NULL DEFAULT 0,
  -- Of the ledger's movements that come next.
  round integer NOT NULL DEFAULT 1 CHECK (round > 0),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT one_owner CHECK (num_nulls(payment_id, deposit_address_id) = 1),
  CONSTRAINT in_the_books_it_is_somewhere CHECK ((applied_to IS NULL) = (status IN ('SEEN', 'ORPHANED'))),
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
    UNIQUE (environment, network, tx_hash, ordinal, asset, from_address, to_address, amount),
  CONSTRAINT blocked_is_in_suspense CHECK
    ((status IN ('BLOCKED', 'KEPT')) = (applied_to IS NOT DISTINCT FROM 'SUSPENSE'))
);
COMMENT ON TABLE deposits IS
  'One transfer of tokens to an address of ours: a Transfer event, known by its transaction and its place in the '
  'receipt. Rows are never deleted.';
CREATE UNIQUE INDEX one_event_a_place ON deposits (environment, network, tx_hash, ordinal)
  WHERE status <> 'ORPHANED';
CREATE INDEX deposits_newest_first ON deposits (customer_id, environment, seq DESC);
CREATE INDEX deposits_of_payment ON deposits (payment_id, seq) WHERE payment_id IS NOT NULL;
CREATE INDEX deposits_of_address ON deposits (deposit_address_id, seq) WHERE deposit_address_id IS NOT NULL;
CREATE INDEX deposits_unfinished ON deposits (environment, network, block_number)
  WHERE status IN ('SEEN', 'CREDITED', 'BLOCKED');
CREATE INDEX deposits_held ON deposits (environment, seq) WHERE review = 'HELD';
-- Finds the sequence at which a moment lies.
CREATE INDEX deposits_by_time ON deposits (customer_id, environment, created_at, seq);
-- What came to an address: it is summed with each look at its balance.
CREATE INDEX deposits_at_address ON deposits (environment, network, to_address);
CALL secure_scoped_table('deposits');
GRANT INSERT, UPDATE (block_number, block_hash, block_at, status, applied_to, reason, to_payment, round,
  version, updated_at, review) ON deposits TO causeway_app;

-- What came stays what came. Its block changes only when it is mined again; a round follows the one before.
-- What is final or kept is taken back, or moves with its block, only while its network is resumed. What is
-- blocked leaves that only as two operators approved, and what they released stays credited whatever an
-- operator had said of its sender before.
CREATE FUNCTION guard_deposit() RETURNS trigger LANGUAGE plpgsql
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
       OR (OLD.status, NEW.status) IN (('FINAL', 'FINAL'), ('KEPT', 'KEPT'))
         AND is_proved_again(OLD.environment, OLD.network, OLD.block_number)
         AND is_proved_again(NEW.environment, NEW.network, NEW.block_number)
         AND to_jsonb(NEW) - mined - ARRAY['version', 'updated_at']
           = to_jsonb(OLD) - mined - ARRAY['version', 'updated_at']
       OR to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
         AND (NEW.status <> 'CREDITED' OR OLD.status IN ('CREDITED', 'BLOCKED')
           OR coalesce(NEW.review, 'RELEASED') = 'RELEASED')
         AND ((OLD.status, NEW.status) IN (('SEEN', 'CREDITED'), ('SEEN', 'BLOCKED'), ('SEEN', 'ORPHANED'),
             ('CREDITED', 'FINAL'), ('CREDITED', 'ORPHANED'), ('BLOCKED', 'ORPHANED'),
             ('CREDITED', 'CREDITED'), ('FINAL', 'FINAL'))
           OR (OLD.status, NEW.status) IN (('FINAL', 'ORPHANED'), ('KEPT', 'ORPHANED'))
             AND is_proved_again(OLD.environment, OLD.network, OLD.block_number)
           OR OLD.status = 'BLOCKED' AND NEW.status IN ('CREDITED', 'KEPT') AND NEW.round = OLD.round
             AND is_blocked_deposit_decided(OLD, NEW.status))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it does not become this', coalesce(NEW.id, OLD.id)
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_deposit BEFORE INSERT OR DELETE ON deposits
  FOR EACH ROW EXECUTE FUNCTION guard_deposit();
CREATE TRIGGER guard_moved_deposit BEFORE UPDATE ON deposits FOR EACH ROW
  WHEN (OLD.review IS NOT DISTINCT FROM NEW.review OR NEW.review IS NULL OR NEW.review = 'HELD')
  EXECUTE FUNCTION guard_deposit();

-- Whether the running transaction uses an approval that this deposit, as it is at this version, becomes this.
-- Nothing is decided on a network that is stopped; and for good only what no reorganisation takes back.
CREATE FUNCTION is_blocked_deposit_decided(blocked deposits, in_status text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((approval_in_use('BLOCKED_DEPOSIT', blocked.id, blocked.version)).content ->> 'decision'
      = CASE in_status WHEN 'CREDITED' THEN 'RELEASE' WHEN 'KEPT' THEN 'KEEP' END, false)
    AND NOT EXISTS (SELECT FROM chain_stops s WHERE s.lifted_at IS NULL
      AND (s.environment, s.network) = (blocked.environment, blocked.network))
    AND (in_status = 'CREDITED' OR EXISTS (SELECT FROM chain_cursors c WHERE c.kind = 'FINAL'
      AND (c.environment, c.network) = (blocked.environment, blocked.network)
      AND c.block_number >= blocked.block_number))
$$;

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
COMMENT ON TABLE deposit_history IS
  'One version that a deposit had. A trigger writes it with each change; rows never change and are never deleted.';
CALL secure_scoped_table('deposit_history');
GRANT INSERT ON deposit_history TO causeway_app;
CREATE TRIGGER deposit_history_is_append_only BEFORE UPDATE OR DELETE ON deposit_history
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Whoever writes a deposit.
CREATE FUNCTION keep_deposit_version() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_history VALUES (NEW.id, NEW.version, NEW.customer_id, NEW.environment, NEW.status,
    NEW.applied_to, NEW.reason, NEW.to_payment, NEW.round, NEW.block_number, NEW.block_hash, NEW.updated_at);
  RETURN NULL;
END $$;
CREATE TRIGGER keep_deposit_version AFTER INSERT OR UPDATE ON deposits
  FOR EACH ROW EXECUTE FUNCTION keep_deposit_version();

CREATE TABLE deposit_decisions (
  deposit_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('RELEASED', 'REFUSED')),
  decided_by text NOT NULL,
  decided_at timestamptz NOT NULL,
  reason text NOT NULL,
  FOREIGN KEY (customer_id, environment, deposit_id) REFERENCES deposits (customer_id, environment, id)
);
COMMENT ON TABLE deposit_decisions IS
  'The decision of operators about one deposit that was held for review: releasing takes two, refusing one. Rows '
  'never change and are never deleted.';
CALL secure_scoped_table('deposit_decisions');
GRANT INSERT ON deposit_decisions TO causeway_dashboard, causeway_console;
CREATE TRIGGER deposit_decisions_are_append_only BEFORE UPDATE OR DELETE ON deposit_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A held deposit is decided: a release takes two operators, a refusal is the operators' own role's to write.
CREATE FUNCTION guard_deposit_decision() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  held deposits;
BEGIN
  SELECT * INTO held FROM deposits d WHERE d.id = NEW.deposit_id AND d.review = 'HELD' AND d.status = 'SEEN';
  IF held.id IS NULL THEN
    RAISE EXCEPTION 'deposit %: nothing of it is to be decided', NEW.deposit_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'REFUSED' AND NOT pg_has_role(current_user, 'causeway_console', 'USAGE') THEN
    RAISE EXCEPTION 'deposit %: only operators refuse', NEW.deposit_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'RELEASED'
     AND (approval_in_use('DEPOSIT_CLEARANCE', NEW.deposit_id, held.version)).id IS NULL THEN
    RAISE EXCEPTION 'deposit %: a release takes two operators', NEW.deposit_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_deposit_decision BEFORE INSERT ON deposit_decisions
  FOR EACH ROW EXECUTE FUNCTION guard_deposit_decision();

-- The deposit shows what was decided, and nothing else of it changes with that.
CREATE FUNCTION guard_reviewed_deposit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.review IS DISTINCT FROM 'HELD' OR OLD.status <> 'SEEN' OR NEW.version <> OLD.version + 1
     OR to_jsonb(NEW) - ARRAY['review', 'version', 'updated_at']
       <> to_jsonb(OLD) - ARRAY['review', 'version', 'updated_at']
     OR NOT EXISTS (SELECT FROM deposit_decisions d WHERE d.deposit_id = NEW.id AND d.outcome = NEW.review) THEN
    RAISE EXCEPTION 'deposit %: its review is what operators decided', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_reviewed_deposit BEFORE UPDATE ON deposits FOR EACH ROW
  WHEN (OLD.review IS DISTINCT FROM NEW.review AND NEW.review IN ('RELEASED', 'REFUSED'))
  EXECUTE FUNCTION guard_reviewed_deposit();

-- DUE: not judged yet.
CREATE TABLE deposit_onward (
  deposit_id text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  status text NOT NULL DEFAULT 'DUE' CHECK (status IN ('DUE', 'PAID', 'REFUSED')),
  payment_id text UNIQUE,
  -- The error that POST /payments would have answered.
  refused_code text CHECK (refused_code ~ '^[a-z_]{1,60}$'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((status = 'PAID') = (payment_id IS NOT NULL)),
  CHECK ((status = 'REFUSED') = (refused_code IS NOT NULL)),
  FOREIGN KEY (customer_id, environment, deposit_id) REFERENCES deposits (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, payment_id) REFERENCES payments (customer_id, environment, id)
);
COMMENT ON TABLE deposit_onward IS
  'What becomes of one final deposit: a payment to the account or wallet of its standing address, or a refund of '
  'what its payment does not take. Decided once, never deleted.';
CREATE INDEX deposit_onward_due ON deposit_onward (deposit_id) WHERE status = 'DUE';
CALL secure_scoped_table('deposit_onward');
GRANT INSERT, UPDATE (status, payment_id, refused_code, updated_at) ON deposit_onward TO causeway_app;
CREATE TRIGGER deposit_onward_stays BEFORE DELETE ON deposit_onward
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The payment is the one that the address asks for, under the key of this deposit, and never more than came; of
-- a deposit for a payment what is over of it, to the wallet that the payment names, for its end-user.
CREATE FUNCTION guard_deposit_onward() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'payment_id', 'refused_code', 'updated_at'];
BEGIN
  PERFORM FROM deposits d WHERE d.id = NEW.deposit_id FOR UPDATE;
  IF TG_OP = 'INSERT' AND NEW.status = 'DUE' AND EXISTS (
      SELECT FROM deposits d LEFT JOIN payment_fundings f ON f.payment_id = d.payment_id
      WHERE d.id = NEW.deposit_id AND d.status = 'FINAL'
        AND (d.deposit_address_id IS NOT NULL AND d.applied_to = 'BALANCE' AND d.reason IS NULL
          OR f.refund_wallet_id IS NOT NULL AND d.applied_to IN ('BALANCE', 'PAYMENT')
            AND d.amount > d.to_payment)) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.status = 'DUE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND (NEW.status = 'REFUSED' OR NEW.status = 'PAID'
       AND NOT EXISTS (SELECT FROM deposit_refunds r WHERE r.deposit_id = NEW.deposit_id)
       AND EXISTS (
         SELECT FROM deposits d
           JOIN payments p ON p.customer_id = d.customer_id AND p.environment = d.environment
           LEFT JOIN deposit_addresses a ON a.id = d.deposit_address_id
           LEFT JOIN payment_fundings f ON f.payment_id = d.payment_id
           LEFT JOIN payments o ON o.id = f.payment_id
         WHERE d.id = NEW.deposit_id AND p.id = NEW.payment_id
           AND p.idempotency_key = 'deposit·' || d.id
           AND p.end_user_id = coalesce(a.end_user_id, o.end_user_id)
           AND p.bank_account_id IS NOT DISTINCT FROM a.bank_account_id
           AND p.wallet_id IS NOT DISTINCT FROM coalesce(a.wallet_id, f.refund_wallet_id)
           AND p.source_currency = d.asset AND p.source_amount <= d.amount - d.to_payment)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it is paid on once, to where its address or its payment says', NEW.deposit_id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_deposit_onward BEFORE INSERT OR UPDATE ON deposit_onward
  FOR EACH ROW EXECUTE FUNCTION guard_deposit_onward();

-- A final deposit is owed a payment in the moment that it becomes final, or that a payment which ends leaves
-- it, by whatever code; one that is final again was owed its payment before.
CREATE FUNCTION owe_onward_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_onward (deposit_id, customer_id, environment, created_at, updated_at)
  SELECT NEW.id, NEW.customer_id, NEW.environment, NEW.updated_at, NEW.updated_at
  WHERE EXISTS (
      SELECT FROM deposit_addresses a
      WHERE a.id = NEW.deposit_address_id AND num_nonnulls(a.bank_account_id, a.wallet_id) = 1
        AND NEW.applied_to = 'BALANCE' AND NEW.reason IS NULL)
    OR EXISTS (
      SELECT FROM payment_fundings f WHERE f.payment_id = NEW.payment_id AND f.refund_wallet_id IS NOT NULL)
  ON CONFLICT (deposit_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER owe_onward_payment AFTER UPDATE OF status, applied_to, to_payment ON deposits FOR EACH ROW
  WHEN (NEW.status = 'FINAL' AND NEW.applied_to IN ('BALANCE', 'PAYMENT') AND NEW.amount > NEW.to_payment
    AND (OLD.status <> 'FINAL' OR OLD.to_payment <> NEW.to_payment))
  EXECUTE FUNCTION owe_onward_payment();

-- The amount is the payment's own.
CREATE TABLE deposit_refunds (
  payment_id text PRIMARY KEY,
  deposit_id text NOT NULL,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  created_at timestamptz NOT NULL,
  FOREIGN KEY (customer_id, environment, deposit_id) REFERENCES deposits (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, payment_id) REFERENCES payments (customer_id, environment, id)
);
COMMENT ON TABLE deposit_refunds IS
  'One payment to a wallet that refunds a deposit. Rows never change and are never deleted.';
CREATE INDEX deposit_refunds_of_deposit ON deposit_refunds (deposit_id);
CALL secure_scoped_table('deposit_refunds');
GRANT INSERT ON deposit_refunds TO causeway_app;
CREATE TRIGGER deposit_refunds_stay BEFORE UPDATE OR DELETE ON deposit_refunds
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A refund is paid in the asset that came, to a wallet, out of what is left of a final deposit.
CREATE FUNCTION guard_deposit_refund() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM deposits d WHERE d.id = NEW.deposit_id FOR UPDATE;
  IF EXISTS (
      SELECT FROM deposits d JOIN payments p
        ON p.customer_id = d.customer_id AND p.environment = d.environment
      WHERE d.id = NEW.deposit_id AND p.id = NEW.payment_id AND p.wallet_id IS NOT NULL
        AND p.currency = d.asset AND p.source_currency = d.asset
        AND p.amount <= deposit_left(d.id)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: this is no refund of what is left of it', NEW.deposit_id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_within_deposit';
END $$;
CREATE TRIGGER guard_deposit_refund BEFORE INSERT ON deposit_refunds
  FOR EACH ROW EXECUTE FUNCTION guard_deposit_refund();

-- Minor units of a deposit that are in the balance and have neither been paid on nor refunded. What failed, was
-- canceled or expired is in the balance again; what was returned came back by another way than this one.
CREATE FUNCTION deposit_left(in_deposit text) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE
    WHEN d.status <> 'FINAL' OR d.applied_to NOT IN ('BALANCE', 'PAYMENT') OR EXISTS (
      SELECT FROM deposit_onward o LEFT JOIN payments p ON p.id = o.payment_id
      WHERE o.deposit_id = d.id AND (o.status = 'DUE'
        OR o.status = 'PAID' AND p.status NOT IN ('FAILED', 'CANCELED', 'EXPIRED'))) THEN 0
    ELSE d.amount - d.to_payment - coalesce((
      SELECT sum(p.amount) FROM deposit_refunds r JOIN payments p ON p.id = r.payment_id
      WHERE r.deposit_id = d.id AND p.status NOT IN ('FAILED', 'CANCELED', 'EXPIRED')), 0)
  END::bigint
  FROM deposits d WHERE d.id = in_deposit
$$;

-- What a payment owes its being to may be older than itself: a deposit that is paid on or refunded was mined
-- before, and a life of the database that was lost may have done the same with it.
CREATE FUNCTION asked_for_at(in_payment text, accepted_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT least(accepted_at, (
    SELECT min(d.block_at) FROM deposits d WHERE d.id IN (
      SELECT o.deposit_id FROM deposit_onward o WHERE o.payment_id = in_payment
      UNION ALL
      SELECT r.deposit_id FROM deposit_refunds r WHERE r.payment_id = in_payment)))
$$;

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION resume_chain OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
