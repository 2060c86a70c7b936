-- Payments that leave over a chain. A lane is one hot address on one network; its nonces are used in order, each
-- for one thing, and whatever is signed is stored before it is sent and never changes. Only the process that
-- signs works as causeway_chain; SET FALSE: it cannot put on the role whose rights it has.
DO $$
BEGIN
  IF to_regrole('causeway_chain') IS NULL THEN
    CREATE ROLE causeway_chain NOLOGIN NOBYPASSRLS;
  END IF;
END $$;
GRANT causeway_system TO causeway_chain WITH INHERIT TRUE, SET FALSE;
GRANT causeway_chain TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO causeway_chain;

CREATE TABLE chain_lanes (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL,
  -- In the mixed case of EIP-55.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- What the chain gave when the lane was opened, and what the next transaction takes.
  first_nonce bigint NOT NULL CHECK (first_nonce >= 0),
  next_nonce bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('OPEN', 'FROZEN')),
  why text CHECK (why ~ '^[A-Z_]{1,40}$'),
  -- What one look found that freezes the lane where the next one finds it too.
  suspicion text CHECK (suspicion ~ '^[A-Z_]{1,40}(:[0-9]{1,20})?$'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address),
  CHECK (next_nonce >= first_nonce),
  CHECK ((status = 'FROZEN') = (why IS NOT NULL))
);

-- What is to be paid: one row a reference, made from the attempt that the payment's claim committed.
CREATE TABLE chain_transfers (
  reference text PRIMARY KEY REFERENCES settlement_attempts,
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  network text NOT NULL,
  asset text NOT NULL,
  contract text NOT NULL CHECK (contract ~ '^0x[0-9a-fA-F]{40}$'),
  recipient text NOT NULL CHECK (recipient ~ '^0x[0-9a-fA-F]{40}$'),
  -- Minor units of the token.
  amount bigint NOT NULL CHECK (amount > 0),
  -- The order's exact bytes: the same reference with others is refused.
  body bytea NOT NULL CHECK (octet_length(body) <= 1000),
  -- WAITING: no nonce carries it. CARRIED: one does. SETTLED: mined, deep enough to be believed; a
  -- reorganisation makes it CARRIED again. FINAL and REJECTED are the end.
  state text NOT NULL DEFAULT 'WAITING'
    CHECK (state IN ('WAITING', 'CARRIED', 'SETTLED', 'FINAL', 'REJECTED')),
  -- Why it waits, where that is not its turn.
  hold text CHECK (hold IN ('AWAITING_LIQUIDITY', 'NETWORK_CONGESTED', 'STALLED')),
  -- Why it is REJECTED.
  reason text CHECK (reason ~ '^[A-Z_]{1,35}$'),
  -- How many nonces it has had whose transaction was reverted for good.
  reverts integer NOT NULL DEFAULT 0 CHECK (reverts BETWEEN 0 AND 4),
  -- The last word of the payment that was made of its state, so that each is made once.
  told text CHECK (told IN ('SETTLED', 'REORGANISED', 'FINAL', 'REJECTED')),
  -- What the payment was told that it waits for, and how often it was told of that.
  told_hold text CHECK (told_hold IN ('AWAITING_LIQUIDITY', 'NETWORK_CONGESTED')),
  told_holds integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((state = 'REJECTED') = (reason IS NOT NULL)),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
CREATE INDEX chain_transfers_under_way ON chain_transfers (environment, network, created_at, reference)
  WHERE state IN ('WAITING', 'CARRIED', 'SETTLED') OR told IS DISTINCT FROM state;

-- A nonce of a lane and the one thing that it carries. Its outcome is the transfer's: whichever transaction of
-- the nonce is mined.
CREATE TABLE chain_nonces (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  reference text NOT NULL REFERENCES chain_transfers,
  -- OPEN: nothing of it is mined deep enough. SETTLED: the transfer is. FINAL: for good. REJECTED: for good
  -- something else is, which moved nothing.
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'SETTLED', 'FINAL', 'REJECTED')),
  -- From then on a transaction that moves nothing is signed for the nonce; what is mined decides.
  void_why text CHECK (void_why IN ('VOIDED', 'SIGNING_REFUSED')),
  -- How it ended: the transaction that is mined, and what it cost, in wei (a bigint ends at 9 ETH).
  mined_hash text CHECK (mined_hash ~ '^0x[0-9a-f]{64}$'),
  fee numeric(78) CHECK (fee >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce),
  FOREIGN KEY (environment, network, address) REFERENCES chain_lanes,
  CHECK (state = 'OPEN' OR mined_hash IS NOT NULL)
);
-- Another nonce for a transfer only after its last one has ended without moving anything.
CREATE UNIQUE INDEX one_nonce_a_transfer ON chain_nonces (reference) WHERE state <> 'REJECTED';
CREATE INDEX chain_nonces_open ON chain_nonces (environment, network, address, nonce)
  WHERE state IN ('OPEN', 'SETTLED');

-- Whatever was, or is about to be, signed for a nonce: the first, and those with higher fees.
CREATE TABLE chain_transactions (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  number integer NOT NULL CHECK (number BETWEEN 0 AND 20),
  -- VOID: 0 wei from the address to itself.
  kind text NOT NULL CHECK (kind IN ('TRANSFER', 'VOID')),
  unsigned bytea NOT NULL,
  -- In wei per gas, and units of gas.
  max_fee_per_gas bigint NOT NULL CHECK (max_fee_per_gas > 0),
  max_priority_fee_per_gas bigint NOT NULL CHECK (max_priority_fee_per_gas >= 0),
  gas bigint NOT NULL CHECK (gas > 0),
  -- Stored once, before they are sent: what is not stored was not sent.
  raw bytea,
  hash text UNIQUE CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  signed_at timestamptz,
  -- The newest block when it was signed: how long it waits is counted from there.
  signed_at_block bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce, number),
  FOREIGN KEY (environment, network, address, nonce) REFERENCES chain_nonces,
  CHECK (num_nulls(raw, hash, signed_at, signed_at_block) IN (0, 4))
);

CREATE FUNCTION guard_chain_lane() RETURNS trigger LANGUAGE plpgsql AS $$
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
    OR (NEW.next_nonce <> OLD.next_nonce AND (OLD.status <> 'OPEN' OR NEW.status <> 'OPEN')) THEN
    RAISE EXCEPTION 'lane %: nonces are used one by one, while it is open', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_lane BEFORE INSERT OR UPDATE ON chain_lanes
  FOR EACH ROW EXECUTE FUNCTION guard_chain_lane();

-- A nonce that was taken and carries nothing would hold up every later one for ever.
CREATE FUNCTION check_lane_has_no_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM chain_nonces n
    WHERE (n.environment, n.network, n.address, n.nonce)
      = (NEW.environment, NEW.network, NEW.address, NEW.next_nonce - 1)) THEN
    RAISE EXCEPTION 'lane %: nonce % carries nothing', NEW.address, NEW.next_nonce - 1
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER lane_has_no_gap AFTER UPDATE ON chain_lanes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.next_nonce <> OLD.next_nonce) EXECUTE FUNCTION check_lane_has_no_gap();

CREATE FUNCTION guard_chain_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'WAITING' OR NEW.reverts <> 0 OR num_nonnulls(NEW.hold, NEW.reason, NEW.told, NEW.told_hold) > 0 THEN
      RAISE EXCEPTION 'transfer %: a new transfer waits', NEW.reference USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.reference, NEW.customer_id, NEW.environment, NEW.payment_id, NEW.network, NEW.asset, NEW.contract,
      NEW.recipient, NEW.amount, NEW.body, NEW.created_at)
    IS DISTINCT FROM
    (OLD.reference, OLD.customer_id, OLD.environment, OLD.payment_id, OLD.network, OLD.asset, OLD.contract,
      OLD.recipient, OLD.amount, OLD.body, OLD.created_at)
    OR NEW.reverts NOT IN (OLD.reverts, OLD.reverts + 1) THEN
    RAISE EXCEPTION 'transfer %: what is to be paid does not change', OLD.reference
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('WAITING', 'CARRIED'), ('WAITING', 'REJECTED'), ('CARRIED', 'WAITING'), ('CARRIED', 'REJECTED'),
    ('CARRIED', 'SETTLED'), ('SETTLED', 'CARRIED'), ('SETTLED', 'FINAL')) THEN
    RAISE EXCEPTION 'transfer %: it cannot go from % to %', OLD.reference, OLD.state, NEW.state
      USING ERRCODE = 'check_violation';
  END IF;
  -- Funds are given back, or another nonce is taken, only once nothing can move the money any more.
  IF NEW.state IN ('WAITING', 'REJECTED') AND NEW.state <> OLD.state AND EXISTS (
    SELECT FROM chain_nonces n WHERE n.reference = OLD.reference AND n.state <> 'REJECTED') THEN
    RAISE EXCEPTION 'transfer %: a nonce may still move it', OLD.reference
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_transfer BEFORE INSERT OR UPDATE ON chain_transfers
  FOR EACH ROW EXECUTE FUNCTION guard_chain_transfer();

CREATE FUNCTION guard_chain_nonce() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.reference, NEW.created_at)
    IS DISTINCT FROM (OLD.environment, OLD.network, OLD.address, OLD.nonce, OLD.reference, OLD.created_at)
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
CREATE TRIGGER guard_chain_nonce BEFORE INSERT OR UPDATE ON chain_nonces
  FOR EACH ROW EXECUTE FUNCTION guard_chain_nonce();

CREATE FUNCTION guard_chain_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before chain_transactions;
BEGIN
  IF TG_OP = 'INSERT' THEN
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
CREATE TRIGGER guard_chain_transaction BEFORE INSERT OR UPDATE ON chain_transactions
  FOR EACH ROW EXECUTE FUNCTION guard_chain_transaction();

CREATE TRIGGER chain_lanes_stay BEFORE DELETE ON chain_lanes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_transfers_stay BEFORE DELETE ON chain_transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_nonces_stay BEFORE DELETE ON chain_nonces
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER chain_transactions_stay BEFORE DELETE ON chain_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

DO $$
DECLARE
  target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['chain_lanes', 'chain_nonces', 'chain_transactions'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY chain_is_seen ON %I FOR SELECT TO causeway_system USING (true)', target);
    EXECUTE format('CREATE POLICY the_signer_writes ON %I TO causeway_chain USING (true) WITH CHECK (true)',
      target);
    EXECUTE format('GRANT SELECT ON %I TO causeway_system, causeway_chain', target);
    EXECUTE format('GRANT INSERT, UPDATE ON %I TO causeway_chain', target);
  END LOOP;
END $$;
CALL secure_scoped_table('chain_transfers');
-- Rows come from the function below alone.
GRANT INSERT ON chain_transfers TO causeway_system_definer;
GRANT UPDATE (state, hold, reason, reverts, told, told_hold, told_holds, updated_at) ON chain_transfers TO causeway_chain;

-- Takes an order of the payment's own attempt, once. TAKEN: it is there with these bytes, now or since before.
-- OTHER: it is there with other bytes. UNKNOWN: no attempt of that reference is for this wallet and amount.
CREATE FUNCTION take_chain_transfer(in_environment text, in_reference text, in_network text, in_asset text,
  in_contract text, in_recipient text, in_amount bigint, in_body bytea, in_now timestamptz)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO public.chain_transfers (reference, customer_id, environment, payment_id, network, asset,
    contract, recipient, amount, body, created_at, updated_at)
  SELECT in_reference, a.customer_id, a.environment, a.payment_id, in_network, in_asset, in_contract,
    in_recipient, in_amount, in_body, in_now, in_now
  FROM public.settlement_attempts a JOIN public.payments p ON p.id = a.payment_id
  JOIN public.wallets w ON w.id = p.wallet_id AND w.network = in_network AND w.address = in_recipient
  WHERE a.reference = in_reference AND a.environment = in_environment AND a.rail = in_network
    AND p.amount = in_amount AND p.currency = in_asset
  ON CONFLICT (reference) DO NOTHING;
  RETURN coalesce((SELECT CASE WHEN t.body = in_body THEN 'TAKEN' ELSE 'OTHER' END
    FROM public.chain_transfers t WHERE t.reference = in_reference AND t.environment = in_environment),
    'UNKNOWN');
END $$;

-- Where a transfer stands, for whoever has its reference.
CREATE FUNCTION find_chain_transfer(in_environment text, in_reference text)
RETURNS TABLE (state text, hold text, reason text, hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT t.state, t.hold, t.reason, n.mined_hash FROM public.chain_transfers t
  LEFT JOIN public.chain_nonces n ON n.reference = t.reference AND n.state IN ('SETTLED', 'FINAL')
  WHERE t.environment = in_environment AND t.reference = in_reference
$$;

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION take_chain_transfer(text, text, text, text, text, text, bigint, bytea, timestamptz)
  OWNER TO causeway_system_definer;
ALTER FUNCTION find_chain_transfer(text, text) OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
REVOKE EXECUTE ON FUNCTION
  take_chain_transfer(text, text, text, text, text, text, bigint, bytea, timestamptz),
  find_chain_transfer(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  take_chain_transfer(text, text, text, text, text, text, bigint, bytea, timestamptz),
  find_chain_transfer(text, text) TO causeway_app;
