-- Payments that leave over a chain. Only the process that signs works as causeway_chain.

-- Whatever is signed is stored before it is sent and never changes. After a restore the chain knows more than the
-- database: a frozen signer account that two operators thaw is first ADOPTING. What its address sent and the database
-- does not know is stored as it was found, by the mark of its payment's reference, and what may still be on its way is
-- made impossible by using up its nonces. A signer account of which the database may have forgotten something is given
-- up in two steps.
CREATE TABLE chain_signer_accounts (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL,
  -- In the mixed case of EIP-55.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$'),
  -- What the chain gave when the signer account was opened, and what the next transaction takes.
  first_nonce bigint NOT NULL CHECK (first_nonce >= 0),
  next_nonce bigint NOT NULL,
  -- RETIRING: given up; what is final of it is learnt. RETIRED: that is done. Neither ever signs again.
  status text NOT NULL CHECK (status IN ('OPEN', 'FROZEN', 'ADOPTING', 'RETIRING', 'RETIRED')),
  -- Counts how often it was frozen or thawed: an approval is about one freezing.
  version integer NOT NULL DEFAULT 1,
  why text CHECK (why ~ '^[A-Z_]{1,40}$'),
  -- What one poll cycle found that freezes the signer account where the next one finds it too.
  suspicion text CHECK (suspicion ~ '^[A-Z_]{1,40}(:[0-9]{1,20})?$'),
  -- When operators thawed it last: it is frozen by every restore that began later.
  thawed_at timestamptz,
  -- While it is ADOPTING: nothing was signed before the restore for this nonce or a later one.
  fence bigint,
  -- Whether the address had enough of the network's coin when that was looked at last.
  gas_looked_at timestamptz,
  is_low_on_gas boolean NOT NULL DEFAULT false,
  -- The approval by which it was given up.
  retired_by text,
  -- Given up while something that the database does not know may have been signed for it, and may be mined still.
  may_still_pay boolean NOT NULL DEFAULT false,
  -- The approval by which nothing of that can be mined any more.
  ended_by text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address),
  CHECK (next_nonce >= first_nonce),
  CHECK ((status = 'FROZEN') = (why IS NOT NULL))
);
COMMENT ON TABLE chain_signer_accounts IS
  'One hot address on one network, whose nonces are used in order, each for one thing. Only the signing process '
  'adds it, operators freeze and thaw it, and rows are never deleted.';
ALTER TABLE chain_signer_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_signer_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY operators_freeze_and_thaw ON chain_signer_accounts FOR UPDATE TO causeway_console
  USING (true) WITH CHECK (true);
CREATE POLICY chain_is_seen ON chain_signer_accounts FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_signer_accounts TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_signer_accounts TO causeway_system;
GRANT UPDATE (status, why, suspicion, updated_at, thawed_at, fence, retired_by, ended_by) ON chain_signer_accounts
  TO causeway_console;
GRANT SELECT, INSERT, UPDATE ON chain_signer_accounts TO causeway_chain;
CREATE TRIGGER chain_signer_accounts_stay BEFORE DELETE ON chain_signer_accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Nonces are used one by one, while the signer account is not frozen. To freeze it takes one operator, to thaw it or to
-- give it up two. What it has learnt from the chain, only the process that reads the chain says.
CREATE FUNCTION guard_chain_signer_account() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  name text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.next_nonce <> NEW.first_nonce OR NEW.status NOT IN ('OPEN', 'FROZEN')
      OR NEW.may_still_pay OR NEW.ended_by IS NOT NULL THEN
      RAISE EXCEPTION 'signer account %: it begins with the nonce that the chain gives', NEW.address
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.environment, NEW.network, NEW.address, NEW.first_nonce, NEW.created_at)
    IS DISTINCT FROM (OLD.environment, OLD.network, OLD.address, OLD.first_nonce, OLD.created_at)
    OR NEW.next_nonce NOT IN (OLD.next_nonce, OLD.next_nonce + 1)
    OR (NEW.next_nonce <> OLD.next_nonce AND (OLD.status = 'FROZEN' OR NEW.status = 'FROZEN'))
    OR (OLD.status, NEW.status) = ('FROZEN', 'ADOPTING') AND NEW.thawed_at IS NOT DISTINCT FROM OLD.thawed_at THEN
    RAISE EXCEPTION 'signer account %: nonces are used one by one, while it is not frozen', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  name := OLD.environment || '/' || OLD.network || '/' || OLD.address;
  IF OLD.status = 'FROZEN' AND NEW.status IN ('OPEN', 'ADOPTING')
    AND (approval_in_use('SIGNER_ACCOUNT_THAW', name, OLD.version)).id IS NULL THEN
    RAISE EXCEPTION 'signer account %: to thaw it takes two operators', OLD.address USING ERRCODE = 'check_violation';
  END IF;
  -- What a signer account has learnt from the chain, only the process that reads the chain says.
  IF (OLD.status, NEW.status) IN (('ADOPTING', 'OPEN'), ('RETIRING', 'RETIRED'))
    AND NOT pg_has_role(current_user, 'causeway_chain', 'USAGE') THEN
    RAISE EXCEPTION 'signer account %: only its own process says what it has learnt', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.status IN ('RETIRING', 'RETIRED') AND NEW.status NOT IN (OLD.status, 'RETIRED'))
    OR (OLD.status <> NEW.status AND NEW.status = 'RETIRED' AND OLD.status <> 'RETIRING')
    OR (OLD.status <> NEW.status AND NEW.status = 'RETIRING' AND (OLD.status <> 'FROZEN'
      OR coalesce((approval_in_use('SIGNER_ACCOUNT_RETIRE', name, OLD.version)).id <> NEW.retired_by, true)))
    OR (OLD.status = 'OPEN' AND NEW.status NOT IN ('OPEN', 'FROZEN'))
    OR (NEW.retired_by IS DISTINCT FROM OLD.retired_by AND NEW.status <> 'RETIRING') THEN
    RAISE EXCEPTION 'signer account %: it cannot go from % to %', OLD.address, OLD.status, NEW.status
      USING ERRCODE = 'check_violation';
  END IF;
  -- A restore that began later than a signer account was opened or thawed may have taken away what it signed; so says
  -- what froze it.
  NEW.may_still_pay := CASE WHEN (OLD.status, NEW.status) = ('FROZEN', 'RETIRING')
    THEN OLD.why NOT IN ('OPERATOR', 'SIGNING_REFUSED') OR OLD.suspicion IS NOT NULL
      OR EXISTS (SELECT FROM restore_mode r WHERE r.begun_at > coalesce(OLD.thawed_at, OLD.created_at))
    ELSE OLD.may_still_pay END;
  IF NEW.ended_by IS DISTINCT FROM OLD.ended_by AND ((OLD.status, NEW.status) <> ('RETIRING', 'RETIRING')
    OR coalesce((approval_in_use('SIGNER_ACCOUNT_RETIRE', name, OLD.version)).id <> NEW.ended_by, true)) THEN
    RAISE EXCEPTION 'signer account %: that nothing of it can be mined any more is said by two operators', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.status, NEW.status) = ('RETIRING', 'RETIRED') AND NEW.may_still_pay AND NEW.ended_by IS NULL THEN
    RAISE EXCEPTION 'signer account %: what it signed before may be mined still', OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  IF (OLD.status, OLD.why) IS DISTINCT FROM (NEW.status, NEW.why) THEN
    NEW.version := OLD.version + 1;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_signer_account BEFORE INSERT OR UPDATE ON chain_signer_accounts
  FOR EACH ROW EXECUTE FUNCTION guard_chain_signer_account();

-- A nonce that was taken and carries nothing would hold up every later one for ever.
CREATE FUNCTION check_nonces_have_no_gap() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM chain_nonces n
    WHERE (n.environment, n.network, n.address, n.nonce)
      = (NEW.environment, NEW.network, NEW.address, NEW.next_nonce - 1)) THEN
    RAISE EXCEPTION 'signer account %: nonce % carries nothing', NEW.address, NEW.next_nonce - 1
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER nonces_have_no_gap AFTER UPDATE ON chain_signer_accounts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.next_nonce <> OLD.next_nonce) EXECUTE FUNCTION check_nonces_have_no_gap();

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
  -- While a network may have paid what the database does not know, a transfer that waits cannot be REJECTED.
  -- That an operator gives it up is kept: it takes no nonce, and is REJECTED once the network is known not to
  -- have paid it.
  given_up_at timestamptz,
  -- Why it is REJECTED.
  reason text CHECK (reason ~ '^[A-Z_]{1,35}$'),
  -- How many nonces it has had whose transaction was reverted for good.
  reverts integer NOT NULL DEFAULT 0 CHECK (reverts BETWEEN 0 AND 4),
  -- The last word of the payment that was made of its state, so that each is made once.
  told text CHECK (told IN ('SETTLED', 'REORGANISED', 'FINAL', 'REJECTED')),
  -- What the payment was told that it waits for, and how often it was told of that. STALLED is told, too: an
  -- operator must look.
  told_hold text CHECK (told_hold IN ('AWAITING_LIQUIDITY', 'NETWORK_CONGESTED', 'STALLED')),
  told_holds integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((state = 'REJECTED') = (reason IS NOT NULL)),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
COMMENT ON TABLE chain_transfers IS
  'One transfer of tokens to a payment''s wallet, known by the reference of the attempt that it is made from. '
  'Rows are never deleted.';
CREATE INDEX chain_transfers_under_way ON chain_transfers (environment, network, created_at, reference)
  WHERE state IN ('WAITING', 'CARRIED', 'SETTLED') OR told IS DISTINCT FROM state;
CALL secure_scoped_table('chain_transfers');
GRANT UPDATE (state, hold, reason, reverts, told, told_hold, told_holds, updated_at, given_up_at) ON
  chain_transfers TO causeway_chain;
-- Rows come from the function below alone.
GRANT INSERT ON chain_transfers TO causeway_system_definer;
CREATE TRIGGER chain_transfers_stay BEFORE DELETE ON chain_transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What is to be paid does not change, and no funds go back while a nonce may still move them.
CREATE FUNCTION guard_chain_transfer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- A transfer is given up once, while it waits.
CREATE FUNCTION guard_given_up_transfer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' OR OLD.given_up_at IS NOT NULL OR OLD.state <> 'WAITING' OR NEW.state <> 'WAITING' THEN
    RAISE EXCEPTION 'transfer %: it is given up once, while it waits', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'given_up_while_it_waits';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER new_is_not_given_up BEFORE INSERT ON chain_transfers FOR EACH ROW
  WHEN (NEW.given_up_at IS NOT NULL) EXECUTE FUNCTION guard_given_up_transfer();
CREATE TRIGGER given_up_while_it_waits BEFORE UPDATE ON chain_transfers FOR EACH ROW
  WHEN (NEW.given_up_at IS DISTINCT FROM OLD.given_up_at) EXECUTE FUNCTION guard_given_up_transfer();

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
REVOKE ALL ON FUNCTION take_chain_transfer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_chain_transfer TO causeway_app;

-- Whichever transaction of the nonce is mined, its outcome is the transfer's.
CREATE TABLE chain_nonces (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  -- Null: no payment is known that it carries.
  reference text REFERENCES chain_transfers,
  -- The first half of SHA-256 of the reference, of a transfer that was found on the chain.
  mark bytea,
  -- OPEN: nothing of it is mined deep enough. SETTLED: the transfer is. FINAL: for good. REJECTED: for good
  -- something else is, which moved nothing.
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'SETTLED', 'FINAL', 'REJECTED')),
  -- From then on a transaction that moves nothing is signed for the nonce; what is mined decides.
  void_why text CHECK (void_why IN ('VOIDED', 'SIGNING_REFUSED')),
  -- How it ended: the transaction that is mined, and what it cost, in wei (a bigint ends at 9 ETH).
  mined_hash text CHECK (mined_hash ~ '^0x[0-9a-f]{64}$'),
  -- The block that holds the transaction of a nonce which is believed. While the nodes give fewer blocks than
  -- when it was believed, that they do not show it says nothing.
  mined_block bigint,
  fee numeric(78) CHECK (fee >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce),
  FOREIGN KEY (environment, network, address) REFERENCES chain_signer_accounts,
  CHECK (state IN ('OPEN', 'REJECTED') OR mined_hash IS NOT NULL),
  CONSTRAINT chain_nonces_mark_size CHECK (octet_length(mark) = 16)
);
COMMENT ON TABLE chain_nonces IS
  'One nonce of a signer account and the one thing that it carries. Only the signing process writes it, and rows '
  'are never deleted.';
-- Another nonce for a transfer only after its last one has ended without moving anything.
CREATE UNIQUE INDEX one_nonce_a_transfer ON chain_nonces (reference) WHERE state <> 'REJECTED';
CREATE INDEX chain_nonces_open ON chain_nonces (environment, network, address, nonce)
  WHERE state IN ('OPEN', 'SETTLED');
CREATE INDEX chain_nonces_unclaimed ON chain_nonces (environment, network, mark)
  WHERE mark IS NOT NULL AND reference IS NULL;
ALTER TABLE chain_nonces ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_nonces FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_nonces FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_nonces TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_nonces TO causeway_system;
GRANT SELECT, INSERT, UPDATE ON chain_nonces TO causeway_chain;
CREATE TRIGGER chain_nonces_stay BEFORE DELETE ON chain_nonces
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A nonce carries one thing, and ends by a transaction of its own, by one of which two operators say that it is
-- none of ours or what it paid, or without one where its address was given up. One transaction pays one
-- payment, and none that we made.
CREATE FUNCTION guard_chain_nonce() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'OPEN' OR num_nonnulls(NEW.void_why, NEW.mined_hash, NEW.fee) > 0
      OR NOT EXISTS (SELECT FROM chain_signer_accounts l WHERE (l.environment, l.network, l.address, l.next_nonce)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce + 1)) THEN
      RAISE EXCEPTION 'nonce % of %: it is not the signer account''s next', NEW.nonce, NEW.address
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
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash))
    -- Another's moved nothing for us, as far as two operators know.
    AND NOT (NEW.state = 'REJECTED' AND EXISTS (SELECT FROM chain_foreign_transactions f
      WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash)))
    -- It paid what the nonce carries, or did not, as two operators say.
    AND NOT (EXISTS (SELECT FROM chain_foreign_payments f
      WHERE (f.environment, f.network, f.address, f.nonce, f.hash, f.reference, f.outcome)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash, NEW.reference,
          CASE NEW.state WHEN 'REJECTED' THEN 'NOT_PAID' ELSE 'PAID' END))
      AND NOT EXISTS (SELECT FROM chain_transactions t WHERE t.hash = NEW.mined_hash)
      AND NOT EXISTS (SELECT FROM chain_foreign_payments f JOIN chain_nonces n USING (environment, network, address, nonce)
        WHERE (f.environment, f.network, f.hash) = (NEW.environment, NEW.network, NEW.mined_hash)
          AND n.mined_hash = f.hash AND (n.address, n.nonce) <> (NEW.address, NEW.nonce)))
    -- Nothing is ever signed for it again, and nothing was.
    AND NOT (NEW.state = 'REJECTED' AND NEW.mined_hash IS NULL
      AND EXISTS (SELECT FROM chain_signer_accounts l WHERE (l.environment, l.network, l.address, l.status)
        = (NEW.environment, NEW.network, NEW.address, 'RETIRED'))
      AND NOT EXISTS (SELECT FROM chain_transactions t
        WHERE (t.environment, t.network, t.address, t.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND t.raw IS NOT NULL)) THEN
    RAISE EXCEPTION 'nonce % of %: it was used by none of its transactions', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_nonce BEFORE INSERT OR UPDATE ON chain_nonces
  FOR EACH ROW EXECUTE FUNCTION guard_chain_nonce();

-- What was found on the chain becomes the transfer's still: its nonce is there, and nothing is signed for it.
CREATE FUNCTION guard_carried_transfer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.chain_transfers t
      WHERE t.reference = NEW.reference AND t.given_up_at IS NOT NULL) THEN
    RAISE EXCEPTION 'transfer %: it is given up, and takes no nonce', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'carried_is_not_given_up';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER carried_is_not_given_up BEFORE INSERT ON chain_nonces FOR EACH ROW
  WHEN (NEW.reference IS NOT NULL) EXECUTE FUNCTION guard_carried_transfer();

CREATE TABLE chain_transactions (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  number integer NOT NULL CHECK (number BETWEEN 0 AND 20),
  -- A sweep is neither a transfer nor becomes one. VOID: 0 wei from the address to itself.
  kind text NOT NULL CHECK (kind IN ('TRANSFER', 'SWEEP', 'TOP_UP', 'VOID')),
  is_found boolean NOT NULL DEFAULT false,
  unsigned bytea NOT NULL,
  -- In wei: what it gives to another hot address.
  value numeric(78) NOT NULL DEFAULT 0,
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
  CHECK (num_nulls(raw, hash, signed_at, signed_at_block) IN (0, 4)),
  CONSTRAINT chain_transactions_value
    CHECK (CASE WHEN kind = 'TOP_UP' THEN value > 0 ELSE value = 0 END)
);
COMMENT ON TABLE chain_transactions IS
  'One transaction that was signed, or is about to be, for a nonce: the first, or one with higher fees. Only the '
  'signing process writes it, and rows are never deleted.';
-- What was signed within the last hour: the caps of signers are asked for with every signature.
CREATE INDEX chain_transactions_signed ON chain_transactions (environment, network, signed_at)
  WHERE number = 0;
ALTER TABLE chain_transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_transactions FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_transactions FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_transactions TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_transactions TO causeway_system;
GRANT SELECT, INSERT, UPDATE ON chain_transactions TO causeway_chain;
CREATE TRIGGER chain_transactions_stay BEFORE DELETE ON chain_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What is signed is stored once, after it was planned, and is what its nonce carries: a transfer, a sweep, a
-- top-up of what was planned, or nothing. A top-up is found in no payment's nonce.
CREATE FUNCTION guard_chain_transaction() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  before chain_transactions;
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- What was found on the chain was signed before the restore.
    IF NEW.is_found THEN
      IF NEW.raw IS NULL THEN
        RAISE EXCEPTION 'a transaction that was found is signed' USING ERRCODE = 'check_violation';
      END IF;
      IF NEW.kind = 'TOP_UP' AND EXISTS (SELECT FROM chain_nonces n
          WHERE (n.environment, n.network, n.address, n.nonce)
            = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND n.reference IS NOT NULL) THEN
        RAISE EXCEPTION 'nonce % of %: a top-up is no payment', NEW.nonce, NEW.address
          USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END IF;
    IF NEW.raw IS NOT NULL THEN
      RAISE EXCEPTION 'a transaction is stored before it is signed' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.kind <> 'VOID' AND ((NEW.kind = 'SWEEP') <> EXISTS (SELECT FROM chain_sweeps s
        WHERE (s.environment, s.network, s.address, s.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce))
      OR (NEW.kind = 'TOP_UP') <> EXISTS (SELECT FROM chain_top_ups u
        WHERE (u.environment, u.network, u.address, u.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce)
          AND (NEW.kind <> 'TOP_UP' OR u.amount = NEW.value))) THEN
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
CREATE TRIGGER guard_chain_transaction BEFORE INSERT OR UPDATE ON chain_transactions
  FOR EACH ROW EXECUTE FUNCTION guard_chain_transaction();

-- Nothing is signed for an address that is frozen or given up, also where it was frozen while the signer
-- worked; and nothing is given to one: its key may be in other hands.
CREATE FUNCTION guard_signing_account() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.chain_signer_accounts l WHERE (l.environment, l.network, l.address)
      = (NEW.environment, NEW.network, NEW.address) AND l.status IN ('FROZEN', 'RETIRING', 'RETIRED')) THEN
    RAISE EXCEPTION 'signer account %: it signs nothing', NEW.address USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.kind = 'TOP_UP' AND NOT EXISTS (SELECT FROM public.chain_top_ups u JOIN public.chain_signer_accounts l
      ON (l.environment, l.network, l.address) = (u.environment, u.network, u.recipient)
      WHERE (u.environment, u.network, u.address, u.nonce)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND l.status = 'OPEN') THEN
    RAISE EXCEPTION 'top-up % of %: the signer account that it is for is not open', NEW.nonce, NEW.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER new_is_of_a_signing_account BEFORE INSERT ON chain_transactions
  FOR EACH ROW WHEN (NOT NEW.is_found) EXECUTE FUNCTION guard_signing_account();
CREATE TRIGGER signed_is_of_a_signing_account BEFORE UPDATE OF raw ON chain_transactions
  FOR EACH ROW WHEN (NEW.raw IS NOT NULL) EXECUTE FUNCTION guard_signing_account();

-- The operators name one transaction by its hash, or give up its address.
CREATE TABLE chain_foreign_transactions (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL CHECK (nonce >= 0),
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  approval_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce, hash),
  FOREIGN KEY (environment, network, address) REFERENCES chain_signer_accounts
);
COMMENT ON TABLE chain_foreign_transactions IS
  'One transaction that used a nonce of ours and was not made by us, as two operators said. Rows never change and '
  'are never deleted.';
ALTER TABLE chain_foreign_transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_foreign_transactions FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_foreign_transactions FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_foreign_transactions TO causeway_chain USING (true) WITH CHECK (true);
CREATE POLICY operators_say ON chain_foreign_transactions TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON chain_foreign_transactions TO causeway_system;
GRANT SELECT, INSERT ON chain_foreign_transactions TO causeway_console, causeway_chain;
CREATE TRIGGER chain_foreign_transactions_stay BEFORE UPDATE OR DELETE ON chain_foreign_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Two operators say it, or it is of a signer account that they gave up.
CREATE FUNCTION guard_foreign_transaction() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  account public.chain_signer_accounts;
  used public.approvals;
BEGIN
  SELECT * INTO account FROM public.chain_signer_accounts l
  WHERE (l.environment, l.network, l.address) = (NEW.environment, NEW.network, NEW.address);
  IF account.status IN ('RETIRING', 'RETIRED') AND account.retired_by = NEW.approval_id THEN
    RETURN NEW;
  END IF;
  used := public.approval_in_use('FOREIGN_NONCE',
    concat_ws('/', NEW.environment, NEW.network, NEW.address, NEW.nonce), account.version);
  IF used.id IS DISTINCT FROM NEW.approval_id OR used.content ->> 'hash' IS DISTINCT FROM NEW.hash THEN
    RAISE EXCEPTION 'nonce % of %: that it is none of ours is said by two operators', NEW.nonce, NEW.address
      USING ERRCODE = 'check_violation', CONSTRAINT = 'foreign_takes_two_operators';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_foreign_transaction BEFORE INSERT ON chain_foreign_transactions
  FOR EACH ROW EXECUTE FUNCTION guard_foreign_transaction();

-- The process that reads the chain acts on it only where both providers show the same.
CREATE TABLE chain_foreign_payments (
  environment text NOT NULL,
  network text NOT NULL,
  address text NOT NULL,
  nonce bigint NOT NULL,
  hash text NOT NULL CHECK (hash ~ '^0x[0-9a-f]{64}$'),
  -- PAID: it moved the payment's tokens. NOT_PAID: it moved others, and the payment goes on.
  outcome text NOT NULL CHECK (outcome IN ('PAID', 'NOT_PAID')),
  reference text NOT NULL REFERENCES chain_transfers,
  approval_id text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce, hash, outcome, reference),
  FOREIGN KEY (environment, network, address, nonce) REFERENCES chain_nonces
);
COMMENT ON TABLE chain_foreign_payments IS
  'What two operators said about a transaction that was not made by us and used the nonce of a payment: whether '
  'it paid the payment. Rows never change and are never deleted.';
CREATE INDEX chain_foreign_payments_by_hash ON chain_foreign_payments (environment, network, hash);
ALTER TABLE chain_foreign_payments ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_foreign_payments FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_foreign_payments FOR SELECT TO causeway_system USING (true);
CREATE POLICY operators_say ON chain_foreign_payments TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON chain_foreign_payments TO causeway_system;
GRANT SELECT, INSERT ON chain_foreign_payments TO causeway_console;
CREATE TRIGGER chain_foreign_payments_stay BEFORE UPDATE OR DELETE ON chain_foreign_payments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- It is said of the nonce that carries the payment, or of a transfer that was found, is no known payment's, and
-- has the mark of the payment's reference or one of the three attempts after it, while the payment waits; and
-- as the payment is now.
CREATE FUNCTION guard_foreign_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  paid_id text;
  paid_version integer;
  used public.approvals;
BEGIN
  SELECT p.id, p.version INTO paid_id, paid_version FROM public.chain_nonces n
  JOIN public.chain_transfers t ON (t.environment, t.network, t.reference)
    = (n.environment, n.network, NEW.reference)
  JOIN public.payments p ON p.id = t.payment_id
  WHERE (n.environment, n.network, n.address, n.nonce)
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce)
    AND n.state IN ('OPEN', 'SETTLED')
    AND (n.reference = NEW.reference OR n.reference IS NULL AND NEW.outcome = 'PAID' AND t.state = 'WAITING'
      AND n.mark IN (SELECT substring(sha256(convert_to(CASE WHEN later.n = 0 THEN NEW.reference
          WHEN right(NEW.reference, 2) ~ '^[0-9]{2}$' THEN left(NEW.reference, -2)
            || lpad((right(NEW.reference, 2)::integer + later.n)::text, 2, '0') END, 'UTF8')) FROM 1 FOR 16)
        FROM generate_series(0, 3) AS later (n))
      AND EXISTS (SELECT FROM public.chain_transactions m
        WHERE (m.environment, m.network, m.address, m.nonce, m.hash)
            = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.hash)
          AND m.is_found AND m.kind = 'TRANSFER'));
  used := public.approval_in_use('FOREIGN_PAYMENT', paid_id, paid_version);
  IF used.id = NEW.approval_id AND used.content @> jsonb_build_object('outcome', NEW.outcome, 'hash', NEW.hash,
      'reference', NEW.reference, 'network', NEW.network, 'address', NEW.address, 'nonce', NEW.nonce::text) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'nonce % of %: what it paid is said by two operators, of the payment that it carries',
    NEW.nonce, NEW.address
    USING ERRCODE = 'check_violation', CONSTRAINT = 'foreign_payment_takes_two_operators';
END $$;
CREATE TRIGGER guard_foreign_payment BEFORE INSERT ON chain_foreign_payments
  FOR EACH ROW EXECUTE FUNCTION guard_foreign_payment();

-- Where a transfer stands, for whoever has its reference. That it moved nothing is said of a network that went
-- back behind a final block only where its payment has heard it before.
CREATE FUNCTION find_chain_transfer(in_environment text, in_reference text)
RETURNS TABLE (state text, hold text, reason text, hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN s.is_kept THEN 'CARRIED' ELSE t.state END, t.hold,
    CASE WHEN NOT s.is_kept THEN t.reason END, n.mined_hash
  FROM public.chain_transfers t
  LEFT JOIN public.chain_nonces n ON n.reference = t.reference AND n.state IN ('SETTLED', 'FINAL')
  CROSS JOIN LATERAL (SELECT t.state = 'REJECTED' AND t.told IS DISTINCT FROM 'REJECTED'
    AND EXISTS (SELECT FROM public.chain_stops c WHERE c.environment = t.environment
      AND c.network = t.network AND c.lifted_at IS NULL) AS is_kept) AS s
  WHERE t.environment = in_environment AND t.reference = in_reference
$$;
REVOKE ALL ON FUNCTION find_chain_transfer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_chain_transfer TO causeway_app;

-- Whether an address of the network may have paid what the database does not know, or the network went back
-- behind a final block. Of a network without a signer account a restored database knows nothing at all.
CREATE FUNCTION is_chain_unsure(in_environment text, in_network text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM public.chain_stops s
    WHERE s.environment = in_environment AND s.network = in_network AND s.lifted_at IS NULL)
  OR EXISTS (SELECT FROM public.chain_signer_accounts l
    WHERE l.environment = in_environment AND l.network = in_network AND l.status <> 'RETIRED'
      AND (l.status IN ('ADOPTING', 'RETIRING') OR l.why IN ('RESTORED', 'NONCE_AHEAD', 'FOREIGN_TRANSACTION')
        OR l.suspicion IS NOT NULL OR EXISTS (SELECT FROM public.restore_mode r
          WHERE r.begun_at > coalesce(l.thawed_at, l.created_at))))
  OR (EXISTS (SELECT FROM public.restore_mode) AND NOT EXISTS (SELECT FROM public.chain_signer_accounts l
    WHERE l.environment = in_environment AND l.network = in_network))
$$;
REVOKE ALL ON FUNCTION is_chain_unsure FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_chain_unsure TO causeway_system;

-- Whether a network may have paid a reference, or one of the next attempts after it, without the database's
-- knowledge: the network is unsure, or a transfer with its mark was found and is no known payment's. What two
-- operators have looked at is one transaction, and not all that its nonce was ever used by.
CREATE FUNCTION may_chain_have_paid(in_environment text, in_network text, in_reference text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT public.is_chain_unsure(in_environment, in_network)
  OR EXISTS (
    SELECT FROM generate_series(0, 3) AS later (n) JOIN public.chain_nonces c
      ON c.environment = in_environment AND c.network = in_network AND c.reference IS NULL
      AND c.mark = substring(sha256(convert_to(CASE WHEN later.n = 0 THEN in_reference
        WHEN right(in_reference, 2) ~ '^[0-9]{2}$' THEN left(in_reference, -2)
          || lpad((right(in_reference, 2)::integer + later.n)::text, 2, '0') END, 'UTF8')) FROM 1 FOR 16)
    WHERE EXISTS (SELECT FROM public.chain_transactions t
      WHERE (t.environment, t.network, t.address, t.nonce) = (c.environment, c.network, c.address, c.nonce)
        AND t.is_found AND t.kind = 'TRANSFER' AND NOT EXISTS (SELECT FROM public.chain_foreign_transactions f
          WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
            = (t.environment, t.network, t.address, t.nonce, t.hash))))
$$;
REVOKE ALL ON FUNCTION may_chain_have_paid FROM PUBLIC;
GRANT EXECUTE ON FUNCTION may_chain_have_paid TO causeway_app, causeway_system, causeway_dashboard;

-- Funds go back, and another nonce is taken, only while no chain may have paid.
CREATE FUNCTION guard_unpaid_transfer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF public.may_chain_have_paid(NEW.environment, NEW.network, NEW.reference) THEN
    RAISE EXCEPTION 'transfer %: it may have been paid before the restore', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'chain_may_have_paid';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refused_is_unpaid BEFORE UPDATE ON chain_transfers FOR EACH ROW
  WHEN (NEW.state = 'REJECTED' AND OLD.state <> 'REJECTED') EXECUTE FUNCTION guard_unpaid_transfer();
CREATE TRIGGER carried_is_unpaid BEFORE INSERT ON chain_nonces FOR EACH ROW
  WHEN (NEW.reference IS NOT NULL) EXECUTE FUNCTION guard_unpaid_transfer();

-- The same of a payment whose funds would go back.
CREATE FUNCTION guard_unpaid_payment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  attempt RECORD;
BEGIN
  FOR attempt IN
    SELECT a.reference, t.state FROM public.settlement_attempts a
    LEFT JOIN public.chain_transfers t ON t.reference = a.reference
    WHERE a.environment = NEW.environment AND a.payment_id = NEW.id
  LOOP
    IF attempt.state IS DISTINCT FROM 'REJECTED' AND (attempt.state IS NOT NULL
      OR public.may_chain_have_paid(NEW.environment, NEW.rail, attempt.reference)) THEN
      RAISE EXCEPTION 'payment %: its network may have paid it', NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'chain_may_have_paid';
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER released_is_unpaid BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (NEW.wallet_id IS NOT NULL AND NEW.status IN ('FAILED', 'CANCELED', 'EXPIRED') AND OLD.status <> NEW.status)
  EXECUTE FUNCTION guard_unpaid_payment();

-- Effects work in a scope, whose role changes no signer account. Null: there is no such signer account, or it is not
-- frozen. What may have been paid without the database's knowledge is adopted first.
CREATE FUNCTION thaw_chain_signer_account(in_environment text, in_network text, in_address text, in_now timestamptz)
RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE chain_signer_accounts SET why = NULL, thawed_at = in_now, updated_at = in_now,
    status = CASE WHEN why IN ('OPERATOR', 'SIGNING_REFUSED') AND NOT EXISTS (SELECT FROM restore_mode r
      WHERE r.begun_at > coalesce(thawed_at, created_at)) THEN 'OPEN' ELSE 'ADOPTING' END
  WHERE (environment, network, address) = (in_environment, in_network, in_address) AND status = 'FROZEN'
  RETURNING status
$$;
REVOKE ALL ON FUNCTION thaw_chain_signer_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION thaw_chain_signer_account TO causeway_dashboard, causeway_console;

-- Gives a signer account up; where it may still pay, says in a second step that nothing of it can be mined any more.
-- False: there is no such signer account, or it is neither frozen nor one that may still pay and waits for this.
CREATE FUNCTION retire_chain_signer_account(in_environment text, in_network text, in_address text, in_approval text,
  in_now timestamptz)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE chain_signer_accounts SET status = 'RETIRING', why = NULL, fence = NULL, suspicion = NULL,
    retired_by = in_approval, updated_at = in_now
  WHERE (environment, network, address) = (in_environment, in_network, in_address) AND status = 'FROZEN';
  IF NOT FOUND THEN
    UPDATE chain_signer_accounts SET ended_by = in_approval, updated_at = in_now
    WHERE (environment, network, address) = (in_environment, in_network, in_address)
      AND status = 'RETIRING' AND may_still_pay AND ended_by IS NULL;
  END IF;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION retire_chain_signer_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION retire_chain_signer_account TO causeway_dashboard, causeway_console;

-- Effects work in a scope, whose role writes nothing about chains.
CREATE FUNCTION name_foreign_transaction(in_environment text, in_network text, in_address text, in_nonce bigint,
  in_hash text, in_approval text, in_now timestamptz)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO chain_foreign_transactions (environment, network, address, nonce, hash, approval_id, created_at)
  VALUES (in_environment, in_network, in_address, in_nonce, in_hash, in_approval, in_now)
$$;
REVOKE ALL ON FUNCTION name_foreign_transaction FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_foreign_transaction TO causeway_dashboard, causeway_console;

-- As name_foreign_transaction.
CREATE FUNCTION name_foreign_payment(in_environment text, in_network text, in_address text, in_nonce bigint,
  in_hash text, in_outcome text, in_reference text, in_approval text, in_now timestamptz)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO chain_foreign_payments (environment, network, address, nonce, hash, outcome, reference,
    approval_id, created_at)
  VALUES (in_environment, in_network, in_address, in_nonce, in_hash, in_outcome, in_reference, in_approval,
    in_now)
  ON CONFLICT (environment, network, address, nonce, hash, outcome, reference) DO NOTHING
$$;
REVOKE ALL ON FUNCTION name_foreign_payment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_foreign_payment TO causeway_dashboard, causeway_console;

-- Tokens at the address are swept to the treasury: a signer account signs a call of the factory for up to 50 addresses.
-- A sweep is not in the ledger, because the money stays ours.
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
  -- The version that the last sweep was to empty, and how many such sweeps there were; null where none was, or
  -- where the last one never ran.
  swept_version integer,
  sweeps integer NOT NULL DEFAULT 0 CHECK (sweeps >= 0),
  PRIMARY KEY (environment, network, asset, address)
);
COMMENT ON TABLE chain_unswept IS
  'One asset at one address where final deposits may still lie. The signing process deletes the row once nothing '
  'is left there.';
CREATE INDEX chain_unswept_due ON chain_unswept (environment, network, next_at);
ALTER TABLE chain_unswept ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_unswept FORCE ROW LEVEL SECURITY;
-- Rows come from deposits alone.
CREATE POLICY deposits_list ON chain_unswept TO causeway_system_definer USING (true) WITH CHECK (true);
CREATE POLICY chain_is_seen ON chain_unswept FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_unswept TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_unswept TO causeway_system;
GRANT SELECT, UPDATE (next_at, swept_version, sweeps), DELETE ON chain_unswept TO causeway_chain;
GRANT SELECT, INSERT, UPDATE (version, block_number, next_at) ON chain_unswept TO causeway_system_definer;

-- Of a deposit that is final, or kept.
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
REVOKE ALL ON FUNCTION list_unswept FROM PUBLIC;
-- What is kept lies at its address as what is final does, until it is swept.
CREATE TRIGGER list_unswept AFTER UPDATE ON deposits FOR EACH ROW
  WHEN (NEW.status IN ('FINAL', 'KEPT') AND OLD.status <> NEW.status) EXECUTE FUNCTION list_unswept();

CREATE TABLE chain_sweep_rounds (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network)
);
COMMENT ON TABLE chain_sweep_rounds IS
  'When the next round of sweeps on one network may begin. Only the signing process writes it, and no role may '
  'delete it.';
ALTER TABLE chain_sweep_rounds ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_sweep_rounds FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_sweep_rounds FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_sweep_rounds TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_sweep_rounds TO causeway_system;
GRANT SELECT, INSERT, UPDATE (next_at) ON chain_sweep_rounds TO causeway_chain;

-- A sweep that is over and moved nothing is planned again under another nonce.
CREATE TABLE chain_sweeps (
  environment text NOT NULL,
  network text NOT NULL,
  -- Of the signer account.
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
COMMENT ON TABLE chain_sweeps IS
  'One sweep of one asset to the treasury, carried by one nonce. Only the signing process writes it, and rows are '
  'never deleted.';
CREATE INDEX chain_sweeps_open ON chain_sweeps (environment, network, address) WHERE state = 'OPEN';
ALTER TABLE chain_sweeps ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_sweeps FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_sweeps FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_sweeps TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_sweeps TO causeway_system;
GRANT SELECT, INSERT, UPDATE (state, fee, updated_at) ON chain_sweeps TO causeway_chain;
CREATE TRIGGER chain_sweeps_stay BEFORE DELETE ON chain_sweeps
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Payments keep 12 of a signer account's 16 nonces. The signer account is locked by whoever takes a nonce, so the count
-- holds. A sweep ends as its nonce does, or without an effect where a payment's transfer was found in its place.
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
      WHERE (n.environment, n.network, n.address, n.nonce)
        = (OLD.environment, OLD.network, OLD.address, OLD.nonce)
        -- As its nonce ended, or without an effect where a payment's transfer was found in its place.
        AND (n.state = NEW.state OR (NEW.state = 'REJECTED' AND n.mark IS NOT NULL)))
    OR to_jsonb(NEW) - ARRAY['state', 'fee', 'updated_at']
      <> to_jsonb(OLD) - ARRAY['state', 'fee', 'updated_at'] THEN
    RAISE EXCEPTION 'sweep % of %: it ends as its nonce does', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_sweep BEFORE INSERT OR UPDATE ON chain_sweeps
  FOR EACH ROW EXECUTE FUNCTION guard_chain_sweep();

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
COMMENT ON TABLE chain_sweep_addresses IS
  'One address that one sweep empties. Only the signing process writes it, and rows are never deleted.';
CREATE UNIQUE INDEX one_open_sweep_an_address ON chain_sweep_addresses (environment, network, token, swept_address)
  WHERE is_open;
ALTER TABLE chain_sweep_addresses ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_sweep_addresses FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_sweep_addresses FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_sweep_addresses TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_sweep_addresses TO causeway_system;
GRANT SELECT, INSERT, UPDATE (is_open) ON chain_sweep_addresses TO causeway_chain;
CREATE TRIGGER chain_sweep_addresses_stay BEFORE DELETE ON chain_sweep_addresses
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

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

-- A sweep ends with its nonce, and its addresses with it.
CREATE FUNCTION end_chain_sweep() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE chain_sweeps s SET updated_at = NEW.updated_at,
    state = CASE WHEN NEW.mark IS NULL THEN NEW.state ELSE 'REJECTED' END,
    fee = CASE WHEN NEW.mark IS NULL THEN NEW.fee END
  WHERE (s.environment, s.network, s.address, s.nonce)
    = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND s.state = 'OPEN';
  UPDATE chain_sweep_addresses a SET is_open = false
  WHERE (a.environment, a.network, a.address, a.nonce)
    = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND a.is_open;
  -- A sweep that never ran says nothing of the addresses in it.
  IF NOT EXISTS (SELECT FROM chain_transactions t WHERE (t.environment, t.network, t.address, t.nonce, t.hash)
      = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash) AND t.kind = 'SWEEP') THEN
    UPDATE chain_unswept u SET swept_version = NULL, sweeps = 0
    FROM chain_sweeps s JOIN chain_sweep_addresses a USING (environment, network, address, nonce)
    WHERE (s.environment, s.network, s.address, s.nonce)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce)
      AND (u.environment, u.network, u.asset, u.address)
        = (s.environment, s.network, s.asset, a.swept_address);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER end_chain_sweep AFTER UPDATE ON chain_nonces
  FOR EACH ROW WHEN (NEW.state IN ('FINAL', 'REJECTED') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION end_chain_sweep();
CREATE TRIGGER end_found_sweep AFTER UPDATE ON chain_nonces
  FOR EACH ROW WHEN (NEW.mark IS NOT NULL AND OLD.mark IS NULL) EXECUTE FUNCTION end_chain_sweep();

CREATE TABLE chain_top_ups (
  environment text NOT NULL,
  network text NOT NULL,
  -- Of the signer account that pays.
  address text NOT NULL,
  nonce bigint NOT NULL,
  -- The signer account that is short.
  recipient text NOT NULL,
  -- In wei.
  amount numeric(78) NOT NULL CHECK (amount > 0),
  -- The final block at which it was short.
  planned_block bigint NOT NULL CHECK (planned_block >= 0),
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'FINAL', 'REJECTED')),
  -- The block that holds it.
  block_number bigint CHECK (block_number >= 0),
  -- What the transaction that was mined cost, in wei.
  fee numeric(78) CHECK (fee >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, address, nonce),
  FOREIGN KEY (environment, network, address, nonce) REFERENCES chain_nonces,
  FOREIGN KEY (environment, network, recipient) REFERENCES chain_signer_accounts,
  CHECK (recipient <> address),
  CHECK (state <> 'FINAL' OR block_number IS NOT NULL)
);
COMMENT ON TABLE chain_top_ups IS
  'One plain transfer of the network''s coin from one hot address to another that is short of gas, carried by one '
  'nonce. Only the signing process writes it, and rows are never deleted.';
CREATE UNIQUE INDEX one_open_top_up_an_account ON chain_top_ups (environment, network, recipient, address)
  WHERE state = 'OPEN';
CREATE INDEX chain_top_ups_of_an_account ON chain_top_ups (environment, network, recipient, updated_at);
ALTER TABLE chain_top_ups ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_top_ups FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_top_ups FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_top_ups TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_top_ups TO causeway_system;
GRANT SELECT, INSERT, UPDATE (state, block_number, fee, updated_at) ON chain_top_ups TO causeway_chain;
CREATE TRIGGER chain_top_ups_stay BEFORE DELETE ON chain_top_ups
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- One top-up a signer account at a time, to a signer account that is open on a network that is sure; it ends as its
-- nonce does.
CREATE FUNCTION guard_chain_top_up() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- Another plan for the same signer account waits here, and sees this one afterwards.
    PERFORM FROM chain_signer_accounts l WHERE (l.environment, l.network, l.address, l.status)
      = (NEW.environment, NEW.network, NEW.recipient, 'OPEN') FOR UPDATE;
    IF NOT FOUND OR is_chain_unsure(NEW.environment, NEW.network) THEN
      RAISE EXCEPTION 'top-up % of %: % may not be given anything', NEW.nonce, NEW.address, NEW.recipient
        USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.state <> 'OPEN' OR num_nonnulls(NEW.block_number, NEW.fee) > 0
      OR NOT EXISTS (SELECT FROM chain_nonces n WHERE (n.environment, n.network, n.address, n.nonce)
          = (NEW.environment, NEW.network, NEW.address, NEW.nonce)
        AND n.state = 'OPEN' AND n.reference IS NULL AND n.mark IS NULL)
      OR EXISTS (SELECT FROM chain_sweeps s WHERE (s.environment, s.network, s.address, s.nonce)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce)) THEN
      RAISE EXCEPTION 'top-up % of %: its nonce carries something else', NEW.nonce, NEW.address
        USING ERRCODE = 'check_violation';
    END IF;
    -- What a block before the last top-up says does not show it. What a signer account that was given up has sent for
    -- good is mined or never is; nothing waits for that.
    IF EXISTS (SELECT FROM chain_top_ups u JOIN chain_signer_accounts g USING (environment, network, address)
      WHERE (u.environment, u.network, u.recipient) = (NEW.environment, NEW.network, NEW.recipient)
        AND ((u.state = 'OPEN' AND g.status <> 'RETIRED') OR u.block_number > NEW.planned_block)) THEN
      RAISE EXCEPTION 'top-up % of %: another one for % is under way', NEW.nonce, NEW.address, NEW.recipient
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.state <> 'OPEN'
    OR to_jsonb(NEW) - ARRAY['state', 'block_number', 'fee', 'updated_at']
      <> to_jsonb(OLD) - ARRAY['state', 'block_number', 'fee', 'updated_at']
    OR (NEW.state = 'OPEN' AND NEW.fee IS NOT NULL)
    OR (NEW.state <> 'OPEN' AND NOT EXISTS (SELECT FROM chain_nonces n
      WHERE (n.environment, n.network, n.address, n.nonce)
          = (OLD.environment, OLD.network, OLD.address, OLD.nonce)
        -- As its nonce ended, or without an effect where something else was found in its place.
        AND CASE NEW.state WHEN 'FINAL' THEN n.state = 'FINAL' AND n.mark IS NULL
          ELSE n.state IN ('FINAL', 'REJECTED') OR n.mark IS NOT NULL END)) THEN
    RAISE EXCEPTION 'top-up % of %: it ends as its nonce does', OLD.nonce, OLD.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_chain_top_up BEFORE INSERT OR UPDATE ON chain_top_ups
  FOR EACH ROW EXECUTE FUNCTION guard_chain_top_up();

-- FINAL where the transaction that was made for it was mined; what was found on the chain may be another's plan.
CREATE FUNCTION end_chain_top_up() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_given boolean := NEW.state = 'FINAL' AND NEW.mark IS NULL AND EXISTS (SELECT FROM chain_transactions t
    WHERE (t.environment, t.network, t.address, t.nonce, t.hash)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce, NEW.mined_hash)
      AND t.kind = 'TOP_UP' AND NOT t.is_found);
BEGIN
  UPDATE chain_top_ups u SET updated_at = NEW.updated_at,
    state = CASE WHEN is_given THEN 'FINAL' ELSE 'REJECTED' END,
    fee = CASE WHEN NEW.mark IS NULL THEN NEW.fee END
  WHERE (u.environment, u.network, u.address, u.nonce)
    = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND u.state = 'OPEN';
  RETURN NULL;
END $$;
CREATE TRIGGER end_chain_top_up AFTER UPDATE ON chain_nonces
  FOR EACH ROW WHEN (NEW.reference IS NULL AND NEW.state IN ('FINAL', 'REJECTED') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION end_chain_top_up();
CREATE TRIGGER end_found_top_up AFTER UPDATE ON chain_nonces
  FOR EACH ROW WHEN (NEW.mark IS NOT NULL AND OLD.mark IS NULL) EXECUTE FUNCTION end_chain_top_up();

CREATE TABLE chain_hot_levels (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL,
  asset text NOT NULL,
  level text NOT NULL CHECK (level IN ('LOW', 'WITHIN', 'HIGH')),
  looked_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, asset)
);
COMMENT ON TABLE chain_hot_levels IS
  'How the tokens of one asset at the hot addresses of a network compare to its floor and cap, as operators were '
  'told last. Only the signing process writes it.';
ALTER TABLE chain_hot_levels ENABLE ROW LEVEL SECURITY;
ALTER TABLE chain_hot_levels FORCE ROW LEVEL SECURITY;
CREATE POLICY chain_is_seen ON chain_hot_levels FOR SELECT TO causeway_system USING (true);
CREATE POLICY the_signer_writes ON chain_hot_levels TO causeway_chain USING (true) WITH CHECK (true);
GRANT SELECT ON chain_hot_levels TO causeway_system;
GRANT SELECT, INSERT, UPDATE (level, looked_at) ON chain_hot_levels TO causeway_chain;

-- What is known of a reference, or of any other attempt of the same payment, outside of its payment. One row.
-- SEEN: a statement or a callback that no payment explains says that it moved money, or a network carries it:
-- `place` is which, `reference` under which one. UNSURE: the networks in `place` may carry it, for their hot
-- addresses were not all looked at since a restore. Both but for one network. Null: nothing.
CREATE FUNCTION find_paid_before_restore(in_environment text, in_reference text, in_except text)
RETURNS TABLE (word text, place text, reference text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH named (all_of) AS (
    SELECT array_agg(left(in_reference, -2) || lpad(n::text, 2, '0')) FROM generate_series(1, 99) AS n
  ), seen (place, reference) AS (
    -- What cancels out on its own statement moved nothing.
    SELECT 'statement of ' || s.connector, upper(l.reference)
    FROM named, public.statement_lines l JOIN public.statements s ON s.id = l.statement_id
    WHERE l.environment = in_environment AND upper(l.reference) = ANY (named.all_of) AND l.booked
      AND l.outcome IS DISTINCT FROM 'OFFSET'
    UNION ALL
    SELECT 'callback', upper(r.reference) FROM named, public.transfer_reports r
    WHERE r.payment_id IS NULL AND r.environment = in_environment AND upper(r.reference) = ANY (named.all_of)
      AND r.status IN ('SETTLED', 'RETURNED')
    UNION ALL
    SELECT c.network, one.reference
    FROM named, unnest(named.all_of) AS one (reference) JOIN public.chain_nonces c
      ON c.environment = in_environment AND c.network IS DISTINCT FROM in_except AND c.reference IS NULL
      AND c.mark = substring(sha256(convert_to(one.reference, 'UTF8')) FROM 1 FOR 16)
    WHERE EXISTS (SELECT FROM public.chain_transactions t
      WHERE (t.environment, t.network, t.address, t.nonce) = (c.environment, c.network, c.address, c.nonce)
        AND t.is_found AND t.kind = 'TRANSFER' AND NOT EXISTS (SELECT FROM public.chain_foreign_transactions f
          WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
            = (t.environment, t.network, t.address, t.nonce, t.hash)))
    LIMIT 1
  ), unsure (networks) AS (
    SELECT string_agg(used.network, ' ' ORDER BY used.network)
    FROM (SELECT DISTINCT l.network FROM public.chain_signer_accounts l
      WHERE l.environment = in_environment AND l.network IS DISTINCT FROM in_except) AS used
    WHERE public.is_chain_unsure(in_environment, used.network)
  )
  SELECT CASE WHEN seen.place IS NOT NULL THEN 'SEEN' WHEN unsure.networks IS NOT NULL THEN 'UNSURE' END,
    coalesce(seen.place, unsure.networks), seen.reference
  FROM unsure LEFT JOIN seen ON true
$$;
REVOKE ALL ON FUNCTION find_paid_before_restore FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_paid_before_restore TO causeway_app;

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer, causeway_system_definer;
ALTER FUNCTION thaw_chain_signer_account OWNER TO causeway_console_definer;
ALTER FUNCTION retire_chain_signer_account OWNER TO causeway_console_definer;
ALTER FUNCTION name_foreign_transaction OWNER TO causeway_console_definer;
ALTER FUNCTION name_foreign_payment OWNER TO causeway_console_definer;
ALTER FUNCTION take_chain_transfer OWNER TO causeway_system_definer;
ALTER FUNCTION find_chain_transfer OWNER TO causeway_system_definer;
ALTER FUNCTION is_chain_unsure OWNER TO causeway_system_definer;
ALTER FUNCTION may_chain_have_paid OWNER TO causeway_system_definer;
ALTER FUNCTION guard_unpaid_transfer OWNER TO causeway_system_definer;
ALTER FUNCTION guard_unpaid_payment OWNER TO causeway_system_definer;
ALTER FUNCTION list_unswept OWNER TO causeway_system_definer;
ALTER FUNCTION find_paid_before_restore OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer, causeway_system_definer;
