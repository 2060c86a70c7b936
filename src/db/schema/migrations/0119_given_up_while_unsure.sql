-- While a network may have paid what the database does not know, a transfer that waits cannot be REJECTED. That an operator
-- gives it up is kept: it takes no nonce, and is REJECTED once the network is known not to have paid it.
ALTER TABLE chain_transfers ADD COLUMN given_up_at timestamptz;
GRANT UPDATE (given_up_at) ON chain_transfers TO causeway_chain;

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
