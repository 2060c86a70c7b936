-- Bank statements, what of them is a payment's, and what is a customer's funding.

-- One statement concerns many customers.
CREATE TABLE statements (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  -- What speaks to the bank; a rail is SEPA, ACH, ...
  connector text NOT NULL,
  bank_statement_id text NOT NULL,
  -- A bank may count anew (at 1 in a new year): that is a new series, and (series, sequence) is the order.
  series integer NOT NULL DEFAULT 1,
  sequence bigint NOT NULL,
  account text NOT NULL,
  from_at timestamptz,
  to_at timestamptz,
  -- REFUSED: its number is not credible; kept for an operator, and holds nothing up.
  status text NOT NULL DEFAULT 'LISTED'
    CHECK (status IN ('LISTED', 'READ', 'RECONCILED', 'UNREADABLE', 'REFUSED')),
  -- A reading replaces the lines of the one before it whole, and only the newest reading may store any:
  -- what a bank sent in two tries is never mixed.
  readings integer NOT NULL DEFAULT 0,
  -- How many of them ended with a file that cannot be read.
  unreadable_readings integer NOT NULL DEFAULT 0,
  problems jsonb NOT NULL DEFAULT '[]',
  -- When the alarm about them was given: it follows a commit, so what is unmarked is given (again) by the
  -- next run.
  alarmed_at timestamptz,
  line_count integer,
  -- Of its account, balances and lines: which payments could have been on it.
  currencies text[] NOT NULL DEFAULT '{}',
  listed_at timestamptz NOT NULL,
  reconciled_at timestamptz,
  UNIQUE (environment, connector, bank_statement_id)
);
COMMENT ON TABLE statements IS
  'One statement of a bank account: listed, read and reconciled. Only the system role sees and writes it, and no '
  'role may delete it.';
CREATE UNIQUE INDEX statements_by_sequence ON statements (environment, connector, series, sequence)
  WHERE status <> 'REFUSED';
CREATE INDEX statements_unfinished ON statements (environment, connector, series, sequence)
  WHERE status NOT IN ('RECONCILED', 'REFUSED');
CREATE INDEX statements_with_problems ON statements (id DESC) WHERE problems <> '[]';
CREATE INDEX statements_to_alarm ON statements (environment, connector, id)
  WHERE alarmed_at IS NULL AND problems <> '[]';
GRANT SELECT, INSERT, UPDATE ON statements TO causeway_system;

-- A line is stored, then judged (its outcome is decided and counts for later lines), then processed (the payment that
-- it concerns has been changed).
CREATE TABLE statement_lines (
  statement_id bigint NOT NULL REFERENCES statements,
  line integer NOT NULL,
  entry integer NOT NULL,
  reference text,
  bank_reference text,
  creditor_references text[] NOT NULL DEFAULT '{}',
  booking_key bytea,
  -- In major units as the bank wrote it: it may name a currency or decimals that we do not know.
  amount numeric NOT NULL CHECK (amount >= 0),
  currency text NOT NULL,
  direction text NOT NULL CHECK (direction IN ('CRDT', 'DBIT')),
  is_reversal boolean NOT NULL,
  -- The bank marks the credit as the return of a payout. What it does not mark is a payment that another
  -- party made to us, whatever reference it carries.
  is_return boolean NOT NULL DEFAULT false,
  booked boolean NOT NULL,
  booked_at timestamptz,
  reason text,
  customer_id text,
  environment text NOT NULL,
  payment_id text,
  -- The credit that it brought, took back, or took back before it arrived.
  credit_id text,
  -- OFFSET: cancels out with another line of its payment on the same statement.
  outcome text CHECK (outcome IN ('RECONCILED',
    'RETURN', 'OFFSET', 'EXCEPTION', 'IGNORED', 'CREDIT', 'CREDIT_REVERSAL')),
  exception text CHECK (exception IN ('AMOUNT_MISMATCH', 'UNEXPECTED_AT_BANK', 'DUPLICATE_AT_BANK',
    'UNKNOWN_RETURN', 'LATE', 'LATE_RETURN')),
  -- It moved the payment's money, so a further line of its direction is one too many.
  counts_for_payment boolean NOT NULL DEFAULT false,
  judged_at timestamptz,
  processed_at timestamptz,
  alarmed_at timestamptz,
  PRIMARY KEY (statement_id, line),
  CHECK ((outcome = 'EXCEPTION') = (exception IS NOT NULL)),
  CHECK (processed_at IS NULL OR judged_at IS NOT NULL),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
COMMENT ON TABLE statement_lines IS
  'One statement line, and what it means for a payment or a credit. A new reading replaces the lines of a '
  'statement; a judged line stays.';
CREATE INDEX statement_lines_by_reference ON statement_lines (environment, upper(reference), direction);
CREATE INDEX statement_lines_of_payment ON statement_lines (payment_id, direction)
  WHERE payment_id IS NOT NULL;
CREATE INDEX statement_lines_open ON statement_lines (statement_id, line)
  WHERE processed_at IS NULL;
-- A payment's lines are counted over the whole statement before the first of them is judged.
CREATE INDEX statement_lines_named ON statement_lines (statement_id, upper(reference))
  WHERE booked AND reference IS NOT NULL;
CREATE INDEX statement_lines_to_alarm ON statement_lines (statement_id, line)
  WHERE outcome = 'EXCEPTION' AND alarmed_at IS NULL;
CREATE INDEX statement_lines_without_payment ON statement_lines (statement_id DESC, line)
  WHERE outcome = 'EXCEPTION' AND payment_id IS NULL;
-- The other lines of one booking: a credit and what takes it back.
CREATE INDEX statement_lines_by_booking ON statement_lines (statement_id, booking_key, line)
  WHERE booking_key IS NOT NULL;
-- Debits that took back a credit which was not known yet.
CREATE INDEX statement_lines_taken_back ON statement_lines (environment, currency, amount)
  WHERE exception = 'UNEXPECTED_AT_BANK' AND is_return AND credit_id IS NULL;
-- Debits that took back a credit which arrived later.
CREATE INDEX statement_lines_answered ON statement_lines (credit_id)
  WHERE exception = 'UNEXPECTED_AT_BANK' AND credit_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON statement_lines TO causeway_system;
CREATE TRIGGER judged_lines_stay BEFORE DELETE ON statement_lines
  FOR EACH ROW WHEN (OLD.judged_at IS NOT NULL) EXECUTE FUNCTION refuse_change();

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
REVOKE ALL ON FUNCTION statement_word FROM PUBLIC;
GRANT EXECUTE ON FUNCTION statement_word TO causeway_dashboard;

CREATE TABLE funding_references (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  currency text NOT NULL,
  -- ISO 11649, without blanks.
  reference text NOT NULL UNIQUE CHECK (reference ~ '^RF[0-9]{2}[0-9A-Z]{14}$'),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment, currency)
);
COMMENT ON TABLE funding_references IS
  'The reference that a customer''s payers write to credit its balance in one currency. Rows never change and are '
  'never deleted.';
CALL secure_scoped_table('funding_references');
GRANT INSERT ON funding_references TO causeway_app;
CREATE TRIGGER funding_references_are_append_only BEFORE UPDATE OR DELETE ON funding_references
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Only the system role sees it: some of them are unmatched.
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
COMMENT ON TABLE incoming_credits IS
  'One credit on a statement that belongs to no payment, stored once however many statements show it. It is '
  'decided once and never deleted.';
CREATE INDEX incoming_credits_waiting ON incoming_credits (seq) WHERE outcome IS NULL;
CREATE INDEX incoming_credits_by_amount ON incoming_credits (environment, connector, currency, minor);
GRANT SELECT, INSERT, UPDATE (customer_id, outcome, decided_at, closing_statement_id, closing_line) ON
  incoming_credits TO causeway_system;

-- A credit is only decided, and once.
CREATE FUNCTION guard_incoming_credit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- The two name each other.
ALTER TABLE statement_lines ADD FOREIGN KEY (credit_id) REFERENCES incoming_credits;

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
COMMENT ON TABLE credit_reversals IS
  'The reversal of one incoming credit by the bank, stored once however many statements show it. Rows never '
  'change and are never deleted.';
GRANT SELECT, INSERT ON credit_reversals TO causeway_system;
CREATE TRIGGER credit_reversals_are_append_only BEFORE UPDATE OR DELETE ON credit_reversals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

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
COMMENT ON TABLE funding_credits IS
  'One credit to a customer''s balance. Version 2 is its reversal by the bank; rows are never deleted.';
CALL secure_scoped_table('funding_credits');
GRANT INSERT, UPDATE (version, reversed_at, reversal_transaction_id) ON funding_credits TO causeway_app;

-- A credit is only reversed, and once.
CREATE FUNCTION guard_funding_credit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

CREATE TABLE suspense_exits (
  credit_id text PRIMARY KEY REFERENCES incoming_credits,
  ledger_transaction_id text UNIQUE
);
COMMENT ON TABLE suspense_exits IS
  'The ledger transaction that took one unmatched credit out of suspense. A trigger writes it; rows never change '
  'and are never deleted.';
GRANT SELECT, INSERT ON suspense_exits TO causeway_system;
CREATE TRIGGER suspense_exits_are_append_only BEFORE UPDATE OR DELETE ON suspense_exits
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Suspense is the platform account's, and money leaves it by two operators, or because the bank took it back.
CREATE FUNCTION guard_credit_transaction() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted text := CASE NEW.kind WHEN 'ASSIGN' THEN 'CREDIT_ASSIGNMENT' WHEN 'CLOSE' THEN 'CREDIT_CLOSING' END;
BEGIN
  IF NEW.kind = 'SUSPEND' AND EXISTS (SELECT FROM incoming_credits c
       WHERE c.ledger_transaction_id = NEW.id AND c.environment = NEW.environment
         AND c.unmatched_reason IS NOT NULL AND NEW.customer_id = 'cus_platform')
     OR NEW.kind IN ('CLOSE', 'FUND_REVERSAL') AND EXISTS (
       SELECT FROM credit_reversals r JOIN incoming_credits c ON c.id = r.credit_id
       WHERE r.ledger_transaction_id = NEW.id AND c.environment = NEW.environment
         AND NEW.customer_id = coalesce(c.customer_id, 'cus_platform')
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
CREATE TRIGGER guard_credit_transaction BEFORE INSERT ON ledger_transactions
  FOR EACH ROW WHEN (NEW.kind IN ('SUSPEND', 'ASSIGN', 'CLOSE', 'FUND_REVERSAL'))
  EXECUTE FUNCTION guard_credit_transaction();

-- guard_credit_transaction asks whether the running transaction uses an approval of such an action. This asks,
-- when all is written, for the credit: the one whose approval is in use, decided as it was approved, or the
-- one that the bank took back; of just this amount, and not out of suspense yet.
CREATE FUNCTION check_suspense_exit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
CREATE CONSTRAINT TRIGGER suspense_is_left_by_one_credit AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.kind IN ('ASSIGN', 'CLOSE')) EXECUTE FUNCTION check_suspense_exit();

-- A bank may show one debit on several statements, each a line of its own: an intraday statement and that of
-- the day. However many lines show it, it explains one credit. Whether a debit, on whichever line of whichever
-- statement, has closed, taken back or answered another credit: of the credits of one amount, only those can be
-- another's. Lines of one bank show one debit where they bear the same reference of the bank and amount, are
-- the same in number of such lines on their statements, and were booked within the 36 hours of its days; a line
-- without a reference is a debit of its own.
CREATE FUNCTION is_debit_of_another_credit(wanted text, in_statement bigint, in_line integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  WITH others AS (
    SELECT o.id, o.closing_statement_id, o.closing_line FROM incoming_credits c
      JOIN incoming_credits o USING (environment, connector, currency, minor)
    WHERE c.id = wanted AND o.id <> wanted
  ), taken AS (
    SELECT o.closing_statement_id AS statement_id, o.closing_line AS line FROM others o
      WHERE o.closing_line IS NOT NULL
    UNION SELECT r.statement_id, r.line FROM credit_reversals r JOIN others o ON o.id = r.credit_id
    UNION SELECT l.statement_id, l.line FROM statement_lines l JOIN others o ON o.id = l.credit_id
      WHERE l.exception = 'UNEXPECTED_AT_BANK'
  ), shown AS (
    SELECT l.statement_id, l.line, l.booked_at, b.booking, (
        SELECT count(*) FROM statement_lines n
        WHERE n.statement_id = l.statement_id AND n.line <= l.line AND n.direction = 'DBIT'
          AND n.booked AND n.currency = l.currency AND n.amount = l.amount
          AND coalesce(n.bank_reference, encode(n.booking_key, 'hex')) = b.booking) AS number
    FROM (SELECT in_statement AS statement_id, in_line AS line UNION SELECT statement_id, line FROM taken) place
      JOIN statement_lines l USING (statement_id, line)
      CROSS JOIN LATERAL (SELECT coalesce(l.bank_reference, encode(l.booking_key, 'hex')) AS booking) b
  )
  SELECT EXISTS (SELECT FROM shown one
    JOIN shown other ON (other.statement_id, other.line) = (one.statement_id, one.line)
      OR other.booking = one.booking AND other.number = one.number
        AND (other.booked_at BETWEEN one.booked_at - interval '36 hours'
          AND one.booked_at + interval '36 hours') IS NOT FALSE
    JOIN taken t ON (t.statement_id, t.line) = (other.statement_id, other.line)
    WHERE (one.statement_id, one.line) = (in_statement, in_line))
$$;

-- Decides what becomes of an unmatched credit, in the transaction of its effect and by the approval that this
-- transaction uses. The scope of the transaction is the customer's that it is assigned to, or the platform account's. A
-- closed one left the bank again: by a line of the same amount that nothing else explains, and not before it
-- came, for money leaves after it came. A line that took back a credit which arrived later is that credit's
-- (statement_lines.credit_id). Closing one waits, as taking and reversing credits do, until no other
-- transaction works on credits of the same bank: one may be giving the line to its credit. No row: it was
-- decided before, is no amount of ours, or there is no such line.
CREATE FUNCTION take_unmatched_credit(wanted text, wanted_outcome text, closing_statement bigint,
  closing_at_line integer, decided timestamptz)
RETURNS TABLE (currency text, minor bigint, connector text, booked_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  action text := CASE wanted_outcome WHEN 'ASSIGNED' THEN 'CREDIT_ASSIGNMENT' WHEN 'CLOSED' THEN 'CREDIT_CLOSING' END;
  approval approvals := approval_in_use(action, wanted, 1);
BEGIN
  IF approval.id IS NULL OR approval.customer_id <> scope_customer()
     OR approval.environment <> scope_environment() THEN
    RAISE EXCEPTION 'credit %: this takes two operators', wanted USING ERRCODE = 'check_violation';
  END IF;
  IF wanted_outcome = 'CLOSED' THEN
    -- The lock of src/db/ledger/early-reversal-store.ts. What was committed before it was given is seen below.
    PERFORM pg_advisory_xact_lock(hashtextextended('credits:' || c.environment || ':' || c.connector, 0))
      FROM incoming_credits c WHERE c.id = wanted;
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
          AND (l.credit_id IS NULL OR l.credit_id = c.id)
          AND l.environment = c.environment AND s.connector = c.connector
          AND l.currency = c.currency AND l.amount = c.amount
          AND (l.booked_at >= c.booked_at - interval '36 hours') IS NOT FALSE
          AND NOT is_debit_of_another_credit(c.id, l.statement_id, l.line)))
    RETURNING c.currency, c.minor, c.connector, c.booked_at;
END $$;
REVOKE ALL ON FUNCTION take_unmatched_credit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_unmatched_credit TO causeway_app, causeway_system;

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
COMMENT ON TABLE sandbox_deposits IS
  'One deposit that a partner asks the sandbox bank for. The worker hands it to the bank once; rows are never '
  'deleted.';
CREATE INDEX sandbox_deposits_waiting ON sandbox_deposits (seq) WHERE outcome IS NULL;
CALL secure_scoped_table('sandbox_deposits');
GRANT INSERT ON sandbox_deposits TO causeway_app;
GRANT UPDATE (outcome, handed_on_at) ON sandbox_deposits TO causeway_system;
CREATE TRIGGER sandbox_deposit_is_only_handed_on BEFORE UPDATE OR DELETE ON sandbox_deposits
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('outcome', 'handed_on_at');

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION statement_word OWNER TO causeway_system_definer;
ALTER FUNCTION check_funding_credit_owner OWNER TO causeway_system_definer;
ALTER FUNCTION guard_credit_transaction OWNER TO causeway_system_definer;
ALTER FUNCTION check_suspense_exit OWNER TO causeway_system_definer;
ALTER FUNCTION take_unmatched_credit OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
