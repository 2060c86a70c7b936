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
-- Every list of payments is read status by status, newest first, from an index that ends in (status, seq):
-- the page then costs what it shows, whatever else there is.
CREATE INDEX payments_by_status ON payments (customer_id, environment, status, seq DESC);
CREATE INDEX payments_by_end_user
  ON payments (customer_id, environment, end_user_id, status, seq);
CREATE INDEX payments_by_bank_account
  ON payments (customer_id, environment, bank_account_id, status, seq);
CREATE INDEX payments_by_external_id
  ON payments (customer_id, environment, external_id, status, seq) WHERE external_id IS NOT NULL;
-- A partner may number the payments of each end-user anew: then neither id alone is selective.
CREATE INDEX payments_by_end_user_and_external_id
  ON payments (customer_id, environment, end_user_id, external_id, status, seq)
  WHERE external_id IS NOT NULL;
CREATE INDEX payments_by_bank_account_and_external_id
  ON payments (customer_id, environment, bank_account_id, external_id, status, seq)
  WHERE external_id IS NOT NULL;
-- Finds the sequence at which a moment lies.
CREATE INDEX payments_by_time ON payments (customer_id, environment, created_at, seq);

-- What workers look for: not begun, not finished, not confirmed by a statement.
CREATE INDEX payments_unclaimed ON payments (id) WHERE version = 1;
CREATE INDEX payments_unfinished ON payments (updated_at)
  WHERE status IN ('PROCESSING', 'ON_HOLD', 'SENT');
CREATE INDEX payments_unreconciled ON payments (environment, id)
  WHERE reconciliation_status = 'PENDING' AND status IN ('COMPLETED', 'RETURNED');
-- The operators' list: what waits for a human or has not moved, and what contradicts the bank.
CREATE INDEX payments_waiting
  ON payments (environment, status, (coalesce(held_since, updated_at)))
  WHERE status IN ('PROCESSING', 'ON_HOLD', 'SENT');
CREATE INDEX payments_contradicted ON payments (environment, (coalesce(held_since, updated_at)))
  WHERE reconciliation_status = 'EXCEPTION';
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

-- The database judges a payment's moves again: a bug above it must not be able to lose money. Only a
-- settled attempt completes a payment, only a returned one returns it.
CREATE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'payment %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation';
  END IF;
  IF ROW(NEW.id, NEW.customer_id, NEW.environment, NEW.end_user_id, NEW.bank_account_id,
         NEW.idempotency_key, NEW.workflow_id, NEW.rail, NEW.currency, NEW.amount,
         NEW.source_currency, NEW.source_amount)
     IS DISTINCT FROM
     ROW(OLD.id, OLD.customer_id, OLD.environment, OLD.end_user_id, OLD.bank_account_id,
         OLD.idempotency_key, OLD.workflow_id, OLD.rail, OLD.currency, OLD.amount,
         OLD.source_currency, OLD.source_amount) THEN
    RAISE EXCEPTION 'payment %: what was ordered cannot change', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status <> OLD.status THEN
    IF NOT EXISTS (SELECT FROM payment_moves
                   WHERE from_status = OLD.status AND to_status = NEW.status) THEN
      RAISE EXCEPTION 'payment % cannot move from % to %', OLD.id, OLD.status, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
    -- Only a closed attempt lets the funds go.
    IF NEW.status IN ('COMPLETED', 'RETURNED', 'CANCELED', 'EXPIRED', 'FAILED') AND EXISTS (
      SELECT FROM settlement_attempts a WHERE a.payment_id = OLD.id AND a.is_open) THEN
      RAISE EXCEPTION 'payment % cannot be % while a settlement attempt is open', OLD.id, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.status IN ('COMPLETED', 'RETURNED') AND NOT EXISTS (
      SELECT FROM settlement_attempts a WHERE a.payment_id = OLD.id
        AND a.phase = CASE NEW.status WHEN 'COMPLETED' THEN 'SETTLED' ELSE 'RETURNED' END) THEN
      RAISE EXCEPTION 'payment % cannot be % without an attempt that is', OLD.id, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_payment_move BEFORE UPDATE ON payments
  FOR EACH ROW EXECUTE FUNCTION guard_payment_move();

CREATE TABLE idempotency_keys (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status_code integer NOT NULL,
  response bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Payments bind their key for ever; every other request for 30 days, then it is pruned.
  expires_at timestamptz,
  PRIMARY KEY (customer_id, environment, key)
);
CREATE INDEX idempotency_keys_expiring ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
CALL secure_scoped_table('idempotency_keys');
GRANT INSERT, UPDATE, DELETE ON idempotency_keys TO causeway_app;
GRANT DELETE ON idempotency_keys TO causeway_system;
