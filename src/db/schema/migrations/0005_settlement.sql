-- One try to move the money: committed, with the exact bytes, before the first of them is sent.
CREATE TABLE settlement_attempts (
  reference text PRIMARY KEY CHECK (reference ~ '^[A-Z0-9]{1,35}$'),
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 99),
  rail text NOT NULL,
  request bytea NOT NULL,
  -- SENDING: the bytes may be on their way. NOT_SENT: known not to be. UNKNOWN: the bank has not told us.
  phase text NOT NULL CHECK (phase IN
    ('SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED')),
  is_open boolean GENERATED ALWAYS AS
    (phase IN ('SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED')) STORED,
  sends integer NOT NULL DEFAULT 1,
  -- When the last of them began.
  sent_at timestamptz NOT NULL,
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
  -- A lost life of the database may have sent this reference or a later one.
  is_restored boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (payment_id, number),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
CREATE UNIQUE INDEX one_open_attempt_a_payment ON settlement_attempts (payment_id) WHERE is_open;
CALL secure_scoped_table('settlement_attempts');
GRANT INSERT, UPDATE ON settlement_attempts TO causeway_app;

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
  amount numeric CONSTRAINT amount_is_not_negative CHECK (amount >= 0),
  -- When the bank says that it happened.
  occurred_at timestamptz,
  received_at timestamptz NOT NULL,
  processed_at timestamptz,
  effect text,
  UNIQUE (environment, source, report_id),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
CREATE INDEX transfer_reports_unprocessed ON transfer_reports (received_at)
  WHERE processed_at IS NULL AND payment_id IS NOT NULL;
CREATE INDEX transfer_reports_of_payment ON transfer_reports (payment_id, id);
CALL secure_scoped_table('transfer_reports');
GRANT INSERT, UPDATE ON transfer_reports TO causeway_app, causeway_system;

-- Stores one callback, once, and says whose payment it concerns. Unknown references are kept too. A bank
-- that gives two reports one id (its reference, say) has still said two things: the second is kept under
-- the id, reference and status together. Only the same report, told again, is known.
CREATE FUNCTION store_bank_callback(
  in_environment text, in_report_id text, in_reference text, in_status text,
  in_bank_reference text, in_reason text, in_amount numeric, in_occurred_at timestamptz,
  in_received_at timestamptz)
RETURNS TABLE (id bigint, customer_id text, payment_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  whose RECORD;
  own_id text;
BEGIN
  SELECT a.customer_id, a.payment_id INTO whose FROM settlement_attempts a
  WHERE a.reference = in_reference AND a.environment = in_environment;
  FOREACH own_id IN ARRAY
    -- A line feed: no header, and so no id, can hold one.
    ARRAY[in_report_id, concat_ws(E'\n', in_report_id, in_reference, in_status)] LOOP
    INSERT INTO transfer_reports AS r (customer_id, environment, payment_id, reference, source,
      report_id, status, bank_reference, reason, amount, occurred_at, received_at)
    VALUES (whose.customer_id, in_environment, whose.payment_id, in_reference, 'CALLBACK', own_id,
      in_status, in_bank_reference, in_reason, in_amount, in_occurred_at, in_received_at)
    ON CONFLICT (environment, source, report_id) DO NOTHING;
    RETURN QUERY SELECT r.id, r.customer_id, r.payment_id FROM transfer_reports r
    WHERE r.environment = in_environment AND r.source = 'CALLBACK' AND r.report_id = own_id
      AND r.reference = in_reference AND r.status = in_status;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
END $$;
