-- What operators were mailed about, so that they are not mailed about it again: once of a request, at most once
-- a day of a payment. Forgotten after 90 days, when what is still so is told again.
CREATE TABLE operator_notices (
  kind text NOT NULL CHECK (kind IN ('ADDRESS_PENDING', 'LIVE_REQUEST', 'PAYMENT_STUCK')),
  subject_id text NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject_id)
);
CREATE INDEX operator_notices_by_time ON operator_notices (kind, told_at);
ALTER TABLE operator_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE operator_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY notices_are_the_engines ON operator_notices TO causeway_system
  USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE, UPDATE (told_at) ON operator_notices TO causeway_system;

-- An account that `operators add` makes approves nothing before an admin has confirmed it. Until there is a
-- first admin nobody could: accounts from before count as confirmed.
ALTER TABLE operators ADD COLUMN confirmed_at timestamptz, ADD COLUMN confirmed_by text REFERENCES operators;
ALTER TABLE operators NO FORCE ROW LEVEL SECURITY;
UPDATE operators SET confirmed_at = created_at;
ALTER TABLE operators FORCE ROW LEVEL SECURITY;
GRANT UPDATE (confirmed_at, confirmed_by) ON operators TO causeway_console;

CREATE FUNCTION guard_operator_confirmation() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- Two first ones at once: one of them waits, and sees the other.
    PERFORM pg_advisory_xact_lock(hashtextextended('operators', 0));
    NEW.confirmed_by := NULL;
    NEW.confirmed_at := CASE
      WHEN NOT EXISTS (SELECT FROM public.operators o WHERE o.role = 'ADMIN') THEN NEW.created_at END;
    RETURN NEW;
  END IF;
  IF OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL AND NEW.confirmed_by <> NEW.id
     AND NEW.status = 'ACTIVE' AND EXISTS (
       SELECT FROM public.operators a WHERE a.id = NEW.confirmed_by AND a.role = 'ADMIN'
         AND a.status = 'ACTIVE' AND a.confirmed_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'operator %: another admin confirms an account, once', OLD.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'admins_confirm_operators';
END $$;
CREATE TRIGGER operator_begins_unconfirmed BEFORE INSERT ON operators
  FOR EACH ROW EXECUTE FUNCTION guard_operator_confirmation();
CREATE TRIGGER admins_confirm_operators BEFORE UPDATE ON operators FOR EACH ROW
  WHEN ((NEW.confirmed_at, NEW.confirmed_by) IS DISTINCT FROM (OLD.confirmed_at, OLD.confirmed_by))
  EXECUTE FUNCTION guard_operator_confirmation();

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
