-- Bank statements concern many customers at once, so only the system role sees them.
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
CREATE UNIQUE INDEX statements_by_sequence ON statements (environment, connector, series, sequence)
  WHERE status <> 'REFUSED';
CREATE INDEX statements_unfinished ON statements (environment, connector, series, sequence)
  WHERE status NOT IN ('RECONCILED', 'REFUSED');
CREATE INDEX statements_with_problems ON statements (id DESC) WHERE problems <> '[]';
CREATE INDEX statements_to_alarm ON statements (environment, connector, id)
  WHERE alarmed_at IS NULL AND problems <> '[]';
GRANT SELECT, INSERT, UPDATE ON statements TO causeway_system;

-- A line is stored, then judged (its outcome is decided and counts for later lines), then processed
-- (the payment that it concerns has been changed).
CREATE TABLE statement_lines (
  statement_id bigint NOT NULL REFERENCES statements,
  line integer NOT NULL,
  entry integer NOT NULL,
  reference text,
  bank_reference text,
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
  -- OFFSET: cancels out with another line of its payment on the same statement.
  outcome text CHECK (outcome IN ('RECONCILED', 'RETURN', 'OFFSET', 'EXCEPTION', 'IGNORED')),
  exception text CHECK (exception IN ('AMOUNT_MISMATCH', 'UNEXPECTED_AT_BANK', 'DUPLICATE_AT_BANK',
    'UNKNOWN_RETURN', 'LATE')),
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
GRANT SELECT, INSERT, UPDATE, DELETE ON statement_lines TO causeway_system;
CREATE TRIGGER judged_lines_stay BEFORE DELETE ON statement_lines
  FOR EACH ROW WHEN (OLD.judged_at IS NOT NULL) EXECUTE FUNCTION refuse_change();
