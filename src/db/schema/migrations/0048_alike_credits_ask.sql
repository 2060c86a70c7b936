-- Of two credits that may be one booking, the second one is assigned or tied only where the operators say that both came:
-- whichever of them left suspense first.
CREATE FUNCTION ask_about_alike() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  approval approvals := approval_in_use(
    CASE NEW.outcome WHEN 'TIED' THEN 'EXCEPTION_ACT' ELSE 'CREDIT_ASSIGNMENT' END, NEW.id, 1);
  alike text;
BEGIN
  SELECT d.said INTO alike FROM decided_alike(NEW.id) d;
  IF alike IS NOT NULL AND approval.content ->> 'bothCame' IS DISTINCT FROM 'yes' THEN
    RAISE EXCEPTION '%', alike USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION ask_about_alike FROM PUBLIC;
CREATE TRIGGER ask_about_alike BEFORE UPDATE ON incoming_credits FOR EACH ROW
  WHEN (OLD.outcome IS NULL AND NEW.outcome IN ('ASSIGNED', 'TIED'))
  EXECUTE FUNCTION ask_about_alike();

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION ask_about_alike OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
