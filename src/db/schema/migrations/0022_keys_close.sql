-- A closed key is bound to no request, for ever: no request equals its empty hash, so the release before this one answers
-- idempotency_key_mismatch to each.
ALTER TABLE idempotency_keys ADD COLUMN closed boolean NOT NULL DEFAULT false;
COMMENT ON TABLE idempotency_keys IS
  'One answered request of a partner, so that its repeat gets the same answer, or a key that its partner closed. Rows of '
  'payments and closed keys stay; all others are deleted after 30 days.';

CREATE FUNCTION refuse_opening_closed_key() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'a closed key stays closed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER closed_key_stays_closed BEFORE UPDATE OR DELETE ON idempotency_keys
  FOR EACH ROW WHEN (OLD.closed) EXECUTE FUNCTION refuse_opening_closed_key();
