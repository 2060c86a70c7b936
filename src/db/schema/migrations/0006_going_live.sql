-- Going live. A company is checked as a BUSINESS end-user of cus_platform in live whose external id is its
-- customer's: sealing, rounds of KYC and what a change of its data does are those of end-users.

CREATE TABLE live_terms (
  version integer PRIMARY KEY CHECK (version > 0),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 200000),
  published_by text NOT NULL CHECK (length(published_by) BETWEEN 1 AND 100),
  published_at timestamptz NOT NULL
);
COMMENT ON TABLE live_terms IS
  'One version of the terms that a customer accepts before it goes live. Only the role causeway_console adds one; '
  'rows never change and are never deleted.';
ALTER TABLE live_terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE live_terms FORCE ROW LEVEL SECURITY;
CREATE POLICY terms_are_seen ON live_terms FOR SELECT TO causeway_dashboard, causeway_console USING (true);
CREATE POLICY terms_are_published ON live_terms FOR INSERT TO causeway_console WITH CHECK (true);
GRANT SELECT ON live_terms TO causeway_dashboard;
GRANT SELECT, INSERT ON live_terms TO causeway_console;
CREATE TRIGGER live_terms_is_append_only BEFORE UPDATE OR DELETE ON live_terms
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE terms_acceptances (
  customer_id text NOT NULL,
  environment text NOT NULL CHECK (environment = 'live'),
  terms_version integer NOT NULL REFERENCES live_terms,
  accepted_by text NOT NULL,
  accepted_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, terms_version),
  FOREIGN KEY (customer_id, accepted_by) REFERENCES users (customer_id, id)
);
COMMENT ON TABLE terms_acceptances IS
  'One acceptance of one version of the terms by a customer, through one of its users. Rows never change and are '
  'never deleted.';
CALL secure_scoped_table('terms_acceptances');
GRANT INSERT ON terms_acceptances TO causeway_dashboard;
CREATE TRIGGER terms_acceptances_is_append_only BEFORE UPDATE OR DELETE ON terms_acceptances
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- It names one state of the company, its data, its check and the terms, and the operators approve exactly that.
CREATE TABLE live_access_requests (
  id text PRIMARY KEY CHECK (id ~ '^lar_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment = 'live'),
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL,
  -- The company's end-user of cus_platform, its data as its identity_version counts them, and what approved these.
  company_id text NOT NULL,
  company_version integer NOT NULL,
  kyc_check_id text NOT NULL,
  terms_version integer NOT NULL,
  -- OUTDATED: something of this changed, and the customer asked anew.
  decision text CHECK (decision IN ('APPROVED', 'DECLINED', 'OUTDATED')),
  decided_by text,
  decided_at timestamptz,
  -- For the customer to read.
  decision_reason text CHECK (length(decision_reason) BETWEEN 1 AND 500),
  withdrawn_by text,
  withdrawn_at timestamptz,
  withdrawal_reason text CHECK (length(withdrawal_reason) BETWEEN 1 AND 500),
  FOREIGN KEY (customer_id, requested_by) REFERENCES users (customer_id, id),
  FOREIGN KEY (customer_id, terms_version) REFERENCES terms_acceptances,
  CHECK (num_nulls(decision, decided_at) IN (0, 2)),
  CHECK ((decided_by IS NOT NULL) = coalesce(decision IN ('APPROVED', 'DECLINED'), false)),
  CHECK (decision <> 'DECLINED' OR decision_reason IS NOT NULL),
  CHECK (num_nulls(withdrawn_by, withdrawn_at, withdrawal_reason) IN (0, 3)),
  CHECK (withdrawn_at IS NULL OR coalesce(decision, '') = 'APPROVED')
);
COMMENT ON TABLE live_access_requests IS
  'One request of a customer to go live, and what two operators decided. Rows are never deleted.';
CREATE UNIQUE INDEX one_waiting_live_access_request ON live_access_requests (customer_id)
  WHERE decision IS NULL;
CREATE INDEX live_access_requests_of_customer ON live_access_requests (customer_id, id);
CALL secure_scoped_table('live_access_requests');
GRANT INSERT (id, customer_id, environment, requested_by, requested_at, company_id, company_version,
  kyc_check_id, terms_version), UPDATE (decision, decided_at) ON live_access_requests TO causeway_dashboard;
GRANT UPDATE (decision, decided_by, decided_at, decision_reason, withdrawn_by, withdrawn_at,
  withdrawal_reason) ON live_access_requests TO causeway_console;

-- A request begins undecided, is decided once, and one that was approved is withdrawn once.
CREATE FUNCTION guard_live_access_request() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  deciding constant text[] := ARRAY['decision', 'decided_by', 'decided_at', 'decision_reason'];
  withdrawing constant text[] := ARRAY['withdrawn_by', 'withdrawn_at', 'withdrawal_reason'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.decision IS NULL THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'UPDATE' AND OLD.decision IS NULL AND NEW.decision IS NOT NULL
      AND to_jsonb(OLD) - deciding = to_jsonb(NEW) - deciding THEN
    IF NEW.decision = 'DECLINED' THEN
      PERFORM require_operator_for('LIVE_ACCESS', NEW.decided_by);
    ELSIF NEW.decision = 'APPROVED'
        AND (approval_in_use('LIVE_ACCESS', OLD.id, OLD.company_version)).id IS NULL THEN
      RAISE EXCEPTION 'live access request %: to approve takes two operators', OLD.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'live_access_takes_two_operators';
    END IF;
    RETURN NEW;
  ELSIF TG_OP = 'UPDATE' AND OLD.decision = 'APPROVED' AND OLD.withdrawn_at IS NULL
      AND NEW.withdrawn_at IS NOT NULL AND to_jsonb(OLD) - withdrawing = to_jsonb(NEW) - withdrawing THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'live access request %: it is decided once and withdrawn once', coalesce(OLD.id, NEW.id)
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_live_access_request BEFORE INSERT OR UPDATE OR DELETE ON live_access_requests
  FOR EACH ROW EXECUTE FUNCTION guard_live_access_request();

CREATE FUNCTION guard_screened_request() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM require_screened_company(NEW.customer_id);
  RETURN NEW;
END $$;
CREATE TRIGGER guard_screened_request BEFORE INSERT ON live_access_requests
  FOR EACH ROW EXECUTE FUNCTION guard_screened_request();

-- No customer gets live access but by an approval of its own request, while all that the request was about is
-- as it was: the company's data and check, the terms, and an owner whose address is verified. To take it away
-- takes none.
CREATE FUNCTION guard_live_access() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  asked live_access_requests;
  used_now timestamptz;
BEGIN
  SELECT r.* INTO asked FROM live_access_requests r
  WHERE TG_OP = 'UPDATE' AND r.customer_id = NEW.id AND r.decision IS NULL
    AND (approval_in_use('LIVE_ACCESS', r.id, r.company_version)).id IS NOT NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'customer %: live access takes two operators', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'live_access_takes_two_operators';
  END IF;
  SELECT max(u.used_at) INTO used_now FROM approval_uses u JOIN approvals a ON a.id = u.approval_id
  WHERE a.subject_id = asked.id;
  -- Shared: what is about to change the company waits, or has ended and is seen.
  PERFORM FROM end_users e
  JOIN kyc_checks k ON k.end_user_id = e.id AND k.round = e.kyc_round AND k.id = asked.kyc_check_id
  WHERE e.customer_id = 'cus_platform' AND e.environment = 'live' AND e.external_id = NEW.id
    AND e.id = asked.company_id AND e.identity_version = asked.company_version
    AND e.type = 'BUSINESS' AND e.status = 'ACTIVE'
    AND e.kyc_status = 'APPROVED' AND (e.kyc_expires_at IS NULL OR e.kyc_expires_at > used_now)
    AND e.screening_status NOT IN ('HIT', 'REFUSED')
  FOR SHARE OF e;
  IF NOT FOUND
     OR asked.terms_version IS DISTINCT FROM (SELECT max(t.version) FROM live_terms t)
     OR NOT EXISTS (SELECT FROM users u WHERE u.customer_id = NEW.id AND u.role = 'OWNER'
                    AND u.status = 'ACTIVE') THEN
    RAISE EXCEPTION 'live access request %: what it was about has changed', asked.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'what_was_asked_still_holds';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_new_live_access BEFORE INSERT ON customers FOR EACH ROW
  WHEN (NEW.live_access) EXECUTE FUNCTION guard_live_access();
CREATE TRIGGER guard_live_access BEFORE UPDATE ON customers FOR EACH ROW
  WHEN (NEW.live_access AND (NOT OLD.live_access OR NEW.id <> OLD.id))
  EXECUTE FUNCTION guard_live_access();

-- A company that was never looked up in the sanctions list neither asks for live access nor gets it. The names
-- of one whose data changed were not looked up either. Of what was found nothing is told here: a hit asks like
-- all others, and `guard_live_access` keeps it from being let in.
CREATE FUNCTION require_screened_company(customer text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  was_customer text := current_setting('causeway.customer', true);
  was_environment text := current_setting('causeway.environment', true);
  is_screened boolean;
BEGIN
  -- Companies are rows of the platform account: a role that sees one scope looks there, and goes back.
  PERFORM set_config('causeway.customer', 'cus_platform', true),
    set_config('causeway.environment', 'live', true);
  is_screened := EXISTS (SELECT FROM end_users e
    WHERE e.customer_id = 'cus_platform' AND e.environment = 'live' AND e.external_id = customer
      AND e.screening_status <> 'UNSCREENED');
  PERFORM set_config('causeway.customer', coalesce(was_customer, ''), true),
    set_config('causeway.environment', coalesce(was_environment, ''), true);
  IF NOT is_screened THEN
    RAISE EXCEPTION 'customer %: its company was not looked up in the sanctions list', customer
      USING ERRCODE = 'check_violation', CONSTRAINT = 'a_company_is_screened_first';
  END IF;
END $$;

CREATE FUNCTION guard_screened_live_access() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM require_screened_company(NEW.id);
  RETURN NEW;
END $$;
-- After `guard_live_access`, which is fired first by its name and holds the company's row.
CREATE TRIGGER guard_screened_live_access BEFORE UPDATE ON customers FOR EACH ROW
  WHEN (NEW.live_access AND NOT OLD.live_access) EXECUTE FUNCTION guard_screened_live_access();

-- The effect works in its customer's scope, whose role changes no customer. False: it was decided before.
CREATE FUNCTION grant_live_access(wanted text, decider text, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  asked live_access_requests;
BEGIN
  SELECT * INTO asked FROM live_access_requests WHERE id = wanted AND decision IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE customers SET live_access = true WHERE id = asked.customer_id;
  UPDATE live_access_requests SET decision = 'APPROVED', decided_by = decider, decided_at = moment
  WHERE id = wanted;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION grant_live_access FROM PUBLIC;
GRANT EXECUTE ON FUNCTION grant_live_access TO causeway_dashboard, causeway_console;

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION grant_live_access OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
