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

-- It looks at operators, whom a scope does not see: owned as what the console's other functions are owned by.
DO $$
DECLARE
  owner constant text := (SELECT r.rolname FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
    WHERE p.oid = 'resume_customer(text)'::regprocedure);
BEGIN
  EXECUTE format('GRANT CREATE ON SCHEMA public TO %I', owner);
  EXECUTE format('ALTER FUNCTION require_usable_approval(text, timestamptz) OWNER TO %I', owner);
  EXECUTE format('REVOKE CREATE ON SCHEMA public FROM %I', owner);
END $$;
REVOKE ALL ON FUNCTION require_usable_approval(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION require_usable_approval(text, timestamptz) TO causeway_dashboard, causeway_console;

CREATE OR REPLACE FUNCTION guard_approval_use() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM require_usable_approval(NEW.approval_id, NEW.used_at);
  RETURN NEW;
END $$;

-- Effects are done by the console, in the scope of what they change: API and worker use no approval.
REVOKE INSERT (approval_id, customer_id, environment, used_at) ON approval_uses FROM causeway_app;
GRANT INSERT (approval_id, customer_id, environment, used_at) ON approval_uses TO causeway_dashboard;
