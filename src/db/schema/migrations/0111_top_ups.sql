-- A hot address whose gas runs short is topped up by another one of its network: a plain transfer of the network's coin,
-- carried by a nonce as everything else is. What tokens lie at hot addresses is held against a floor and a cap.
ALTER TABLE chain_transactions
  -- In wei: what it gives to another hot address.
  ADD COLUMN value numeric(78) NOT NULL DEFAULT 0;
ALTER TABLE chain_transactions DROP CONSTRAINT chain_transactions_kind_check;
ALTER TABLE chain_transactions
  ADD CONSTRAINT chain_transactions_kind_check
    CHECK (kind IN ('TRANSFER', 'SWEEP', 'TOP_UP', 'VOID')) NOT VALID,
  ADD CONSTRAINT chain_transactions_value
    CHECK (CASE WHEN kind = 'TOP_UP' THEN value > 0 ELSE value = 0 END) NOT VALID;

-- A top-up is what its nonce carries.
CREATE TABLE chain_top_ups (
  environment text NOT NULL,
  network text NOT NULL,
  -- Of the lane that pays.
  address text NOT NULL,
  nonce bigint NOT NULL,
  -- The lane that is short.
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
  FOREIGN KEY (environment, network, recipient) REFERENCES chain_lanes,
  CHECK (recipient <> address),
  CHECK (state <> 'FINAL' OR block_number IS NOT NULL)
);
CREATE UNIQUE INDEX one_open_top_up_a_lane ON chain_top_ups (environment, network, recipient, address)
  WHERE state = 'OPEN';
CREATE INDEX chain_top_ups_of_a_lane ON chain_top_ups (environment, network, recipient, updated_at);

CREATE FUNCTION guard_chain_top_up() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- Another plan for the same lane waits here, and sees this one afterwards.
    PERFORM FROM chain_lanes l WHERE (l.environment, l.network, l.address, l.status)
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
    -- What a block before the last top-up says does not show it. What a lane that was given up has sent for good is
    -- mined or never is; nothing waits for that.
    IF EXISTS (SELECT FROM chain_top_ups u JOIN chain_lanes g USING (environment, network, address)
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
CREATE TRIGGER chain_top_ups_stay BEFORE DELETE ON chain_top_ups
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

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

-- As before; and a top-up is neither a transfer nor a sweep, gives what was planned, and is found in no payment's nonce.
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

-- As before; and nothing is given to a lane that was frozen or given up meanwhile: its key may be in other hands.
CREATE OR REPLACE FUNCTION guard_signing_lane() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.chain_lanes l WHERE (l.environment, l.network, l.address)
      = (NEW.environment, NEW.network, NEW.address) AND l.status IN ('FROZEN', 'RETIRING', 'RETIRED')) THEN
    RAISE EXCEPTION 'lane %: it signs nothing', NEW.address USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.kind = 'TOP_UP' AND NOT EXISTS (SELECT FROM public.chain_top_ups u JOIN public.chain_lanes l
      ON (l.environment, l.network, l.address) = (u.environment, u.network, u.recipient)
      WHERE (u.environment, u.network, u.address, u.nonce)
        = (NEW.environment, NEW.network, NEW.address, NEW.nonce) AND l.status = 'OPEN') THEN
    RAISE EXCEPTION 'top-up % of %: the lane that it is for is not open', NEW.nonce, NEW.address
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- How what lies at the hot addresses of a network stands to the asset's floor and cap, as it was told last.
CREATE TABLE chain_hot_levels (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL,
  asset text NOT NULL,
  level text NOT NULL CHECK (level IN ('LOW', 'WITHIN', 'HIGH')),
  looked_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, asset)
);

DO $$
DECLARE
  target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['chain_top_ups', 'chain_hot_levels'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY chain_is_seen ON %I FOR SELECT TO causeway_system USING (true)', target);
    EXECUTE format('CREATE POLICY the_signer_writes ON %I TO causeway_chain USING (true) WITH CHECK (true)',
      target);
    EXECUTE format('GRANT SELECT ON %I TO causeway_system, causeway_chain', target);
  END LOOP;
END $$;
GRANT INSERT, UPDATE (state, block_number, fee, updated_at) ON chain_top_ups TO causeway_chain;
GRANT INSERT, UPDATE (level, looked_at) ON chain_hot_levels TO causeway_chain;
