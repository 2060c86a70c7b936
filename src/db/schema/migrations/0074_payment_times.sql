-- When a payment was accepted is what its day is summed by: it is kept like the rest of what was ordered.
CREATE FUNCTION refuse_other_acceptance() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payment %: when it was accepted cannot change', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
-- Fires for statements that name the column: those that move payments do not.
CREATE TRIGGER acceptance_is_kept BEFORE UPDATE OF created_at ON payments FOR EACH ROW
  WHEN (NEW.created_at IS DISTINCT FROM OLD.created_at) EXECUTE FUNCTION refuse_other_acceptance();
