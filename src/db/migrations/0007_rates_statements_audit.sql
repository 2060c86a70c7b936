-- Exchange rates belong to nobody: every customer sees the same mid-market.
CREATE TABLE fx_rates (
  source text NOT NULL,
  base text NOT NULL,
  quote text NOT NULL,
  rate numeric NOT NULL CHECK (rate > 0),
  as_of timestamptz NOT NULL,
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (source, base, quote)
);
GRANT SELECT ON fx_rates TO causeway_app, causeway_system;
GRANT INSERT, UPDATE, DELETE ON fx_rates TO causeway_system;

-- Bank statements concern many customers at once, so only the system role sees them.
CREATE TABLE statements (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  rail text NOT NULL,
  bank_statement_id text NOT NULL,
  sequence bigint NOT NULL,
  account text NOT NULL,
  from_at timestamptz,
  to_at timestamptz,
  status text NOT NULL DEFAULT 'LISTED'
    CHECK (status IN ('LISTED', 'READ', 'RECONCILED', 'UNREADABLE')),
  problems jsonb NOT NULL DEFAULT '[]',
  line_count integer,
  -- Of its account, balances and lines: which payments could have been on it.
  currencies text[] NOT NULL DEFAULT '{}',
  listed_at timestamptz NOT NULL,
  reconciled_at timestamptz,
  UNIQUE (environment, rail, bank_statement_id),
  UNIQUE (environment, rail, sequence)
);
CREATE INDEX statements_unfinished ON statements (environment, rail, sequence)
  WHERE status IN ('LISTED', 'READ');
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
  booked boolean NOT NULL,
  booked_at timestamptz,
  reason text,
  customer_id text,
  environment text NOT NULL,
  payment_id text,
  outcome text CHECK (outcome IN ('RECONCILED', 'RETURN', 'EXCEPTION', 'IGNORED')),
  exception text CHECK (exception IN ('AMOUNT_MISMATCH', 'UNEXPECTED_AT_BANK', 'DUPLICATE_AT_BANK',
    'UNKNOWN_RETURN', 'LATE')),
  -- It moved the payment's money, so a further line of its direction is one too many.
  counts_for_payment boolean NOT NULL DEFAULT false,
  judged_at timestamptz,
  processed_at timestamptz,
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
GRANT SELECT, INSERT, UPDATE ON statement_lines TO causeway_system;
-- Paid out and on no statement yet: the list in which reconciliation looks for missing lines.
CREATE INDEX payments_unreconciled ON payments (environment, id)
  WHERE reconciliation_status = 'PENDING' AND status IN ('COMPLETED', 'RETURNED');

CREATE TABLE audit_log (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  customer_id text,
  environment text,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'
);
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON audit_log FOR INSERT TO causeway_app
  WITH CHECK (customer_id = scope_customer() AND environment = scope_environment());
CREATE POLICY system_sees_all ON audit_log TO causeway_system USING (true) WITH CHECK (true);
GRANT INSERT ON audit_log TO causeway_app, causeway_system;
GRANT SELECT ON audit_log TO causeway_system;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
