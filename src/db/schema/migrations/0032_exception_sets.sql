-- Two operators end many exceptions by one approval. Each exception of the set gets an approval of its own when the set takes
-- effect, so that each act has one, as any other act has.
ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('EXCEPTION_SET', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

-- The approval of one exception of a set says what the two operators of the set approved about it, and no more; it is made
-- while the set waits for its effect.
CREATE FUNCTION guard_approval_of_set() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.action = 'EXCEPTION_ACT' AND EXISTS (SELECT FROM approvals a
       WHERE a.id = NEW.content ->> 'set' AND a.action = 'EXCEPTION_SET'
         AND a.environment = NEW.environment AND a.decision = 'APPROVED' AND a.void_at IS NULL
         AND a.proposed_by = NEW.proposed_by
         AND (NEW.decided_by IS NULL OR NEW.decided_by = a.decided_by)
         AND NOT EXISTS (SELECT FROM approval_uses u WHERE u.approval_id = a.id)
         AND EXISTS (SELECT FROM jsonb_array_elements_text(a.content -> 'items') AS item
           WHERE item::jsonb = (NEW.content - 'set') || jsonb_build_object(
             'exceptionId', NEW.subject_id, 'version', NEW.subject_version))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'approval %: it is of no set that two operators approved', NEW.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_approval_of_set BEFORE INSERT ON approvals FOR EACH ROW
  WHEN (NEW.content ? 'set') EXECUTE FUNCTION guard_approval_of_set();
CREATE TRIGGER guard_decision_of_set BEFORE UPDATE ON approvals FOR EACH ROW
  WHEN (NEW.content ? 'set' AND OLD.decision IS NULL AND NEW.decision = 'APPROVED')
  EXECUTE FUNCTION guard_approval_of_set();
