-- Dashboard and console are two processes. Each has its own login, and no login takes on a role of the other.
--
-- causeway_dashboard  the dashboard in the scope of a customer; it uses no approval
-- causeway_entry      the dashboard before a scope is known: login, links of mails, requests for access
-- causeway_effects    the console in the scope of a customer: causeway_dashboard, and the use of approvals
-- causeway_console    the console over every scope
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['causeway_entry', 'causeway_effects'] LOOP
    IF to_regrole(wanted) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
  END LOOP;
END $$;
GRANT causeway_dashboard TO causeway_effects WITH INHERIT TRUE, SET FALSE;
GRANT causeway_entry, causeway_effects TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO causeway_entry, causeway_effects;

-- What puts an approval into effect is the console's.
REVOKE INSERT (approval_id, customer_id, environment, used_at) ON approval_uses FROM causeway_dashboard;
GRANT INSERT (approval_id, customer_id, environment, used_at) ON approval_uses TO causeway_effects;
REVOKE INSERT ON deposit_decisions FROM causeway_dashboard;
GRANT INSERT ON deposit_decisions TO causeway_effects;
REVOKE EXECUTE ON FUNCTION require_usable_approval, resume_customer, remove_passkeys, grant_live_access,
  resume_chain, thaw_chain_signer_account, retire_chain_signer_account, name_foreign_transaction,
  name_foreign_payment, ask_for_dust FROM causeway_dashboard;
GRANT EXECUTE ON FUNCTION require_usable_approval, resume_customer, remove_passkeys, grant_live_access,
  resume_chain, thaw_chain_signer_account, retire_chain_signer_account, name_foreign_transaction,
  name_foreign_payment, ask_for_dust TO causeway_effects;

-- The role that the caller of a function with its owner's rights works as. A function cannot change it.
CREATE FUNCTION working_role() RETURNS name LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role')::name END
$$;

-- Refuses the console's logins to every role but the console's.
CREATE FUNCTION require_surface(of_surface text) RETURNS void LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF of_surface <> 'dashboard' AND NOT pg_has_role(working_role(), 'causeway_console', 'USAGE') THEN
    RAISE EXCEPTION 'permission denied: only the console logs operators in' USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION open_session(new_id text, token bytea, of_surface text, person text, of_browser text,
  idle_for interval, moment timestamptz, until timestamptz, most integer) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT require_surface(of_surface);
  SELECT pg_advisory_xact_lock(hashtextextended('sessions:' || person, 0));
  UPDATE sessions SET ended_at = moment WHERE id IN (
    SELECT id FROM sessions WHERE surface = of_surface AND (user_id = person OR operator_id = person)
      AND ended_at IS NULL AND expires_at > moment
    ORDER BY created_at DESC, id DESC OFFSET most - 1);
  INSERT INTO sessions (id, token_hash, surface, user_id, customer_id, operator_id, browser, idle,
    created_at, last_used_at, expires_at)
  SELECT new_id, token, of_surface, p.user_id, p.customer_id, p.operator_id, of_browser, idle_for,
    moment, moment, until
  FROM (
    SELECT id AS user_id, customer_id, NULL::text AS operator_id FROM users
    WHERE of_surface = 'dashboard' AND id = person AND status = 'ACTIVE'
    UNION ALL
    SELECT NULL, NULL, id FROM operators
    WHERE of_surface = 'console' AND id = person AND status = 'ACTIVE') p
  RETURNING id;
$$;

CREATE OR REPLACE FUNCTION find_login_people(of_surface text, wanted bytea)
RETURNS TABLE (person_id text, role text, customer_id text, customer_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT require_surface(of_surface);
  SELECT u.id, u.role, c.id, c.name FROM users u JOIN customers c ON c.id = u.customer_id
  WHERE of_surface = 'dashboard' AND u.address_hash = wanted AND u.status = 'ACTIVE'
  UNION ALL
  SELECT o.id, o.role, NULL, NULL FROM operators o
  WHERE of_surface = 'console' AND o.address_hash = wanted AND o.status = 'ACTIVE'
  ORDER BY 4, 1 LIMIT 50
$$;

CREATE OR REPLACE FUNCTION open_login_challenge(of_surface text, address bytea, browser bytea, code bytea,
  moment timestamptz, until timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT require_surface(of_surface);
  DELETE FROM login_challenges WHERE (surface, address_hash, browser_hash) IN (
    SELECT surface, address_hash, browser_hash FROM login_challenges
    WHERE expires_at < moment - interval '1 hour' ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED);
  INSERT INTO login_challenges (surface, address_hash, browser_hash, code_hash, created_at, expires_at)
  VALUES (of_surface, address, browser, code, moment, until)
  ON CONFLICT (surface, address_hash, browser_hash) DO UPDATE
    SET code_hash = excluded.code_hash, tries = 0, created_at = excluded.created_at,
      expires_at = excluded.expires_at, used_at = NULL;
$$;

CREATE OR REPLACE FUNCTION judge_login_code(of_surface text, address bytea, browser bytea, code bytea,
  moment timestamptz) RETURNS TABLE (is_right boolean, tries_left integer)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT require_surface(of_surface);
  UPDATE login_challenges c
  SET tries = c.tries + 1, used_at = CASE WHEN c.code_hash = code THEN moment END
  WHERE c.surface = of_surface AND c.address_hash = address AND c.browser_hash = browser
    AND c.used_at IS NULL AND c.expires_at > moment AND c.tries < 5
  RETURNING c.used_at IS NOT NULL, 5 - c.tries
$$;
GRANT EXECUTE ON FUNCTION open_session, find_login_people, is_known_device, open_login_challenge,
  judge_login_code, take_access_budget, take_access_budgets, has_access_budgets, return_access_budget,
  record_login_failure, lock_person TO causeway_entry;

-- Users, and what is theirs. Nothing of an operator.
CREATE POLICY entry_reads_customers ON customers FOR SELECT TO causeway_entry USING (true);
CREATE POLICY entry_sets_passkey_rule ON customers FOR UPDATE TO causeway_entry USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (requires_passkeys) ON customers TO causeway_entry;

CREATE POLICY entry_writes_users ON users TO causeway_entry USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (address_hash, address, status, version, time_zone, theme) ON users TO causeway_entry;

CREATE POLICY entry_writes_user_sessions ON sessions TO causeway_entry
  USING (surface = 'dashboard') WITH CHECK (surface = 'dashboard');
GRANT SELECT (id, surface, user_id, customer_id, operator_id, browser, idle, created_at, last_used_at,
  expires_at, ended_at), UPDATE (token_hash, last_used_at, ended_at), DELETE ON sessions TO causeway_entry;

CREATE POLICY entry_writes_user_devices ON devices TO causeway_entry
  USING (starts_with(person_id, 'usr_')) WITH CHECK (starts_with(person_id, 'usr_'));
GRANT SELECT, INSERT, UPDATE, DELETE ON devices TO causeway_entry;

CREATE POLICY entry_writes_user_address_changes ON address_changes TO causeway_entry
  USING (starts_with(person_id, 'usr_')) WITH CHECK (starts_with(person_id, 'usr_'));
GRANT SELECT, INSERT, UPDATE, DELETE ON address_changes TO causeway_entry;

CREATE POLICY entry_writes_user_passkeys ON passkeys TO causeway_entry
  USING (user_id IS NOT NULL) WITH CHECK (user_id IS NOT NULL);
GRANT SELECT, INSERT, UPDATE (counter, last_used_at, removed_at, removed_in) ON passkeys TO causeway_entry;

CREATE POLICY entry_uses_invitations ON invitations TO causeway_entry USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (used_at, ended_at) ON invitations TO causeway_entry;

CREATE POLICY entry_asks_for_access ON access_requests FOR INSERT TO causeway_entry WITH CHECK (true);
GRANT INSERT ON access_requests TO causeway_entry;

CREATE POLICY entry_uses_forms ON form_uses FOR INSERT TO causeway_entry WITH CHECK (true);
CREATE POLICY entry_sees_form_uses ON form_uses FOR SELECT TO causeway_entry USING (true);
CREATE POLICY entry_deletes_expired_forms ON form_uses FOR DELETE TO causeway_entry
  USING (expires_at < clock_timestamp());
CREATE POLICY entry_locks_expired_forms ON form_uses FOR UPDATE TO causeway_entry
  USING (expires_at < clock_timestamp()) WITH CHECK (false);
GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON form_uses TO causeway_entry;

CREATE POLICY entry_records_user_acts ON audit_log FOR INSERT TO causeway_entry
  WITH CHECK (starts_with(actor, 'user:'));
GRANT INSERT ON audit_log TO causeway_entry;

-- Both processes send mails while Temporal is down. The dashboard sees those to users alone: a mail to an operator
-- may hold a code. A login code has no customer, because users of several customers may share an address.
ALTER TABLE mails ADD COLUMN written_as name NOT NULL DEFAULT current_user;
CREATE POLICY entry_writes_mails ON mails FOR INSERT TO causeway_entry WITH CHECK (true);
CREATE POLICY entry_sees_user_mails ON mails FOR SELECT TO causeway_entry
  USING (customer_id IS NOT NULL OR written_as = 'causeway_entry');
CREATE POLICY entry_sends_user_mails ON mails FOR UPDATE TO causeway_entry
  USING (status = 'WAITING' AND (customer_id IS NOT NULL OR written_as = 'causeway_entry')) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (contents, status, tries, failure, due_at, leased_until, ended_at) ON mails
  TO causeway_entry;

-- An owner asks operators to remove a user's lost passkeys.
CREATE POLICY entry_sees_passkey_requests ON approvals FOR SELECT TO causeway_entry
  USING (action = 'REMOVE_PASSKEYS');
CREATE POLICY entry_submits_passkey_requests ON approvals FOR INSERT TO causeway_entry
  WITH CHECK (action = 'REMOVE_PASSKEYS' AND starts_with(submitted_by, 'user:') AND proposed_by IS NULL);
GRANT SELECT, INSERT (id, customer_id, environment, action, subject_id, subject_version, content, proposed_by,
  submitted_by, proposed_at, reason, expires_at) ON approvals TO causeway_entry;

-- Only the console proposes, takes up, decides and voids. Every other role submits.
CREATE FUNCTION guard_proposer() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT pg_has_role(current_user, 'causeway_console', 'USAGE') THEN
    RAISE EXCEPTION 'approval %: only the console proposes in the name of an operator', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'the_console_proposes';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER console_proposes BEFORE INSERT ON approvals FOR EACH ROW
  WHEN (NEW.proposed_by ~ '^opr_') EXECUTE FUNCTION guard_proposer();

-- A proposal that ran out undecided makes room for the next one. Nobody decides it, so whoever submits may end it.
CREATE FUNCTION end_expired_proposal(of_action text, of_subject text, moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE approvals SET decision = 'REFUSED', decided_by = 'system:expiry', decided_at = moment,
    decision_reason = 'It ran out undecided.'
  WHERE action = of_action AND subject_id = of_subject AND decision IS NULL AND expires_at <= moment
$$;
REVOKE ALL ON FUNCTION end_expired_proposal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_expired_proposal TO causeway_entry, causeway_console;

-- A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION end_expired_proposal OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
