-- What operators made of a deposit whose sender is to be looked at: one word, once. Releasing takes two, refusing one.
CREATE TABLE deposit_decisions (
  deposit_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('RELEASED', 'REFUSED')),
  decided_by text NOT NULL,
  decided_at timestamptz NOT NULL,
  reason text NOT NULL,
  FOREIGN KEY (customer_id, environment, deposit_id) REFERENCES deposits (customer_id, environment, id)
);
CALL secure_scoped_table('deposit_decisions');
GRANT INSERT ON deposit_decisions TO causeway_dashboard, causeway_console;
CREATE TRIGGER deposit_decisions_are_append_only BEFORE UPDATE OR DELETE ON deposit_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_deposit_decision() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  held deposits;
BEGIN
  SELECT * INTO held FROM deposits d WHERE d.id = NEW.deposit_id AND d.review = 'HELD' AND d.status = 'SEEN';
  IF held.id IS NULL THEN
    RAISE EXCEPTION 'deposit %: nothing of it is to be decided', NEW.deposit_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'REFUSED' AND NOT pg_has_role(current_user, 'causeway_console', 'USAGE') THEN
    RAISE EXCEPTION 'deposit %: only operators refuse', NEW.deposit_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'RELEASED'
     AND (approval_in_use('DEPOSIT_CLEARANCE', NEW.deposit_id, held.version)).id IS NULL THEN
    RAISE EXCEPTION 'deposit %: a release takes two operators', NEW.deposit_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_deposit_decision BEFORE INSERT ON deposit_decisions
  FOR EACH ROW EXECUTE FUNCTION guard_deposit_decision();

-- The deposit shows what was decided, and nothing else of it changes with that.
CREATE FUNCTION guard_reviewed_deposit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.review IS DISTINCT FROM 'HELD' OR OLD.status <> 'SEEN' OR NEW.version <> OLD.version + 1
     OR to_jsonb(NEW) - ARRAY['review', 'version', 'updated_at']
       <> to_jsonb(OLD) - ARRAY['review', 'version', 'updated_at']
     OR NOT EXISTS (SELECT FROM deposit_decisions d WHERE d.deposit_id = NEW.id AND d.outcome = NEW.review) THEN
    RAISE EXCEPTION 'deposit %: its review is what operators decided', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_reviewed_deposit BEFORE UPDATE ON deposits FOR EACH ROW
  WHEN (OLD.review IS DISTINCT FROM NEW.review AND NEW.review IN ('RELEASED', 'REFUSED'))
  EXECUTE FUNCTION guard_reviewed_deposit();
DROP TRIGGER guard_deposit ON deposits;
CREATE TRIGGER guard_deposit BEFORE INSERT OR DELETE ON deposits
  FOR EACH ROW EXECUTE FUNCTION guard_deposit();
CREATE TRIGGER guard_moved_deposit BEFORE UPDATE ON deposits FOR EACH ROW
  WHEN (OLD.review IS NOT DISTINCT FROM NEW.review OR NEW.review IS NULL OR NEW.review = 'HELD')
  EXECUTE FUNCTION guard_deposit();

ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('DEPOSIT_CLEARANCE', '{COMPLIANCE}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
