-- All at once, in the order of the transactions that move money: what waits for one holds no other.
LOCK TABLE balances, ledger_transactions IN ACCESS EXCLUSIVE MODE;

-- Owns what belongs to no customer: money whose owner is not known.
INSERT INTO customers (id, name, created_at) VALUES ('cus_house', 'House', now())
ON CONFLICT DO NOTHING;

-- What a customer's payers write so that their money finds its balance. One for each currency, for ever.
CREATE TABLE funding_references (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  currency text NOT NULL,
  -- ISO 11649, without blanks.
  reference text NOT NULL UNIQUE CHECK (reference ~ '^RF[0-9]{2}[0-9A-Z]{14}$'),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment, currency)
);
CALL secure_scoped_table('funding_references');
GRANT INSERT ON funding_references TO causeway_app;
CREATE TRIGGER funding_references_are_append_only BEFORE UPDATE OR DELETE ON funding_references
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Each credit that a statement showed and that is no payment's, once, however many statements show it.
-- Only the system role sees it: a part of them is unmatched.
CREATE TABLE incoming_credits (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  connector text NOT NULL,
  -- SHA-256 of what the bank calls the booking, its amount and currency; and which of several equal ones on
  -- one statement. Together they tell one deposit from another.
  booking_key bytea NOT NULL CHECK (octet_length(booking_key) = 32),
  occurrence integer NOT NULL CHECK (occurrence > 0),
  statement_id bigint NOT NULL,
  line integer NOT NULL,
  bank_reference text,
  currency text NOT NULL,
  -- In major units as the bank wrote it, and in minor units; NULL where it is no amount of ours.
  amount numeric NOT NULL,
  minor bigint CHECK (minor > 0),
  -- The one reference that it was credited by.
  reference text,
  booked_at timestamptz,
  received_at timestamptz NOT NULL,
  -- Why no customer was credited; NULL where one was.
  unmatched_reason text,
  -- Whose it is. NULL: no customer's yet.
  customer_id text REFERENCES customers,
  outcome text CHECK (outcome IN ('CREDITED', 'ASSIGNED', 'CLOSED', 'REVERSED')),
  decided_at timestamptz,
  -- Where the money of a closed one left: a line that was UNEXPECTED_AT_BANK.
  closing_statement_id bigint,
  closing_line integer,
  -- The transaction of the arrival, written by another one than this row.
  ledger_transaction_id text NOT NULL UNIQUE,
  UNIQUE (environment, connector, booking_key, occurrence),
  CONSTRAINT one_debit_closes_one_credit UNIQUE (closing_statement_id, closing_line),
  FOREIGN KEY (statement_id, line) REFERENCES statement_lines (statement_id, line),
  FOREIGN KEY (closing_statement_id, closing_line) REFERENCES statement_lines (statement_id, line),
  CHECK ((unmatched_reason IS NULL) = (outcome IS NOT DISTINCT FROM 'CREDITED')),
  CHECK ((outcome IN ('CREDITED', 'ASSIGNED')) IS TRUE = (customer_id IS NOT NULL)),
  CHECK (outcome IS NULL = (decided_at IS NULL)),
  CHECK ((outcome IS NOT DISTINCT FROM 'CLOSED') = (closing_line IS NOT NULL)),
  CHECK (num_nulls(closing_statement_id, closing_line) IN (0, 2)),
  CONSTRAINT only_an_amount_is_credited CHECK (minor IS NOT NULL OR outcome IS NULL)
);
CREATE INDEX incoming_credits_waiting ON incoming_credits (seq) WHERE outcome IS NULL;
CREATE INDEX incoming_credits_by_amount ON incoming_credits (environment, connector, currency, minor);
GRANT SELECT, INSERT ON incoming_credits TO causeway_system;
GRANT UPDATE (customer_id, outcome, decided_at, closing_statement_id, closing_line) ON incoming_credits
  TO causeway_system;
CREATE FUNCTION guard_incoming_credit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  decided text[] := ARRAY['customer_id', 'outcome', 'decided_at', 'closing_statement_id', 'closing_line'];
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.outcome IS NULL AND NEW.outcome IN ('ASSIGNED', 'CLOSED', 'REVERSED')
     AND to_jsonb(NEW) - decided = to_jsonb(OLD) - decided THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'incoming credit % is only decided, and once', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER incoming_credit_is_decided_once BEFORE UPDATE OR DELETE ON incoming_credits
  FOR EACH ROW EXECUTE FUNCTION guard_incoming_credit();

-- The bank took a credit back. Once for each, however many statements show it.
CREATE TABLE credit_reversals (
  credit_id text PRIMARY KEY REFERENCES incoming_credits,
  environment text NOT NULL,
  connector text NOT NULL,
  booking_key bytea NOT NULL CHECK (octet_length(booking_key) = 32),
  occurrence integer NOT NULL CHECK (occurrence > 0),
  statement_id bigint NOT NULL,
  line integer NOT NULL,
  booked_at timestamptz,
  received_at timestamptz NOT NULL,
  ledger_transaction_id text NOT NULL UNIQUE,
  UNIQUE (environment, connector, booking_key, occurrence),
  FOREIGN KEY (statement_id, line) REFERENCES statement_lines (statement_id, line)
);
GRANT SELECT, INSERT ON credit_reversals TO causeway_system;
CREATE TRIGGER credit_reversals_are_append_only BEFORE UPDATE OR DELETE ON credit_reversals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What a customer was credited: version 1. The bank took it back: version 2.
CREATE TABLE funding_credits (
  id text PRIMARY KEY REFERENCES incoming_credits,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  version integer NOT NULL DEFAULT 1 CHECK (version IN (1, 2)),
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  -- NULL where operators assigned it.
  reference text,
  booked_at timestamptz,
  credited_at timestamptz NOT NULL,
  ledger_transaction_id text NOT NULL UNIQUE,
  reversed_at timestamptz,
  reversal_transaction_id text UNIQUE,
  FOREIGN KEY (customer_id, environment, ledger_transaction_id)
    REFERENCES ledger_transactions (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, reversal_transaction_id)
    REFERENCES ledger_transactions (customer_id, environment, id),
  CHECK (num_nulls(reversed_at, reversal_transaction_id) IN (0, 2)),
  CHECK ((version = 2) = (reversed_at IS NOT NULL))
);
CALL secure_scoped_table('funding_credits');
GRANT INSERT, UPDATE (version, reversed_at, reversal_transaction_id) ON funding_credits TO causeway_app;
CREATE FUNCTION guard_funding_credit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  completed text[] := ARRAY['version', 'reversed_at', 'reversal_transaction_id'];
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.version = 1 AND NEW.version = 2
     AND to_jsonb(NEW) - completed = to_jsonb(OLD) - completed THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'funding credit % is only reversed, and once', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER funding_credit_is_only_reversed BEFORE UPDATE OR DELETE ON funding_credits
  FOR EACH ROW EXECUTE FUNCTION guard_funding_credit();

-- The owner of a credit is decided where its row is, which the app does not see: a row of it there says
-- whose it is, and writing another customer's fails here.
CREATE FUNCTION check_funding_credit_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM incoming_credits c WHERE c.id = NEW.id AND c.customer_id = NEW.customer_id
                 AND c.environment = NEW.environment AND c.currency = NEW.currency
                 AND c.minor = NEW.amount AND c.outcome IN ('CREDITED', 'ASSIGNED')) THEN
    RAISE EXCEPTION 'credit % is not of this customer', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_funding_credit_owner BEFORE INSERT ON funding_credits
  FOR EACH ROW EXECUTE FUNCTION check_funding_credit_owner();

-- Decides what becomes of an unmatched credit, in the transaction of its effect and by the approval
-- that this transaction uses. The scope of the transaction is the customer's that it is assigned to, or the
-- house's. A closed one left the bank again: by a line of the same amount that nothing else explains. No row: it
-- was decided before, is no amount of ours, or there is no such line.
CREATE FUNCTION take_unmatched_credit(wanted text, wanted_outcome text, closing_statement bigint,
  closing_at_line integer, decided timestamptz)
RETURNS TABLE (currency text, minor bigint, connector text, booked_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  action text := CASE wanted_outcome WHEN 'ASSIGNED' THEN 'CREDIT_ASSIGNMENT' WHEN 'CLOSED' THEN 'CREDIT_CLOSING' END;
  approval approvals := approval_in_use(action, wanted, 1);
BEGIN
  IF approval.id IS NULL OR approval.customer_id <> scope_customer()
     OR approval.environment <> scope_environment() THEN
    RAISE EXCEPTION 'credit %: this takes two operators', wanted USING ERRCODE = 'check_violation';
  END IF;
  RETURN QUERY
    UPDATE incoming_credits c SET outcome = wanted_outcome, decided_at = decided,
      customer_id = CASE wanted_outcome WHEN 'ASSIGNED' THEN approval.customer_id END,
      closing_statement_id = closing_statement, closing_line = closing_at_line
    WHERE c.id = wanted AND c.environment = approval.environment AND c.outcome IS NULL
      AND c.minor IS NOT NULL
      AND (wanted_outcome = 'ASSIGNED' OR EXISTS (
        SELECT FROM statement_lines l JOIN statements s ON s.id = l.statement_id
        WHERE l.statement_id = closing_statement AND l.line = closing_at_line
          AND l.exception = 'UNEXPECTED_AT_BANK' AND l.payment_id IS NULL AND l.direction = 'DBIT'
          AND l.environment = c.environment AND s.connector = c.connector
          AND l.currency = c.currency AND l.amount = c.amount))
    RETURNING c.currency, c.minor, c.connector, c.booked_at;
END $$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION check_funding_credit_owner() OWNER TO causeway_system;
ALTER FUNCTION take_unmatched_credit(text, text, bigint, integer, timestamptz) OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION take_unmatched_credit(text, text, bigint, integer, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_unmatched_credit(text, text, bigint, integer, timestamptz) TO causeway_app;

-- Lines that credit, or take a credit back, wait for that without holding up the older version, which passes
-- over outcomes that it does not know.
ALTER TABLE statement_lines
  ADD COLUMN creditor_references text[] NOT NULL DEFAULT '{}',
  ADD COLUMN booking_key bytea,
  ADD COLUMN credit_id text REFERENCES incoming_credits;
ALTER TABLE statement_lines DROP CONSTRAINT statement_lines_outcome_check;
ALTER TABLE statement_lines ADD CONSTRAINT statement_lines_outcome_check CHECK (outcome IN ('RECONCILED',
  'RETURN', 'OFFSET', 'EXCEPTION', 'IGNORED', 'CREDIT', 'CREDIT_REVERSAL')) NOT VALID;

-- Further kinds of movement, beside those that other migrations added.
DO $$
DECLARE
  known text := (SELECT string_agg(quote_literal(kind[1]), ', ') FROM regexp_matches(
    (SELECT pg_get_constraintdef(oid) FROM pg_constraint
     WHERE conrelid = 'ledger_transactions'::regclass AND conname = 'ledger_transactions_kind_check'),
    '''([A-Z_]+)''', 'g') AS kind);
BEGIN
  ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
  EXECUTE format('ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK
    (kind IN (%s, ''SUSPEND'', ''ASSIGN'', ''CLOSE'', ''FUND_REVERSAL'')) NOT VALID', known);
END $$;

-- Suspense is the house's, and money leaves it by two operators, or because the bank took it back.
CREATE FUNCTION guard_credit_transaction() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  wanted text := CASE NEW.kind WHEN 'ASSIGN' THEN 'CREDIT_ASSIGNMENT' WHEN 'CLOSE' THEN 'CREDIT_CLOSING' END;
BEGIN
  IF NEW.kind = 'SUSPEND' AND EXISTS (SELECT FROM incoming_credits c
       WHERE c.ledger_transaction_id = NEW.id AND c.environment = NEW.environment
         AND c.unmatched_reason IS NOT NULL AND NEW.customer_id = 'cus_house')
     OR NEW.kind IN ('CLOSE', 'FUND_REVERSAL') AND EXISTS (
       SELECT FROM credit_reversals r JOIN incoming_credits c ON c.id = r.credit_id
       WHERE r.ledger_transaction_id = NEW.id AND c.environment = NEW.environment
         AND NEW.customer_id = coalesce(c.customer_id, 'cus_house')
         AND (NEW.kind = 'CLOSE') = (c.customer_id IS NULL))
     OR EXISTS (SELECT FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
       WHERE a.action = wanted AND a.customer_id = NEW.customer_id
         AND a.environment = NEW.environment AND a.decision = 'APPROVED'
         AND u.used_by_transaction = pg_current_xact_id_if_assigned()) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'ledger transaction %: no credit or approval is behind it', NEW.id
    USING ERRCODE = 'check_violation';
END $$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION guard_credit_transaction() OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
CREATE TRIGGER guard_credit_transaction BEFORE INSERT ON ledger_transactions
  FOR EACH ROW WHEN (NEW.kind IN ('SUSPEND', 'ASSIGN', 'CLOSE', 'FUND_REVERSAL'))
  EXECUTE FUNCTION guard_credit_transaction();
-- What else moves the house's money is guarded where that came in; these two kinds are guarded here.
DO $$
BEGIN
  IF to_regprocedure('guard_house_transaction()') IS NOT NULL THEN
    DROP TRIGGER guard_house_transaction ON ledger_transactions;
    CREATE TRIGGER guard_house_transaction BEFORE INSERT ON ledger_transactions
      FOR EACH ROW WHEN (NEW.kind = 'COVER'
        OR NEW.customer_id = 'cus_house' AND NEW.kind NOT IN ('SUSPEND', 'CLOSE'))
      EXECUTE FUNCTION guard_house_transaction();
  END IF;
END $$;

-- Who owes us has nothing to pay with: each credit repays first, so the one of the two is always zero.
ALTER TABLE balances ADD CONSTRAINT debts_are_repaid_first CHECK (receivable = 0 OR available = 0) NOT VALID;

-- Deposits that a partner asks its sandbox bank for. Handed to the bank by a worker, once.
CREATE TABLE sandbox_deposits (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment = 'test'),
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reference text NOT NULL CHECK (reference ~ '^[A-Z0-9 ]{1,35}$'),
  created_at timestamptz NOT NULL,
  -- TAKEN: the bank has booked it. REFUSED: the bank of the test environment is no sandbox.
  outcome text CHECK (outcome IN ('TAKEN', 'REFUSED')),
  handed_on_at timestamptz,
  CHECK (num_nulls(outcome, handed_on_at) IN (0, 2))
);
CREATE INDEX sandbox_deposits_waiting ON sandbox_deposits (seq) WHERE outcome IS NULL;
CALL secure_scoped_table('sandbox_deposits');
GRANT INSERT ON sandbox_deposits TO causeway_app;
GRANT UPDATE (outcome, handed_on_at) ON sandbox_deposits TO causeway_system;
CREATE TRIGGER sandbox_deposit_is_only_handed_on BEFORE UPDATE OR DELETE ON sandbox_deposits
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('outcome', 'handed_on_at');
