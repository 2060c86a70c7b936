-- Every address is asked about with each look at each network, for 30 days after it was disabled, too: 50 in use of an
-- end-user, 10,000 in use of a customer in an environment, and 20,000 of it that are looked at. While restore mode is
-- on, what a lost life gave out is given out again: as many as two lives may have that are looked at, and no less. The
-- lock puts addresses that are made at once in order; the API takes it before it counts.
CREATE FUNCTION limit_deposit_addresses() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  of_customer integer;
  of_end_user integer;
  disabled integer;
BEGIN
  PERFORM pg_advisory_xact_lock(
    hashtextextended('deposit-addresses:' || NEW.customer_id || ':' || NEW.environment, 0));
  SELECT count(*), count(*) FILTER (WHERE a.end_user_id = NEW.end_user_id) INTO of_customer, of_end_user
  FROM deposit_addresses a
  WHERE a.customer_id = NEW.customer_id AND a.environment = NEW.environment AND a.status = 'ACTIVE';
  SELECT count(*) INTO disabled FROM deposit_addresses a
  WHERE a.customer_id = NEW.customer_id AND a.environment = NEW.environment AND a.status = 'DISABLED'
    AND a.updated_at > NEW.created_at - interval '720 hours';
  IF EXISTS (SELECT FROM restore_mode r WHERE r.ended_at IS NULL OR r.ended_at > NEW.created_at) THEN
    IF of_customer + disabled <= 40000 THEN
      RETURN NULL;
    END IF;
  ELSIF of_customer <= 10000 AND of_end_user <= 50 AND of_customer + disabled <= 20000 THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'deposit address %: there are as many as may be already', NEW.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'deposit_addresses_at_most';
END $$;
CREATE TRIGGER limit_deposit_addresses AFTER INSERT ON deposit_addresses
  FOR EACH ROW EXECUTE FUNCTION limit_deposit_addresses();
