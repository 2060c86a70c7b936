-- Of the admins who are confirmed and may log in one stays: nobody could confirm an account any more, nor disable one
-- in the console. Of two who end each other's accounts at once, one is refused.
CREATE FUNCTION keep_an_admin() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('operators', 0));
  IF NOT EXISTS (SELECT FROM public.operators o WHERE o.role = 'ADMIN' AND o.status = 'ACTIVE'
                 AND o.confirmed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'operator %: the last admin stays', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'an_admin_stays';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_an_admin AFTER UPDATE ON operators FOR EACH ROW
  WHEN (OLD.role = 'ADMIN' AND OLD.status = 'ACTIVE' AND OLD.confirmed_at IS NOT NULL
    AND (NEW.role <> 'ADMIN' OR NEW.status <> 'ACTIVE' OR NEW.confirmed_at IS NULL))
  EXECUTE FUNCTION keep_an_admin();
CREATE TRIGGER keep_an_admin_of_deleted AFTER DELETE ON operators FOR EACH ROW
  WHEN (OLD.role = 'ADMIN' AND OLD.status = 'ACTIVE' AND OLD.confirmed_at IS NOT NULL)
  EXECUTE FUNCTION keep_an_admin();

GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION keep_an_admin() OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
