-- Customers, what two operators approve, and the log of who did what.

CREATE TABLE customers (
  id text PRIMARY KEY,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  live_access boolean NOT NULL DEFAULT false,
  -- An owner may ask a passkey of all who log in for the customer.
  requires_passkeys boolean NOT NULL DEFAULT false,
  -- Counts the changes of the status. Suspending takes one operator, resuming two.
  status_version integer NOT NULL DEFAULT 1,
  -- Whether a customer may move real money, or once might: what moved then stays theirs to see when live access is
  -- withdrawn.
  had_live_access boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE customers IS
  'A company that pays through us and owns the rows of its scope: keys, end-users, payments, balances. The row '
  '`cus_platform` is the platform account. No role may delete a customer.';
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE customers FORCE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON customers FOR SELECT TO causeway_app USING (id = scope_customer());
-- FOR SHARE needs a right to update; nothing that it would write passes the check.
CREATE POLICY locks_only ON customers FOR UPDATE TO causeway_app
  USING (id = scope_customer()) WITH CHECK (false);
CREATE POLICY system_sees_all ON customers TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, UPDATE (status) ON customers TO causeway_app;
-- The worker adds customers, and changes none.
GRANT SELECT, INSERT (id, name, status, live_access, created_at) ON customers TO causeway_system;
GRANT UPDATE (status, live_access, requires_passkeys) ON customers TO causeway_console;

-- Suspending takes one operator, resuming two.
CREATE FUNCTION guard_customer_status() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.status = 'ACTIVE'
     AND (approval_in_use('CUSTOMER_RESUMPTION', OLD.id, OLD.status_version)).id IS NULL THEN
    RAISE EXCEPTION 'customer %: to resume takes two operators', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  NEW.status_version := OLD.status_version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_customer_status BEFORE UPDATE ON customers FOR EACH ROW
  WHEN (NEW.status <> OLD.status OR NEW.status_version <> OLD.status_version)
  EXECUTE FUNCTION guard_customer_status();

-- Also where triggers are off, as in a replica: what a customer once had is never forgotten.
CREATE FUNCTION remember_live_access() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.had_live_access := NEW.live_access OR (TG_OP = 'UPDATE' AND OLD.had_live_access);
  RETURN NEW;
END $$;
CREATE TRIGGER remember_live_access BEFORE INSERT OR UPDATE ON customers
  FOR EACH ROW EXECUTE FUNCTION remember_live_access();
ALTER TABLE customers ENABLE ALWAYS TRIGGER remember_live_access;

-- For names that were typed, as "Ada" and " ada ".
CREATE FUNCTION operator_identity(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
-- "Ada", " ada " and "A.da" are one person: letters and digits alone count.
AS $$ SELECT regexp_replace(lower(normalize(name, NFKC)), '[^[:alnum:]]', '', 'g') $$;

CREATE TABLE approval_actions (
  action text PRIMARY KEY CHECK (action ~ '^[A-Z][A-Z_]{1,39}$'),
  -- As src/domain/approvals/approval-rights.ts has them; an action without a row is approved by nobody.
  roles text[] NOT NULL CHECK (roles <@ ARRAY['SUPPORT', 'OPERATIONS', 'COMPLIANCE', 'ADMIN'])
);
COMMENT ON TABLE approval_actions IS
  'One action that needs two operators, and the roles of which both must be. Only the migrations write the rows.';
ALTER TABLE approval_actions ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
CREATE POLICY actions_are_seen ON approval_actions FOR SELECT TO causeway_system USING (true);
GRANT SELECT ON approval_actions TO causeway_system;

-- `content` holds ids and codes, nothing personal. A command hands a proposal in: `submitted_by` says who ran it,
-- and an operator takes it up later. An approval becomes void while it is not in effect: its effect was refused, or
-- an operator withdrew it.
CREATE TABLE approvals (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  action text NOT NULL CHECK (action ~ '^[A-Z][A-Z_]{1,39}$'),
  -- The resource that the effect changes, and its version when the proposal was made.
  subject_id text NOT NULL,
  subject_version integer NOT NULL,
  content jsonb NOT NULL,
  content_hash bytea NOT NULL,
  -- Who ran the command that handed it in.
  submitted_by text CHECK (length(submitted_by) BETWEEN 1 AND 100),
  proposed_by text CHECK (operator_identity(proposed_by) <> ''),
  proposed_at timestamptz NOT NULL,
  -- By the database's clock: how long a proposal stands is measured from here too, whatever time is claimed.
  recorded_at timestamptz NOT NULL DEFAULT now(),
  taken_up_at timestamptz,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  expires_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('APPROVED', 'REFUSED')),
  decided_by text CHECK (operator_identity(decided_by) <> ''),
  decided_at timestamptz,
  decision_reason text CHECK (length(decision_reason) BETWEEN 1 AND 500),
  void_as text CHECK (void_as IN ('EFFECT_REFUSED', 'WITHDRAWN')),
  void_by text CHECK (void_by ~ '^opr_'),
  void_at timestamptz,
  void_reason text CHECK (length(void_reason) BETWEEN 1 AND 500),
  UNIQUE (customer_id, environment, id),
  CHECK (num_nulls(decision, decided_by, decided_at, decision_reason) IN (0, 4)),
  CONSTRAINT two_operators_approve CHECK (decision <> 'APPROVED'
    OR operator_identity(decided_by) <> operator_identity(proposed_by)),
  CONSTRAINT decided_in_time CHECK (decision <> 'APPROVED' OR decided_at < expires_at),
  CONSTRAINT somebody_proposed CHECK (num_nonnulls(proposed_by, submitted_by) > 0),
  CONSTRAINT taken_up_by_somebody CHECK (taken_up_at IS NULL
    OR num_nonnulls(proposed_by, submitted_by) = 2),
  -- Two logged-in operators are compared by their ids.
  CONSTRAINT two_accounts_approve CHECK (decision <> 'APPROVED'
    OR (proposed_by ~ '^opr_' AND decided_by ~ '^opr_' AND proposed_by <> decided_by)),
  CONSTRAINT what_was_approved_is_void CHECK (num_nulls(void_as, void_by, void_at, void_reason) = 4
    OR num_nulls(void_as, void_by, void_at, void_reason) = 0 AND decision IS NOT DISTINCT FROM 'APPROVED'),
  CONSTRAINT stands_seven_days CHECK (expires_at - proposed_at <= interval '168 hours')
);
COMMENT ON TABLE approvals IS
  'One proposal of an operator, and what a second operator decided about it. Only people write it, never API or '
  'worker. Rows are never deleted.';
CREATE INDEX approvals_waiting ON approvals (seq) WHERE decision IS NULL;
-- One question at a time about one thing.
CREATE UNIQUE INDEX one_waiting_approval_a_subject ON approvals (subject_id, action)
  WHERE decision IS NULL;
-- What waits is what has not run out: that is seldom more than a handful, however many there are.
CREATE INDEX approvals_by_expiry ON approvals (expires_at);
CALL secure_scoped_table('approvals');
-- Neither api nor worker can make, take up or decide a proposal.
GRANT INSERT, UPDATE (proposed_by, decision, decided_by, decided_at, decision_reason, taken_up_at, void_as,
  void_by, void_at, void_reason) ON approvals TO causeway_console;

-- SHA-256 over all that is approved. The database makes it, so that it is never another one's.
CREATE FUNCTION hash_approval() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.content_hash := sha256(convert_to(jsonb_build_array(
    NEW.action, NEW.subject_id, NEW.subject_version, NEW.content)::text, 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER hash_approval BEFORE INSERT ON approvals
  FOR EACH ROW EXECUTE FUNCTION hash_approval();

-- A proposal begins undecided. A name that was typed hands it in; an account proposes it.
CREATE FUNCTION guard_new_approval() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.decision IS NOT NULL OR NEW.taken_up_at IS NOT NULL THEN
    RAISE EXCEPTION 'approval %: it begins undecided', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  NEW.recorded_at := clock_timestamp();
  -- A name that was typed, as the version before writes it.
  IF NEW.proposed_by !~ '^opr_' THEN
    NEW.submitted_by := coalesce(NEW.submitted_by, NEW.proposed_by);
    NEW.proposed_by := NULL;
  ELSIF NEW.proposed_by IS NOT NULL THEN
    PERFORM require_operator_for(NEW.action, NEW.proposed_by);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_new_approval BEFORE INSERT ON approvals
  FOR EACH ROW EXECUTE FUNCTION guard_new_approval();

-- A proposal is taken up once, decided once, and made void once unless it is in effect; nothing else of it
-- changes, and it is never deleted.
CREATE FUNCTION guard_approval() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  taking_up constant text[] := ARRAY['proposed_by', 'taken_up_at'];
  deciding constant text[] := ARRAY['decision', 'decided_by', 'decided_at', 'decision_reason'];
  voiding constant text[] := ARRAY['void_as', 'void_by', 'void_at', 'void_reason'];
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.decision IS NULL THEN
    IF OLD.proposed_by IS NULL AND NEW.proposed_by IS NOT NULL AND NEW.taken_up_at IS NOT NULL
       AND NEW.taken_up_at < OLD.expires_at AND to_jsonb(OLD) - taking_up = to_jsonb(NEW) - taking_up THEN
      PERFORM require_operator_for(NEW.action, NEW.proposed_by);
      RETURN NEW;
    END IF;
    IF NEW.decision IS NOT NULL AND to_jsonb(OLD) - deciding = to_jsonb(NEW) - deciding THEN
      IF NEW.decision = 'APPROVED' THEN
        IF clock_timestamp() >= OLD.recorded_at + (OLD.expires_at - OLD.proposed_at) THEN
          RAISE EXCEPTION 'approval %: it ran out', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_run_out';
        END IF;
        PERFORM require_operator_for(NEW.action, NEW.proposed_by);
      END IF;
      -- What ran out is refused by nobody.
      IF NEW.decision = 'APPROVED' OR OLD.expires_at > NEW.decided_at THEN
        PERFORM require_operator_for(NEW.action, NEW.decided_by);
      END IF;
      RETURN NEW;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.decision = 'APPROVED' AND OLD.void_at IS NULL AND NEW.void_at IS NOT NULL
     AND to_jsonb(OLD) - voiding = to_jsonb(NEW) - voiding
     -- Its use holds the row shared until its commit, so this look comes after it.
     AND NOT EXISTS (SELECT FROM approval_uses u WHERE u.approval_id = OLD.id) THEN
    -- Withdrawing narrows: either of the two may, whatever role they have by now, and who may approve it.
    IF NEW.void_as = 'WITHDRAWN' THEN
      PERFORM FROM operators o WHERE o.id = NEW.void_by AND o.status = 'ACTIVE'
        AND o.id IN (OLD.proposed_by, OLD.decided_by);
      IF NOT FOUND THEN
        PERFORM require_operator_for(NEW.action, NEW.void_by);
      END IF;
    END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'approval %: it is taken up once, decided once, and void once unless it is in effect', OLD.id
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_approval BEFORE UPDATE OR DELETE ON approvals
  FOR EACH ROW EXECUTE FUNCTION guard_approval();

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

-- Who approves has an account that an admin confirmed.
CREATE FUNCTION guard_confirmed_approver() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Who has no account at all is refused by guard_approval.
  IF EXISTS (SELECT FROM public.operators o
             WHERE o.id = NEW.decided_by AND o.confirmed_at IS NULL) THEN
    RAISE EXCEPTION 'approval %: the account of % is not confirmed', NEW.id, NEW.decided_by
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approver_is_confirmed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approver_is_confirmed BEFORE UPDATE ON approvals FOR EACH ROW
  WHEN (NEW.decision = 'APPROVED' AND OLD.decision IS NULL AND NEW.decided_by ~ '^opr_')
  EXECUTE FUNCTION guard_confirmed_approver();

-- An owner asks for the removal of a user's lost passkeys. It is handed in, as by a command: one operator takes
-- it up, another one approves it. Whoever writes `user:` into a proposal is an owner who asks about a user of
-- the same customer.
CREATE FUNCTION guard_handed_in_by_user() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.action = 'REMOVE_PASSKEYS' AND NEW.environment = 'live' AND EXISTS (
       SELECT FROM public.users o JOIN public.users u USING (customer_id)
       WHERE 'user:' || o.id = NEW.submitted_by AND o.role = 'OWNER' AND o.status = 'ACTIVE'
         AND o.customer_id = NEW.customer_id
         AND u.id = NEW.subject_id AND u.role <> 'OWNER' AND u.status = 'ACTIVE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'approval %: an owner asks about a user of theirs', NEW.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'owners_ask_about_their_users';
END $$;
CREATE TRIGGER guard_handed_in_by_user BEFORE INSERT ON approvals FOR EACH ROW
  WHEN (NEW.submitted_by ILIKE 'user:%') EXECUTE FUNCTION guard_handed_in_by_user();

-- The primary key allows one use. The guards of what the approval changes look for their own transaction's number.
CREATE TABLE approval_uses (
  approval_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  used_at timestamptz NOT NULL,
  used_by_transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  FOREIGN KEY (customer_id, environment, approval_id)
    REFERENCES approvals (customer_id, environment, id)
);
COMMENT ON TABLE approval_uses IS
  'The one use of one approval, written in the transaction that puts it into effect. Rows never change and are '
  'never deleted.';
CALL secure_scoped_table('approval_uses');
-- Effects are done by the console, in the scope of what they change: API and worker use no approval.
GRANT INSERT (approval_id, customer_id, environment, used_at) ON approval_uses
  TO causeway_dashboard, causeway_console;
CREATE TRIGGER approval_uses_is_append_only BEFORE UPDATE OR DELETE ON approval_uses
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What is used is approved, not void, and in its time.
CREATE FUNCTION guard_approval_use() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM require_usable_approval(NEW.approval_id, NEW.used_at);
  RETURN NEW;
END $$;
CREATE TRIGGER guard_approval_use BEFORE INSERT ON approval_uses
  FOR EACH ROW EXECUTE FUNCTION guard_approval_use();

-- For the guards of what approvals change: the approval of this action on this subject, at this version,
-- that the running transaction uses; NULL where it uses none.
CREATE FUNCTION approval_in_use(wanted_action text, wanted_subject text, wanted_version integer)
RETURNS approvals LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT a.* FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
  WHERE a.action = wanted_action AND a.subject_id = wanted_subject
    AND a.subject_version = wanted_version AND a.decision = 'APPROVED'
    AND u.used_by_transaction = pg_current_xact_id_if_assigned()
$$;

-- Refuses where `operator` may not propose or approve `wanted`; keeps account and role as they are until
-- the commit.
CREATE FUNCTION require_operator_for(wanted text, operator text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM operators o JOIN approval_actions a ON o.role = ANY (a.roles)
  WHERE o.id = operator AND o.status = 'ACTIVE' AND a.action = wanted FOR SHARE OF o;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'approval of %: % is no active operator with that right', wanted, operator
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_are_operators';
  END IF;
END $$;

-- What two operators approved takes effect while both may still approve it, in its time, unless it is void. Refuses
-- otherwise; keeps the approval from being made void, and both accounts and roles as they are, until the commit.
CREATE FUNCTION require_usable_approval(wanted text, moment timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  approved approvals;
BEGIN
  SELECT a.* INTO approved FROM approvals a
  WHERE a.id = wanted AND a.decision = 'APPROVED' AND a.void_at IS NULL
    AND a.proposed_by ~ '^opr_' AND a.decided_by ~ '^opr_' AND a.proposed_by <> a.decided_by
  FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'approval %: it was not approved, or is void', wanted
      USING ERRCODE = 'check_violation', CONSTRAINT = 'what_is_used_is_approved';
  END IF;
  -- Clocks of two processes may differ by minutes; that of the database measures the time as well.
  IF moment < approved.decided_at - interval '5 minutes' OR moment >= approved.expires_at
     OR clock_timestamp() >= approved.recorded_at + (approved.expires_at - approved.proposed_at) THEN
    RAISE EXCEPTION 'approval %: it ran out', wanted
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_run_out';
  END IF;
  PERFORM require_operator_for(approved.action, approved.proposed_by);
  PERFORM require_operator_for(approved.action, approved.decided_by);
END $$;
REVOKE ALL ON FUNCTION require_usable_approval FROM PUBLIC;
GRANT EXECUTE ON FUNCTION require_usable_approval TO causeway_dashboard, causeway_console;

-- Effects work in their customer's scope, whose role changes no customer. False: it is not suspended.
CREATE FUNCTION resume_customer(wanted text) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH resumed AS (
    UPDATE customers SET status = 'ACTIVE' WHERE id = wanted AND status = 'SUSPENDED' RETURNING id)
  SELECT EXISTS (SELECT FROM resumed)
$$;
REVOKE ALL ON FUNCTION resume_customer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION resume_customer TO causeway_dashboard, causeway_console;

-- `customer_id` is null where the act concerns no customer, `environment` where it concerns a whole company.
CREATE TABLE audit_log (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  customer_id text,
  environment text,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE audit_log IS 'One act: who did what, and to what. Rows never change and are never deleted.';
-- A customer's part of the audit log, newest first.
CREATE INDEX audit_log_of_customer ON audit_log (customer_id, id DESC)
  WHERE customer_id IS NOT NULL;
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON audit_log FOR INSERT TO causeway_app
  WITH CHECK (customer_id = scope_customer() AND environment = scope_environment());
CREATE POLICY system_sees_all ON audit_log TO causeway_system USING (true) WITH CHECK (true);
-- An act that is of the whole company, of no environment, as an invitation.
CREATE POLICY acts_of_the_company ON audit_log FOR INSERT TO causeway_dashboard
  WITH CHECK (customer_id = scope_customer() AND environment IS NULL);
-- What operators did that a customer's audit log shows: what is named here, as in
-- src/domain/customers/access/shown-operator-acts.ts. Stops of release, screening, KYC decisions and all that comes to
-- be audited later stay inside.
CREATE POLICY own_acts_are_seen ON audit_log FOR SELECT TO causeway_dashboard
  USING (customer_id = scope_customer()
  AND (actor LIKE 'user:%' OR (actor LIKE 'operator:%' AND action IN (
    'address.approved', 'api_key.created', 'api_key.revoked', 'credit.assign', 'customer.resume',
    'customer.suspend', 'end_user.erase', 'key_address.approved', 'key_address.declined',
    'key_address.removed', 'live_access.decline', 'live_access.grant', 'live_access.withdraw',
    'own_account.activate', 'passkey.remove_all', 'payment.confirm_failed', 'payment.confirm_settled',
    'payment.late_return', 'payment.retry', 'user.invited'))));
GRANT INSERT ON audit_log TO causeway_app;
GRANT SELECT, INSERT ON audit_log TO causeway_system;
GRANT SELECT (id, at, actor, action, customer_id, environment, subject) ON audit_log TO causeway_dashboard;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION require_usable_approval OWNER TO causeway_console_definer;
ALTER FUNCTION resume_customer OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
