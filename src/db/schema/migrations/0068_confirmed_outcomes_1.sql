-- What became of a payment at the bank, where the bank does not say it: two operators do. CONFIRM_SETTLED and
-- CONFIRM_FAILED close its attempt; `confirmed_by` is the approval that did.
ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES
  ('CONFIRM_SETTLED', '{OPERATIONS}'), ('CONFIRM_FAILED', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

ALTER TABLE settlement_attempts ADD COLUMN confirmed_by text,
  -- Validated by 0068_confirmed_outcomes_2, which keeps no writer waiting.
  ADD CONSTRAINT confirmed_by_an_approval FOREIGN KEY (customer_id, environment, confirmed_by)
    REFERENCES approvals (customer_id, environment, id) NOT VALID;

-- What booked lines of statements say of transfers with these references of ours: PAID; CAME_BACK where money
-- came in; TAKEN_BACK where all of them cancel out on their own statements; NULL where none names one.
-- Statements concern many customers at once, so no customer's role sees them; the answer is a word about
-- references that the caller knows.
CREATE FUNCTION statement_word(in_environment text, in_references text[]) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN count(*) = 0 THEN NULL
    WHEN bool_and(l.outcome IS NOT DISTINCT FROM 'OFFSET') THEN 'TAKEN_BACK'
    WHEN bool_or(l.direction = 'CRDT' AND l.outcome IS DISTINCT FROM 'OFFSET') THEN 'CAME_BACK'
    ELSE 'PAID' END
  FROM public.statement_lines l
  WHERE l.environment = in_environment AND upper(l.reference) = ANY (in_references) AND l.booked
$$;
REVOKE ALL ON FUNCTION statement_word(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION statement_word(text, text[]) TO causeway_dashboard;
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION statement_word(text, text[]) OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;

-- The approval is of this payment as it is, of this attempt and of this outcome, and it is in use; no statement
-- says otherwise. It is written once.
CREATE FUNCTION guard_confirmed_outcome() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  used public.approvals;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.confirmed_by IS NULL AND NEW.phase IN ('SETTLED', 'REJECTED') THEN
    used := public.approval_in_use(
      CASE NEW.phase WHEN 'SETTLED' THEN 'CONFIRM_SETTLED' ELSE 'CONFIRM_FAILED' END,
      NEW.payment_id, (SELECT p.version FROM public.payments p WHERE p.id = NEW.payment_id));
    IF used.id = NEW.confirmed_by AND used.content ->> 'reference' = NEW.reference
       -- What may be on its way is nobody's to confirm.
       AND OLD.phase NOT IN ('READY', 'SENDING')
       AND coalesce(public.statement_word(NEW.environment, ARRAY[NEW.reference])
         = CASE NEW.phase WHEN 'SETTLED' THEN 'PAID' ELSE 'TAKEN_BACK' END, true) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'attempt %: its outcome is confirmed by two operators, once', NEW.reference
    USING ERRCODE = 'check_violation', CONSTRAINT = 'outcome_takes_two_operators';
END $$;
CREATE TRIGGER outcome_is_confirmed BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by) EXECUTE FUNCTION guard_confirmed_outcome();
CREATE TRIGGER attempt_begins_unconfirmed BEFORE INSERT ON settlement_attempts FOR EACH ROW
  WHEN (NEW.confirmed_by IS NOT NULL) EXECUTE FUNCTION guard_confirmed_outcome();

-- People speak with no bank: what pages close of their own, without two operators, a stored report of the bank
-- has said. (An answer of the bank is written by the worker, whose role is another one.)
CREATE FUNCTION guard_outcome_by_people() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.transfer_reports r
                 WHERE r.payment_id = NEW.payment_id AND r.reference = NEW.reference) THEN
    RAISE EXCEPTION 'attempt %: its outcome takes the bank, or two operators', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'outcome_takes_two_operators';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER outcome_by_people BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase IN ('SETTLED', 'REJECTED', 'RETURNED') AND NEW.phase <> OLD.phase
    AND NEW.confirmed_by IS NULL AND OLD.phase NOT IN ('READY', 'NOT_SENT')
    AND pg_has_role(current_user, 'causeway_dashboard', 'USAGE')
    AND NOT pg_has_role(current_user, 'causeway_system', 'USAGE'))
  EXECUTE FUNCTION guard_outcome_by_people();
