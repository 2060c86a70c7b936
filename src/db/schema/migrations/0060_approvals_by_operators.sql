-- Approvals are logged-in operators' alone. A command hands a proposal in: `submitted_by` says who ran it, and
-- it is nobody's until an operator takes it up. Two operators, both ACTIVE and both of a role that the action
-- names, make an approval.
CREATE TABLE approval_actions (
  action text PRIMARY KEY CHECK (action ~ '^[A-Z][A-Z_]{1,39}$'),
  -- As src/domain/approvals/approval-rights.ts has them; an action without a row is approved by nobody.
  roles text[] NOT NULL CHECK (roles <@ ARRAY['SUPPORT', 'OPERATIONS', 'COMPLIANCE', 'ADMIN'])
);
INSERT INTO approval_actions (action, roles) VALUES
  ('KYC_OVERRIDE', '{COMPLIANCE}'), ('SCREENING_RELEASE', '{COMPLIANCE}'), ('OWN_ACCOUNT', '{COMPLIANCE}'),
  ('LATE_RETURN', '{OPERATIONS}'), ('FX_COVER', '{OPERATIONS}'),
  ('CREDIT_ASSIGNMENT', '{OPERATIONS}'), ('CREDIT_CLOSING', '{OPERATIONS}'),
  ('CUSTOMER_RESUMPTION', '{COMPLIANCE}');
ALTER TABLE approval_actions ENABLE ROW LEVEL SECURITY;
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
CREATE POLICY actions_are_seen ON approval_actions FOR SELECT TO causeway_system USING (true);
GRANT SELECT ON approval_actions TO causeway_system;

ALTER TABLE approvals ALTER COLUMN proposed_by DROP NOT NULL,
  ADD COLUMN submitted_by text CHECK (length(submitted_by) BETWEEN 1 AND 100),
  ADD COLUMN taken_up_at timestamptz,
  ADD CONSTRAINT somebody_proposed CHECK (num_nonnulls(proposed_by, submitted_by) > 0),
  ADD CONSTRAINT taken_up_by_somebody CHECK (taken_up_at IS NULL
    OR num_nonnulls(proposed_by, submitted_by) = 2);
DROP TRIGGER approval_is_only_decided ON approvals;
-- What waits from before is handed in: its two names were typed. What was approved before and is not in
-- effect ends, see guard_approval_use: it can be proposed anew.
ALTER TABLE approvals NO FORCE ROW LEVEL SECURITY;
UPDATE approvals SET submitted_by = proposed_by, proposed_by = NULL WHERE decision IS NULL;
ALTER TABLE approvals FORCE ROW LEVEL SECURITY;
-- Rows from before stay as they are; two logged-in operators are compared by their ids.
ALTER TABLE approvals ADD CONSTRAINT two_accounts_approve CHECK (decision <> 'APPROVED'
  OR (proposed_by ~ '^opr_' AND decided_by ~ '^opr_' AND proposed_by <> decided_by)) NOT VALID;

-- Refuses where `operator` may not propose or approve `wanted`; keeps account and role as they are until
-- the commit.
CREATE FUNCTION require_operator_for(wanted text, operator text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM operators o JOIN approval_actions a ON o.role = ANY (a.roles)
  WHERE o.id = operator AND o.status = 'ACTIVE' AND a.action = wanted FOR SHARE OF o;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'approval of %: % is no active operator with that right', wanted, operator
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_are_operators';
  END IF;
END $$;

CREATE FUNCTION guard_new_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.decision IS NOT NULL OR NEW.taken_up_at IS NOT NULL THEN
    RAISE EXCEPTION 'approval %: it begins undecided', NEW.id USING ERRCODE = 'check_violation';
  END IF;
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

-- A proposal is taken up once, and decided once; nothing else of it changes, and it is never deleted.
CREATE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taking_up constant text[] := ARRAY['proposed_by', 'taken_up_at'];
  deciding constant text[] := ARRAY['decision', 'decided_by', 'decided_at', 'decision_reason'];
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.decision IS NULL THEN
    IF OLD.proposed_by IS NULL AND NEW.proposed_by IS NOT NULL AND NEW.taken_up_at IS NOT NULL
       AND NEW.taken_up_at < OLD.expires_at AND to_jsonb(OLD) - taking_up = to_jsonb(NEW) - taking_up THEN
      PERFORM require_operator_for(NEW.action, NEW.proposed_by);
      RETURN NEW;
    END IF;
    IF NEW.decision IS NOT NULL AND to_jsonb(OLD) - deciding = to_jsonb(NEW) - deciding THEN
      IF NEW.decision = 'APPROVED' THEN
        PERFORM require_operator_for(NEW.action, NEW.proposed_by);
      END IF;
      -- What ran out is refused by nobody.
      IF NEW.decision = 'APPROVED' OR OLD.expires_at > NEW.decided_at THEN
        PERFORM require_operator_for(NEW.action, NEW.decided_by);
      END IF;
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'approval %: it is taken up once and decided once', OLD.id
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_approval BEFORE UPDATE OR DELETE ON approvals
  FOR EACH ROW EXECUTE FUNCTION guard_approval();

-- The accounts of two operators are what counts: an approval of two typed names is used no more.
CREATE OR REPLACE FUNCTION guard_approval_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approvals a
                 WHERE a.id = NEW.approval_id AND a.decision = 'APPROVED'
                   AND a.proposed_by ~ '^opr_' AND a.decided_by ~ '^opr_'
                   AND a.proposed_by <> a.decided_by AND NEW.used_at < a.expires_at) THEN
    RAISE EXCEPTION 'approval % was not approved, or ran out', NEW.approval_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- Neither api nor worker can make, take up or decide a proposal.
REVOKE INSERT, UPDATE ON approvals FROM causeway_system;
GRANT INSERT, UPDATE (proposed_by, taken_up_at, decision, decided_by, decided_at, decision_reason)
  ON approvals TO causeway_console;

-- Suspending takes one operator, resuming two.
ALTER TABLE customers ADD COLUMN status_version integer NOT NULL DEFAULT 1;
CREATE FUNCTION guard_customer_status() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Effects work in their customer's scope, whose role changes no customer. False: it is not suspended.
CREATE FUNCTION resume_customer(wanted text) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH resumed AS (
    UPDATE customers SET status = 'ACTIVE' WHERE id = wanted AND status = 'SUSPENDED' RETURNING id)
  SELECT EXISTS (SELECT FROM resumed)
$$;
GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION resume_customer(text) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION resume_customer(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION resume_customer(text) TO causeway_dashboard;
