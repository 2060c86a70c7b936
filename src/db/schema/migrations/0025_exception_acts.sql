-- What operators do about exceptions of statements. The kinds of its ledger transactions: those that were there, and two.
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check,
  ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN
    ('FUND', 'HOLD', 'SETTLE', 'RELEASE', 'RETURN', 'RETURN_DIFFERENCE', 'COVER', 'LATE_RETURN',
      'LATE_RETURN_CREDIT', 'SUSPEND', 'ASSIGN', 'CLOSE', 'FUND_REVERSAL', 'DEPOSIT', 'DEPOSIT_HOLD',
      'DEPOSIT_UNHOLD', 'DEPOSIT_RELEASE', 'DEPOSIT_ORPHAN', 'DEPOSIT_BLOCK', 'DEPOSIT_UNBLOCK',
      'EXCEPTION', 'EXCEPTION_REVERSAL')) NOT VALID;

CREATE TABLE exception_acts (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  -- A line (`12/3`), a problem of a statement (`12/SEQUENCE_GAP`), or a payment without a line (`pay_...`).
  exception_id text NOT NULL CHECK (exception_id ~ '^([0-9]+/([0-9]+|[A-Z_]+)|pay_[0-9a-z]+)$'),
  exception text NOT NULL,
  -- An exception is ended, and once an act was reversed, ended again: by the act of the next round. A payment without a
  -- line that is an exception again begins a round too.
  round integer NOT NULL CHECK (round > 0),
  act text NOT NULL CHECK (act IN ('ACKNOWLEDGE', 'WRITE_OFF', 'CREDIT_RETURN', 'RECOVER', 'REVERSE')),
  reverses text UNIQUE REFERENCES exception_acts,
  payment_id text,
  -- What two operators approved: amounts, accounts, and where the evidence is. Ids and codes, nothing personal.
  content jsonb NOT NULL,
  -- Null where no money moved, or the payment's own movement moved all of it.
  ledger_transaction_id text UNIQUE,
  approval_id text NOT NULL UNIQUE REFERENCES approvals,
  acted_at timestamptz NOT NULL,
  CHECK ((act = 'REVERSE') = (reverses IS NOT NULL)),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, ledger_transaction_id)
    REFERENCES ledger_transactions (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED
);
COMMENT ON TABLE exception_acts IS
  'One act of two operators that ends an exception of a statement or a payment, or that reverses such an act. Rows '
  'never change and are never deleted.';
CREATE UNIQUE INDEX one_act_ends_an_exception_a_round ON exception_acts (exception_id, round)
  WHERE act <> 'REVERSE';
-- The acts of a payment, for what of it may still be credited.
CREATE INDEX exception_acts_of_payment ON exception_acts (payment_id) WHERE payment_id IS NOT NULL;
CALL secure_scoped_table('exception_acts');
GRANT INSERT ON exception_acts TO causeway_app;
CREATE TRIGGER exception_acts_are_append_only BEFORE UPDATE OR DELETE ON exception_acts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Whether an act that stands has ended an exception. Acts may be of any customer, so the function sees all.
CREATE FUNCTION is_exception_ended(wanted text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM exception_acts a WHERE a.exception_id = wanted AND a.act <> 'REVERSE'
    AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id))
$$;
REVOKE ALL ON FUNCTION is_exception_ended FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_exception_ended TO causeway_app, causeway_system;

-- An act is what two operators approved, and no exception has two that stand. Other acts of the exception may be of
-- other customers, so the function sees all.
CREATE FUNCTION guard_exception_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
      WHERE a.id = NEW.approval_id AND a.decision = 'APPROVED'
        AND u.used_by_transaction = pg_current_xact_id_if_assigned()
        AND a.customer_id = NEW.customer_id AND a.environment = NEW.environment
        AND a.content = NEW.content AND a.content ->> 'act' = NEW.act
        AND CASE NEW.act WHEN 'REVERSE' THEN a.action = 'EXCEPTION_REVERSAL' AND a.subject_id = NEW.reverses
          ELSE a.action = 'EXCEPTION_ACT' AND a.subject_id = NEW.exception_id END) THEN
    RAISE EXCEPTION 'exception %: no two operators have approved this', NEW.exception_id
      USING ERRCODE = 'check_violation';
  END IF;
  -- A line explains one thing: no credit is closed by it meanwhile.
  PERFORM FROM statement_lines l
    WHERE l.statement_id::text || '/' || l.line::text = NEW.exception_id
      AND l.statement_id = substring(NEW.exception_id FROM '^[0-9]+')::bigint FOR UPDATE;
  IF NEW.act = 'REVERSE' THEN
    IF NOT EXISTS (SELECT FROM exception_acts was WHERE was.id = NEW.reverses AND was.act <> 'REVERSE'
        AND was.exception_id = NEW.exception_id AND was.round = NEW.round
        AND was.customer_id = NEW.customer_id AND was.environment = NEW.environment) THEN
      RAISE EXCEPTION 'exception %: only an act that ended it is reversed', NEW.exception_id
        USING ERRCODE = 'check_violation';
    END IF;
  ELSIF NEW.exception_id ~ '^[0-9]+/[0-9]+$' AND NOT EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id = substring(NEW.exception_id FROM '^[0-9]+')::bigint
        AND l.line = substring(NEW.exception_id FROM '[0-9]+$')::integer
        AND l.outcome = 'EXCEPTION' AND l.exception = NEW.exception) THEN
    RAISE EXCEPTION 'exception %: its line is none any more', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  ELSIF NEW.round <> 1 + (SELECT count(*) FROM exception_acts r
        WHERE r.exception_id = NEW.exception_id
          AND (r.act = 'REVERSE') = (NEW.exception_id !~ '^pay_')) THEN
    RAISE EXCEPTION 'exception %: an act has ended it', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  ELSIF EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id::text || '/' || l.line::text = NEW.exception_id
        AND l.statement_id = substring(NEW.exception_id FROM '^[0-9]+')::bigint
        AND (l.credit_id IS NOT NULL AND l.exception <> 'DUPLICATE_AT_BANK' OR EXISTS (SELECT FROM incoming_credits c
          WHERE c.closing_statement_id = l.statement_id AND c.closing_line = l.line))) THEN
    RAISE EXCEPTION 'exception %: a credit explains it', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_exception_act BEFORE INSERT ON exception_acts
  FOR EACH ROW EXECUTE FUNCTION guard_exception_act();

-- The other way round: what an act has ended closes no credit.
CREATE FUNCTION refuse_closing_by_ended_line() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM statement_lines l
    WHERE l.statement_id = NEW.closing_statement_id AND l.line = NEW.closing_line FOR UPDATE;
  IF is_exception_ended(NEW.closing_statement_id::text || '/' || NEW.closing_line::text) THEN
    RAISE EXCEPTION 'incoming credit %: an act has ended the line that closes it', NEW.id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_line_explains_one_thing';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_closing_by_ended_line BEFORE UPDATE ON incoming_credits FOR EACH ROW
  WHEN (NEW.closing_line IS NOT NULL AND OLD.closing_line IS NULL)
  EXECUTE FUNCTION refuse_closing_by_ended_line();

-- Money that an act moves is an act's.
CREATE FUNCTION guard_exception_transaction() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM exception_acts a WHERE a.ledger_transaction_id = NEW.id
      AND a.customer_id = NEW.customer_id AND a.environment = NEW.environment
      AND (a.act = 'REVERSE') = (NEW.kind = 'EXCEPTION_REVERSAL')) THEN
    RAISE EXCEPTION 'ledger transaction % is not of an act about an exception', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_exception_transaction BEFORE INSERT ON ledger_transactions FOR EACH ROW
  WHEN (NEW.kind IN ('EXCEPTION', 'EXCEPTION_REVERSAL')) EXECUTE FUNCTION guard_exception_transaction();
DROP TRIGGER guard_platform_transaction ON ledger_transactions;
CREATE TRIGGER guard_platform_transaction BEFORE INSERT ON ledger_transactions
  FOR EACH ROW WHEN (NEW.kind = 'COVER' OR NEW.customer_id = 'cus_platform'
    AND NEW.kind NOT IN ('SUSPEND', 'CLOSE', 'EXCEPTION', 'EXCEPTION_REVERSAL'))
  EXECUTE FUNCTION guard_platform_transaction();

-- How many lines of statements that are exceptions of a payment of the scope no act has ended. Statements concern many
-- customers, so no customer's role sees them.
CREATE FUNCTION open_exceptions_of(wanted_payment text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT count(*) FROM statement_lines l
  WHERE l.payment_id = wanted_payment AND l.outcome = 'EXCEPTION'
    AND l.customer_id = scope_customer() AND l.environment = scope_environment()
    AND NOT is_exception_ended(l.statement_id::text || '/' || l.line::text)
    AND NOT (l.exception = 'LATE_RETURN' AND EXISTS (SELECT FROM late_returns d
      WHERE d.payment_id = l.payment_id AND d.decision IS NOT NULL))
$$;
REVOKE ALL ON FUNCTION open_exceptions_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_exceptions_of TO causeway_app, causeway_system;

ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES
  ('EXCEPTION_ACT', '{OPERATIONS}'), ('EXCEPTION_REVERSAL', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION is_exception_ended OWNER TO causeway_system_definer;
ALTER FUNCTION guard_exception_act OWNER TO causeway_system_definer;
ALTER FUNCTION refuse_closing_by_ended_line OWNER TO causeway_system_definer;
ALTER FUNCTION open_exceptions_of OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
