-- A company that was never looked up in the sanctions list neither asks for live access nor gets it. The names of one
-- whose data changed were not looked up either. Of what was found nothing is told here: a hit asks like all others,
-- and `guard_live_access` keeps it from being let in.
CREATE FUNCTION require_screened_company(customer text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  was_customer text := current_setting('causeway.customer', true);
  was_environment text := current_setting('causeway.environment', true);
  is_screened boolean;
BEGIN
  -- Companies are rows of the house: a role that sees one scope looks there, and goes back.
  PERFORM set_config('causeway.customer', 'cus_house', true),
    set_config('causeway.environment', 'live', true);
  is_screened := EXISTS (SELECT FROM end_users e
    WHERE e.customer_id = 'cus_house' AND e.environment = 'live' AND e.external_id = customer
      AND e.screening_status <> 'UNSCREENED');
  PERFORM set_config('causeway.customer', coalesce(was_customer, ''), true),
    set_config('causeway.environment', coalesce(was_environment, ''), true);
  IF NOT is_screened THEN
    RAISE EXCEPTION 'customer %: its company was not looked up in the sanctions list', customer
      USING ERRCODE = 'check_violation', CONSTRAINT = 'a_company_is_screened_first';
  END IF;
END $$;

CREATE FUNCTION guard_screened_request() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM require_screened_company(NEW.customer_id);
  RETURN NEW;
END $$;
CREATE TRIGGER guard_screened_request BEFORE INSERT ON live_access_requests
  FOR EACH ROW EXECUTE FUNCTION guard_screened_request();

CREATE FUNCTION guard_screened_live_access() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM require_screened_company(NEW.id);
  RETURN NEW;
END $$;
-- After `guard_live_access`, which is fired first by its name and holds the company's row.
CREATE TRIGGER guard_screened_live_access BEFORE UPDATE ON customers FOR EACH ROW
  WHEN (NEW.live_access AND NOT OLD.live_access) EXECUTE FUNCTION guard_screened_live_access();
