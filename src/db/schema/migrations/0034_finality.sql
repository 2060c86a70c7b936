-- All at once, in the order of the transactions that move money: what waits for one holds no other.
LOCK TABLE ledger_transactions, payments IN ACCESS EXCLUSIVE MODE;

-- Until when the rail lets a completed payment come back. Null where it has not completed, has ended
-- otherwise, or was completed by the version before: then `updated_at` is judged instead.
ALTER TABLE payments ADD COLUMN final_due_at timestamptz;

-- A final payment stays where it is: no report of a bank moves it any more, whatever process reads it.
CREATE FUNCTION refuse_change_of_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment % is final as % since %', OLD.id, OLD.status, OLD.final_at
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER final_payment_stays BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (OLD.finality = 'FINAL' AND (NEW.finality <> 'FINAL' OR NEW.status <> OLD.status
    OR NEW.final_at IS DISTINCT FROM OLD.final_at))
  EXECUTE FUNCTION refuse_change_of_final();

-- A delivered payment becomes final by a statement and by time, never by either alone.
CREATE FUNCTION refuse_early_finality() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payment % cannot be final: % / %, due %', OLD.id, NEW.status,
    NEW.reconciliation_status, NEW.final_due_at USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER only_reconciled_becomes_final BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (NEW.finality = 'FINAL' AND OLD.finality <> 'FINAL' AND NEW.status = 'COMPLETED'
    AND (OLD.status <> 'COMPLETED' OR NEW.reconciliation_status <> 'RECONCILED'
      OR NEW.final_at IS NULL OR NEW.final_at < NEW.final_due_at))
  EXECUTE FUNCTION refuse_early_finality();

-- More words in two closed lists. What they hold by now stays in them; 0034_validate_late_returns looks at the rows.
DO $$
DECLARE
  one RECORD;
BEGIN
  FOR one IN
    SELECT c.conname, c.conrelid::regclass AS target,
      regexp_replace(pg_get_constraintdef(c.oid), '^CHECK (.*?)( NOT VALID)?$', '\1') AS body, more
    FROM pg_constraint c JOIN (VALUES
      ('ledger_transactions', 'ledger_transactions_kind_check',
        'kind IN (''LATE_RETURN'', ''LATE_RETURN_CREDIT'')'),
      ('statement_lines', 'statement_lines_exception_check', 'exception = ''LATE_RETURN'''))
      AS wanted (target, name, more)
      ON c.conrelid = wanted.target::regclass AND c.conname = wanted.name
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.target, one.conname);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s OR %s) NOT VALID',
      one.target, one.conname, one.body, one.more);
  END LOOP;
END $$;

-- A final payment of which the bank says, or shows, that its money came back. Operators decide.
CREATE TABLE late_returns (
  payment_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  -- The bank's code, where it is one.
  reason text,
  told_at timestamptz NOT NULL,
  -- What a statement showed, and the ledger holds in suspense. Null while the bank only says so.
  currency text,
  amount bigint CHECK (amount > 0),
  shown_at timestamptz,
  -- What a later line of a statement is that does not go with it: nothing is credited on its account.
  contradicted_by text,
  alarmed_at timestamptz,
  decision text CHECK (decision IN ('CREDIT', 'KEEP')),
  decided_at timestamptz,
  approval_id text,
  CHECK (num_nulls(currency, amount, shown_at) IN (0, 3)),
  CHECK (num_nulls(decision, decided_at, approval_id) IN (0, 3)),
  CONSTRAINT decided_on_money CHECK (decision IS NULL OR amount IS NOT NULL),
  CONSTRAINT contradicted_is_not_credited CHECK (decision <> 'CREDIT' OR contradicted_by IS NULL),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, approval_id)
    REFERENCES approvals (customer_id, environment, id)
);
CREATE INDEX late_returns_undecided ON late_returns (told_at, payment_id) WHERE decision IS NULL;
CREATE INDEX late_returns_to_alarm ON late_returns (told_at) WHERE alarmed_at IS NULL;
CALL secure_scoped_table('late_returns');
GRANT INSERT, UPDATE ON late_returns TO causeway_app;
GRANT UPDATE (alarmed_at) ON late_returns TO causeway_system;

-- The operators' decision of this payment that the running transaction uses; null where it uses none.
CREATE FUNCTION late_return_decision_in_use(wanted_payment text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT a.content ->> 'decision' FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
  WHERE a.action = 'LATE_RETURN' AND a.subject_id = wanted_payment AND a.decision = 'APPROVED'
    AND u.used_by_transaction = pg_current_xact_id_if_assigned()
$$;

CREATE FUNCTION guard_late_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    RAISE EXCEPTION 'payment %: a late return is decided after it is known', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  -- What is known stays known, and a decision is the last of it. The alarm's mark may come after it.
  IF TG_OP = 'UPDATE' AND NOT EXISTS (
    SELECT FROM jsonb_each(to_jsonb(OLD)) AS was (name, value)
    WHERE name <> 'alarmed_at' AND value IS DISTINCT FROM to_jsonb(NEW) -> name
      AND (value <> 'null' OR OLD.decision IS NOT NULL)) THEN
    IF NEW.decision IS DISTINCT FROM OLD.decision
      AND NEW.decision IS DISTINCT FROM late_return_decision_in_use(OLD.payment_id) THEN
      RAISE EXCEPTION 'payment %: what came back late takes two operators', OLD.payment_id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: a late return is only ever completed', OLD.payment_id
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_late_return BEFORE UPDATE OR DELETE ON late_returns
  FOR EACH ROW EXECUTE FUNCTION guard_late_return();
CREATE TRIGGER late_return_begins_undecided BEFORE INSERT ON late_returns FOR EACH ROW
  WHEN (num_nonnulls(NEW.decision, NEW.decided_at, NEW.approval_id) > 0)
  EXECUTE FUNCTION guard_late_return();

-- Money leaves suspense by the decision of two operators.
CREATE FUNCTION guard_late_return_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF late_return_decision_in_use(NEW.payment_id) IS DISTINCT FROM 'CREDIT' THEN
    RAISE EXCEPTION 'payment %: money leaves suspense by two operators', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_late_return_credit BEFORE INSERT ON ledger_transactions FOR EACH ROW
  WHEN (NEW.kind = 'LATE_RETURN_CREDIT') EXECUTE FUNCTION guard_late_return_credit();
