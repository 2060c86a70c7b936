-- Which ledger transaction took an unmatched credit out of suspense: one for each credit, for ever. NULL for
-- one that operators closed before this table was.
CREATE TABLE suspense_exits (
  credit_id text PRIMARY KEY REFERENCES incoming_credits,
  ledger_transaction_id text UNIQUE
);
GRANT SELECT, INSERT ON suspense_exits TO causeway_system;
CREATE TRIGGER suspense_exits_are_append_only BEFORE UPDATE OR DELETE ON suspense_exits
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- guard_credit_transaction asks whether the running transaction uses an approval of such an action. This asks,
-- when all is written, for the credit: the one whose approval is in use, decided as it was approved, or the
-- one that the bank took back; of just this amount, and not out of suspense yet.
CREATE FUNCTION check_suspense_exit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  moved record;
  credit text;
BEGIN
  SELECT min(e.currency) AS currency, -sum(e.amount) AS minor INTO moved FROM ledger_entries e
    WHERE e.transaction_id = NEW.id AND e.account = 'suspense' HAVING count(*) = 1;
  SELECT c.id INTO credit FROM incoming_credits c
  WHERE c.environment = NEW.environment AND c.currency = moved.currency AND c.minor = moved.minor
    AND c.unmatched_reason IS NOT NULL
    AND NOT EXISTS (SELECT FROM suspense_exits x WHERE x.credit_id = c.id)
    AND (EXISTS (SELECT FROM credit_reversals r
        WHERE r.credit_id = c.id AND r.ledger_transaction_id = NEW.id
          AND NEW.kind = 'CLOSE' AND c.outcome = 'REVERSED')
      OR EXISTS (SELECT FROM approval_uses u JOIN approvals a ON a.id = u.approval_id
        WHERE u.used_by_transaction = pg_current_xact_id_if_assigned()
          AND a.subject_id = c.id AND a.subject_version = 1 AND a.decision = 'APPROVED'
          AND a.customer_id = NEW.customer_id AND a.environment = NEW.environment
          AND CASE NEW.kind
            WHEN 'ASSIGN' THEN a.action = 'CREDIT_ASSIGNMENT' AND c.outcome = 'ASSIGNED'
              AND c.customer_id = NEW.customer_id AND EXISTS (SELECT FROM funding_credits f
                WHERE f.id = c.id AND f.ledger_transaction_id = NEW.id)
            ELSE a.action = 'CREDIT_CLOSING' AND c.outcome = 'CLOSED'
              AND a.content ->> 'statementId' = c.closing_statement_id::text
              AND a.content ->> 'line' = c.closing_line::text END))
  LIMIT 1;
  IF credit IS NULL THEN
    RAISE EXCEPTION 'ledger transaction %: it is not what became of a credit', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  INSERT INTO suspense_exits (credit_id, ledger_transaction_id) VALUES (credit, NEW.id);
  RETURN NULL;
END $$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION check_suspense_exit() OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
CREATE CONSTRAINT TRIGGER suspense_is_left_by_one_credit AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.kind IN ('ASSIGN', 'CLOSE')) EXECUTE FUNCTION check_suspense_exit();

-- Behind the trigger, which waited for everybody who was writing.
INSERT INTO suspense_exits (credit_id, ledger_transaction_id)
SELECT c.id, coalesce(f.ledger_transaction_id, r.ledger_transaction_id)
FROM incoming_credits c
  LEFT JOIN funding_credits f ON f.id = c.id
  LEFT JOIN credit_reversals r ON r.credit_id = c.id
WHERE c.unmatched_reason IS NOT NULL AND (c.outcome IN ('ASSIGNED', 'CLOSED')
  OR c.outcome = 'REVERSED' AND EXISTS (
    SELECT FROM ledger_transactions t WHERE t.id = r.ledger_transaction_id));
