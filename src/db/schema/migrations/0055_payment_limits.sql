-- What a customer's own users limit: amounts per payment and per day, and the beneficiaries. A payment over a limit waits
-- for one of them. Without limits nothing is read or written.

-- Whether the customer ever set a limit. Its claims then take the path that counts: see src/db/payments/ready-attempt-store.ts.
-- It stays after the last limit is removed, so that what waits goes on waiting.
ALTER TABLE customers ADD COLUMN has_payment_limits boolean NOT NULL DEFAULT false;

CREATE TABLE payment_limits (
  id text PRIMARY KEY CHECK (id ~ '^lim_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  -- Null: it counts all payments of the customer, whoever makes them.
  api_key_id text,
  -- What the payments take from: a currency or an asset.
  currency text NOT NULL CHECK (currency ~ '^[A-Z0-9]{3,10}$'),
  -- Minor units, fees included. Null: no limit. 0: each payment waits.
  per_payment bigint CHECK (per_payment >= 0),
  per_day bigint CHECK (per_day >= 0),
  allowed_beneficiaries_only boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  set_by text NOT NULL CHECK (length(set_by) BETWEEN 1 AND 120),
  set_at timestamptz NOT NULL,
  CONSTRAINT one_limit_a_currency UNIQUE NULLS NOT DISTINCT (customer_id, environment, api_key_id, currency),
  FOREIGN KEY (customer_id, environment, api_key_id) REFERENCES api_keys (customer_id, environment, id)
);
COMMENT ON TABLE payment_limits IS
  'What payments of a customer, or of one API key, may take in one currency without the approval of a user. Only the '
  'dashboard writes it. No row: no limit.';
CALL secure_scoped_table('payment_limits');
GRANT INSERT, DELETE, UPDATE (per_payment, per_day, allowed_beneficiaries_only, version, set_by, set_at)
  ON payment_limits TO causeway_dashboard;

CREATE FUNCTION remember_payment_limits() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- Waits for claims under way: they hold the row FOR SHARE.
  UPDATE customers SET has_payment_limits = true WHERE id = NEW.customer_id AND NOT has_payment_limits;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION remember_payment_limits FROM PUBLIC;
GRANT UPDATE (has_payment_limits) ON customers TO causeway_system_definer;
CREATE TRIGGER remember_payment_limits AFTER INSERT ON payment_limits
  FOR EACH ROW EXECUTE FUNCTION remember_payment_limits();
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION remember_payment_limits OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;

CREATE TABLE allowed_beneficiaries (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  -- A bank account or a wallet of the customer's. What it names never changes.
  destination_id text NOT NULL CHECK (destination_id ~ '^(ba|wal)_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  allowed_by text NOT NULL CHECK (length(allowed_by) BETWEEN 1 AND 120),
  allowed_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment, destination_id)
);
COMMENT ON TABLE allowed_beneficiaries IS
  'A bank account or wallet that a user of the customer allowed. A limit may ask for one. Only the dashboard writes it.';
CALL secure_scoped_table('allowed_beneficiaries');
GRANT INSERT, DELETE ON allowed_beneficiaries TO causeway_dashboard;

CREATE TABLE payment_limit_days (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  -- Empty: all payments of the customer.
  api_key_id text NOT NULL,
  currency text NOT NULL,
  -- In UTC.
  day date NOT NULL,
  -- Minor units that were let go on that day.
  amount bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (customer_id, environment, currency, day, api_key_id)
);
COMMENT ON TABLE payment_limit_days IS
  'What the payments of a customer with limits, or of one of its API keys, took on one day in one currency. It only grows, '
  'in the transaction that lets a payment go.';
CALL secure_scoped_table('payment_limit_days');
GRANT INSERT, UPDATE (amount) ON payment_limit_days TO causeway_app;

CREATE FUNCTION guard_payment_limit_day() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'what was counted for % is not taken back', OLD.day USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER counted_stays BEFORE UPDATE ON payment_limit_days FOR EACH ROW
  WHEN (NEW.amount < OLD.amount
    OR ROW(NEW.customer_id, NEW.environment, NEW.api_key_id, NEW.currency, NEW.day)
      IS DISTINCT FROM ROW(OLD.customer_id, OLD.environment, OLD.api_key_id, OLD.currency, OLD.day))
  EXECUTE FUNCTION guard_payment_limit_day();
CREATE TRIGGER counted_is_kept BEFORE DELETE ON payment_limit_days
  FOR EACH ROW EXECUTE FUNCTION guard_payment_limit_day();

CREATE TABLE payment_limit_checks (
  payment_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  -- The key that made it; null: no key did.
  api_key_id text,
  currency text NOT NULL,
  -- Minor units: what the payment costs at most, with fees.
  amount bigint NOT NULL CHECK (amount > 0),
  -- What it is over; empty: nothing.
  reasons text[] NOT NULL
    CHECK (reasons <@ ARRAY['PER_PAYMENT', 'PER_DAY', 'BENEFICIARY', 'CURRENCY']),
  checked_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('APPROVED', 'DECLINED')),
  decided_by text CHECK (decided_by ~ '^user:usr_'),
  decided_at timestamptz,
  -- Of which day it was counted; null: it was not let go.
  counted_on date,
  -- When its customer was mailed.
  told_at timestamptz,
  FOREIGN KEY (customer_id, environment, payment_id) REFERENCES payments (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, api_key_id) REFERENCES api_keys (customer_id, environment, id),
  CONSTRAINT decided_by_somebody CHECK (num_nonnulls(decision, decided_by, decided_at) IN (0, 3)),
  CONSTRAINT only_what_is_over_is_decided CHECK (decision IS NULL OR reasons <> '{}'),
  CONSTRAINT only_what_may_go_is_counted CHECK
    (counted_on IS NULL OR reasons = '{}' OR decision IS NOT DISTINCT FROM 'APPROVED')
);
COMMENT ON TABLE payment_limit_checks IS
  'One payment of a customer with limits, at its first look: what it is over, who approved or declined it, and of which day '
  'it was counted. Rows are only completed and never deleted.';
CREATE INDEX payment_limit_checks_to_tell ON payment_limit_checks (customer_id, environment)
  WHERE told_at IS NULL AND reasons <> '{}';
CALL secure_scoped_table('payment_limit_checks');
-- Neither API nor worker decides.
GRANT INSERT (payment_id, customer_id, environment, api_key_id, currency, amount, reasons, checked_at, counted_on),
  UPDATE (counted_on) ON payment_limit_checks TO causeway_app;
GRANT UPDATE (decision, decided_by, decided_at) ON payment_limit_checks TO causeway_dashboard;
GRANT UPDATE (told_at) ON payment_limit_checks TO causeway_system;

-- Who made a key does not approve what it paid.
CREATE FUNCTION guard_limit_check() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  changing constant text[] := ARRAY['decision', 'decided_by', 'decided_at', 'counted_on', 'told_at'];
BEGIN
  IF TG_OP = 'DELETE' OR to_jsonb(OLD) - changing <> to_jsonb(NEW) - changing
     OR OLD.decision IS NOT NULL AND (NEW.decision, NEW.decided_by, NEW.decided_at)
       IS DISTINCT FROM (OLD.decision, OLD.decided_by, OLD.decided_at)
     OR OLD.counted_on IS NOT NULL AND NEW.counted_on IS DISTINCT FROM OLD.counted_on
     OR OLD.told_at IS NOT NULL AND NEW.told_at IS DISTINCT FROM OLD.told_at THEN
    RAISE EXCEPTION 'the limit check of payment % is only completed', OLD.payment_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.decision = 'APPROVED' AND OLD.decision IS NULL
     AND EXISTS (SELECT FROM api_keys k WHERE k.id = NEW.api_key_id AND k.created_by = NEW.decided_by) THEN
    RAISE EXCEPTION 'payment %: who made its key does not approve it', OLD.payment_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approved_by_another_user';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_limit_check BEFORE UPDATE OR DELETE ON payment_limit_checks
  FOR EACH ROW EXECUTE FUNCTION guard_limit_check();

CREATE TABLE payment_approval_notices (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  told_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment)
);
COMMENT ON TABLE payment_approval_notices IS
  'When a customer was last mailed that payments wait for its approval. At most one mail an hour.';
CALL secure_scoped_table('payment_approval_notices');
GRANT INSERT, UPDATE (told_at) ON payment_approval_notices TO causeway_system;
