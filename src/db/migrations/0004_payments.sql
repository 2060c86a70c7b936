CREATE TABLE payments (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text NOT NULL,
  bank_account_id text NOT NULL,
  idempotency_key text NOT NULL,
  workflow_id text NOT NULL UNIQUE,
  rail text NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  source_currency text NOT NULL,
  source_amount bigint NOT NULL CHECK (source_amount > 0),
  rate text,
  external_id text,
  purpose text,
  personal bytea NOT NULL,
  status text NOT NULL,
  status_detail text NOT NULL,
  funds_status text NOT NULL,
  finality text NOT NULL DEFAULT 'NONE' CHECK (finality IN ('NONE', 'PROVISIONAL', 'FINAL')),
  final_at timestamptz,
  failure jsonb,
  return_info jsonb,
  reconciliation_status text NOT NULL DEFAULT 'PENDING'
    CHECK (reconciliation_status IN ('PENDING', 'RECONCILED', 'EXCEPTION')),
  reconciliation_evidence jsonb,
  refs jsonb NOT NULL DEFAULT '[]',
  rejections integer NOT NULL DEFAULT 0,
  has_open_attempt boolean NOT NULL DEFAULT false,
  held_since timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (customer_id, environment, idempotency_key),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, bank_account_id)
    REFERENCES bank_accounts (customer_id, environment, id)
);
CREATE INDEX payments_newest_first ON payments (customer_id, environment, seq DESC);
CREATE INDEX payments_by_end_user ON payments (customer_id, environment, end_user_id, seq DESC);
CREATE INDEX payments_by_status ON payments (customer_id, environment, status, seq DESC);
CREATE INDEX payments_by_bank_account
  ON payments (customer_id, environment, bank_account_id, seq DESC);
CREATE INDEX payments_by_external_id ON payments (customer_id, environment, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX payments_unclaimed ON payments (id) WHERE version = 1;
CREATE INDEX payments_unfinished ON payments (updated_at)
  WHERE status IN ('PROCESSING', 'ON_HOLD', 'SENT');
CALL secure_scoped_table('payments');
GRANT INSERT, UPDATE ON payments TO causeway_app, causeway_system;

CREATE TABLE payment_moves (from_status text, to_status text, PRIMARY KEY (from_status, to_status));
INSERT INTO payment_moves
SELECT f, t FROM (VALUES
  ('PROCESSING', '{ON_HOLD,SENT,COMPLETED,FAILED,CANCELED,EXPIRED}'::text[]),
  ('ON_HOLD', '{PROCESSING,SENT,COMPLETED,FAILED,CANCELED,EXPIRED,RETURNED}'),
  ('SENT', '{ON_HOLD,COMPLETED,FAILED,RETURNED}'),
  ('COMPLETED', '{RETURNED}')) AS moves (f, targets), unnest(targets) AS t;
GRANT SELECT ON payment_moves TO causeway_app, causeway_system;

CREATE TABLE payment_history (
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  version integer NOT NULL,
  status text NOT NULL,
  status_detail text NOT NULL,
  funds_status text NOT NULL,
  reconciliation_status text NOT NULL,
  actor text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, version),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
CALL secure_scoped_table('payment_history');
GRANT INSERT ON payment_history TO causeway_app, causeway_system;
CREATE TRIGGER payment_history_is_append_only BEFORE UPDATE OR DELETE ON payment_history
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- One try to move the money: committed, with the exact bytes, before the first of them is sent.
CREATE TABLE settlement_attempts (
  reference text PRIMARY KEY CHECK (reference ~ '^[A-Z0-9]{1,35}$'),
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 99),
  rail text NOT NULL,
  request bytea NOT NULL,
  -- SENDING: the bytes may be on their way. NOT_SENT: known not to be. UNKNOWN: nobody told us.
  phase text NOT NULL CHECK (phase IN
    ('SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED')),
  is_open boolean GENERATED ALWAYS AS
    (phase IN ('SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED')) STORED,
  sends integer NOT NULL DEFAULT 1,
  fruitless_sends integer NOT NULL DEFAULT 0,
  refused_by_bank boolean NOT NULL DEFAULT false,
  deadline_at timestamptz NOT NULL,
  answered_at timestamptz,
  unknown_since timestamptz,
  ask_base_at timestamptz NOT NULL,
  next_ask_at timestamptz,
  missing_count integer NOT NULL DEFAULT 0,
  last_answer text,
  bank_reference text,
  reason text,
  settled_at timestamptz,
  is_rejection_confirmed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (payment_id, number),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
CREATE UNIQUE INDEX one_open_attempt_a_payment ON settlement_attempts (payment_id) WHERE is_open;
CALL secure_scoped_table('settlement_attempts');
GRANT INSERT, UPDATE ON settlement_attempts TO causeway_app;

-- The database judges a payment's moves again: a bug above it must not be able to lose money.
CREATE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'payment %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation';
  END IF;
  IF ROW(NEW.id, NEW.customer_id, NEW.environment, NEW.end_user_id, NEW.bank_account_id,
         NEW.idempotency_key, NEW.workflow_id, NEW.rail, NEW.currency, NEW.amount, NEW.source_currency, NEW.source_amount)
     IS DISTINCT FROM
     ROW(OLD.id, OLD.customer_id, OLD.environment, OLD.end_user_id, OLD.bank_account_id,
         OLD.idempotency_key, OLD.workflow_id, OLD.rail, OLD.currency, OLD.amount, OLD.source_currency, OLD.source_amount) THEN
    RAISE EXCEPTION 'payment %: what was ordered cannot change', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status <> OLD.status THEN
    IF NOT EXISTS (SELECT FROM payment_moves
                   WHERE from_status = OLD.status AND to_status = NEW.status) THEN
      RAISE EXCEPTION 'payment % cannot move from % to %', OLD.id, OLD.status, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
    -- Only a settled attempt completes a payment, only a closed one lets its funds go.
    IF NEW.status IN ('COMPLETED', 'RETURNED', 'CANCELED', 'EXPIRED', 'FAILED') AND EXISTS (
      SELECT FROM settlement_attempts a WHERE a.payment_id = OLD.id AND a.is_open) THEN
      RAISE EXCEPTION 'payment % cannot be % while a settlement attempt is open', OLD.id, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_payment_move BEFORE UPDATE ON payments
  FOR EACH ROW EXECUTE FUNCTION guard_payment_move();

-- What the bank told us unasked: callbacks and statement lines. Stored first, judged later.
CREATE TABLE transfer_reports (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id text,
  environment text NOT NULL,
  payment_id text,
  reference text NOT NULL,
  source text NOT NULL CHECK (source IN ('CALLBACK', 'STATEMENT')),
  report_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED')),
  bank_reference text,
  reason text,
  amount bigint,
  received_at timestamptz NOT NULL,
  processed_at timestamptz,
  effect text,
  UNIQUE (environment, source, report_id),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
CREATE INDEX bank_reports_unprocessed ON transfer_reports (received_at)
  WHERE processed_at IS NULL AND payment_id IS NOT NULL;
CREATE INDEX bank_reports_of_payment ON transfer_reports (payment_id, id);
CALL secure_scoped_table('transfer_reports');
GRANT INSERT, UPDATE ON transfer_reports TO causeway_app, causeway_system;

-- Stores one callback, once, and says whose payment it concerns. Unknown references are kept too.
CREATE FUNCTION store_bank_callback(
  in_environment text, in_report_id text, in_reference text, in_status text,
  in_bank_reference text, in_reason text, in_at timestamptz)
RETURNS TABLE (id bigint, customer_id text, payment_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  whose RECORD;
BEGIN
  SELECT a.customer_id, a.payment_id INTO whose FROM settlement_attempts a
  WHERE a.reference = in_reference AND a.environment = in_environment;
  INSERT INTO transfer_reports AS r (customer_id, environment, payment_id, reference, source, report_id,
    status, bank_reference, reason, received_at)
  VALUES (whose.customer_id, in_environment, whose.payment_id, in_reference, 'CALLBACK',
    in_report_id, in_status, in_bank_reference, in_reason, in_at)
  ON CONFLICT (environment, source, report_id) DO NOTHING;
  RETURN QUERY SELECT r.id, r.customer_id, r.payment_id FROM transfer_reports r
  WHERE r.environment = in_environment AND r.source = 'CALLBACK' AND r.report_id = in_report_id;
END $$;

CREATE TABLE idempotency_keys (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status_code integer NOT NULL,
  response bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Payments bind their key for ever; every other request for 30 days.
  expires_at timestamptz,
  PRIMARY KEY (customer_id, environment, key)
);
CALL secure_scoped_table('idempotency_keys');
GRANT INSERT, UPDATE, DELETE ON idempotency_keys TO causeway_app;
GRANT DELETE ON idempotency_keys TO causeway_system;
