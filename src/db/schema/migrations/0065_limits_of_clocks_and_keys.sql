-- What a process says the time is may be early, and late by five minutes: a clock that is wrong, or a caller that
-- lies, lets nothing run out before its time.
-- Runs before guard_approval, by its name: what has not run out is refused by operators alone.
CREATE FUNCTION bound_decision_time() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.decided_at := least(NEW.decided_at, date_trunc('milliseconds', clock_timestamp()) + interval '5 minutes');
  RETURN NEW;
END $$;
CREATE TRIGGER bound_decision_time BEFORE UPDATE ON approvals FOR EACH ROW
  WHEN (NEW.decided_at IS DISTINCT FROM OLD.decided_at) EXECUTE FUNCTION bound_decision_time();

-- As before, at a moment that is not to come.
CREATE OR REPLACE FUNCTION advance_access_request(of_id text, step text, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  moment := least(moment, date_trunc('milliseconds', clock_timestamp()) + interval '5 minutes');
  CASE step
  WHEN 'TELL' THEN
    UPDATE access_requests SET told_at = moment, due_at = created_at + interval '2 days'
    WHERE id = of_id AND status = 'WAITING' AND told_at IS NULL;
  WHEN 'REMIND' THEN
    UPDATE access_requests SET reminded_at = moment, due_at = expires_at
    WHERE id = of_id AND status = 'WAITING' AND told_at IS NOT NULL AND reminded_at IS NULL
      AND created_at + interval '2 days' <= moment;
  WHEN 'EXPIRE' THEN
    UPDATE access_requests SET status = 'EXPIRED', decided_at = moment, erased_at = moment,
      address_hash = NULL, details = NULL, due_at = NULL
    WHERE id = of_id AND status = 'WAITING' AND expires_at <= moment;
  WHEN 'FUND' THEN
    UPDATE access_requests SET funded_at = moment, due_at = decided_at + interval '30 days'
    WHERE id = of_id AND status = 'APPROVED' AND funded_at IS NULL;
  WHEN 'ERASE' THEN
    UPDATE access_requests SET erased_at = moment, address_hash = NULL, details = NULL, due_at = NULL
    WHERE id = of_id AND status IN ('APPROVED', 'DECLINED') AND erased_at IS NULL
      AND (status = 'DECLINED' OR funded_at IS NOT NULL) AND decided_at + interval '30 days' <= moment;
  END CASE;
  RETURN FOUND;
END $$;

-- Ten keys that work, and ten more that are being replaced: of a key that is rotated again and again each one works on
-- until its overlap is over. The lock puts keys that are made at once in order.
CREATE OR REPLACE FUNCTION keep_ten_api_keys() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moment constant timestamptz := least(NEW.created_at, clock_timestamp());
  working integer;
  replaced integer;
BEGIN
  PERFORM pg_advisory_xact_lock(
    hashtextextended('api-keys:' || NEW.customer_id || ':' || NEW.environment, 0));
  SELECT count(*) FILTER (WHERE k.replaced_by IS NULL), count(k.replaced_by) INTO working, replaced
  FROM api_keys k
  WHERE k.customer_id = NEW.customer_id AND k.environment = NEW.environment
    AND (k.revoked_at IS NULL OR k.revoked_at > moment) AND (k.expires_at IS NULL OR k.expires_at > moment);
  IF working > 10 THEN
    RAISE EXCEPTION 'API key %: ten keys work already', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ten_keys_at_most';
  END IF;
  IF replaced > 10 THEN
    RAISE EXCEPTION 'API key %: ten keys are being replaced already', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ten_replaced_keys_at_most';
  END IF;
  RETURN NULL;
END $$;
