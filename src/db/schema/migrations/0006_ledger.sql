-- Double entry in minor units. Credits are positive: what we owe a customer grows with a plus, and
-- money that leaves our nostro account at the bank is a plus there. Every transaction sums to zero
-- per currency. Nothing is ever changed: a mistake is reversed by another transaction.
CREATE TABLE ledger_transactions (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  kind text NOT NULL
    CHECK (kind IN ('FUND', 'HOLD', 'SETTLE', 'RELEASE', 'RETURN', 'RETURN_DIFFERENCE')),
  payment_id text,
  created_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE NULLS DISTINCT (payment_id, kind),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED
);
-- What was reserved leaves once: to the bank, or back to the customer.
CREATE UNIQUE INDEX a_hold_ends_once ON ledger_transactions (payment_id)
  WHERE kind IN ('SETTLE', 'RELEASE');
CALL secure_scoped_table('ledger_transactions');
GRANT INSERT ON ledger_transactions TO causeway_app;

CREATE TABLE ledger_entries (
  transaction_id text NOT NULL,
  line integer NOT NULL,
  customer_id text NOT NULL,
  environment text NOT NULL,
  -- customer: available, reserved, pending, receivable; ours: nostro:<rail>, fx, fees, rounding, suspense
  account text NOT NULL CHECK (account ~
    '^(available|reserved|pending|receivable|fx|fees|rounding|suspense|nostro:[A-Z_]+)$'),
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  balance_after bigint,
  PRIMARY KEY (transaction_id, line),
  FOREIGN KEY (customer_id, environment, transaction_id)
    REFERENCES ledger_transactions (customer_id, environment, id)
);
CREATE INDEX ledger_entries_by_account ON ledger_entries (customer_id, environment, currency, account);
CALL secure_scoped_table('ledger_entries');
GRANT INSERT ON ledger_entries TO causeway_app;

CREATE TRIGGER ledger_transactions_are_append_only BEFORE UPDATE OR DELETE ON ledger_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_are_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_transaction_sums_to_zero() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_entries WHERE transaction_id = NEW.transaction_id
             GROUP BY currency HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW.transaction_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transaction_sums_to_zero AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transaction_sums_to_zero();

-- Stored balances exist for customer accounts only; ours are sums, or every payment would queue here.
CREATE TABLE balances (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  currency text NOT NULL,
  available bigint NOT NULL DEFAULT 0 CONSTRAINT available_is_never_negative CHECK (available >= 0),
  reserved bigint NOT NULL DEFAULT 0 CONSTRAINT reserved_is_never_negative CHECK (reserved >= 0),
  pending bigint NOT NULL DEFAULT 0,
  receivable bigint NOT NULL DEFAULT 0 CONSTRAINT receivable_is_owed_to_us CHECK (receivable <= 0),
  PRIMARY KEY (customer_id, environment, currency)
);
CALL secure_scoped_table('balances');
GRANT INSERT, UPDATE ON balances TO causeway_app;
