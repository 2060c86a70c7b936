-- A sweep whose nonce turns out to be a payment's ends, and an address that sweeps do not empty is left for a while.
ALTER TABLE chain_unswept
  -- The version that the last sweep was to empty, and how many such sweeps there were; null where none was, or where the
  -- last one never ran.
  ADD COLUMN swept_version integer,
  ADD COLUMN sweeps integer NOT NULL DEFAULT 0 CHECK (sweeps >= 0);
GRANT UPDATE (swept_version, sweeps) ON chain_unswept TO causeway_chain;

CREATE OR REPLACE FUNCTION guard_chain_sweep() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE FUNCTION end_chain_sweep() RETURNS trigger LANGUAGE plpgsql
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
CREATE TRIGGER end_found_sweep AFTER UPDATE ON chain_nonces
  FOR EACH ROW WHEN (NEW.mark IS NOT NULL AND OLD.mark IS NULL) EXECUTE FUNCTION end_chain_sweep();
