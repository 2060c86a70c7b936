-- How often what identifies an end-user has changed, and which of those versions a KYC check is about.
-- A check that the version of the software before writes meanwhile counts as one about the first: it may
-- have to be started again, and approves nobody by mistake.
ALTER TABLE end_users ADD COLUMN identity_version integer NOT NULL DEFAULT 1;
ALTER TABLE kyc_checks ADD COLUMN identity_version integer NOT NULL DEFAULT 1;

-- The version before does not know the rule, and must not break it while both run.
CREATE FUNCTION refuse_outdated_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM end_users e
             WHERE e.customer_id = NEW.customer_id AND e.environment = NEW.environment
               AND e.id = NEW.end_user_id AND e.identity_version <> NEW.identity_version) THEN
    RAISE EXCEPTION 'kyc check % is about data that has changed since', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_outdated_approval BEFORE UPDATE ON kyc_checks
  FOR EACH ROW WHEN (NEW.status = 'APPROVED' AND OLD.status <> 'APPROVED')
  EXECUTE FUNCTION refuse_outdated_approval();
