-- How what came in leaves again: paid on, where its address says to where, or refunded to a wallet.
ALTER TABLE deposits DROP CONSTRAINT deposits_reason_check;
ALTER TABLE deposits ADD CONSTRAINT deposits_reason_check CHECK
  (reason IN ('LATE', 'SURPLUS', 'UNDERPAID', 'WRONG_ASSET', 'WRONG_NETWORK', 'BELOW_MINIMUM',
    'PAYMENT_REFUSED')) NOT VALID;

-- Finds the sequence at which a moment lies.
CREATE INDEX deposits_by_time ON deposits (customer_id, environment, created_at, seq);

-- One row a final deposit to a standing address with an account or a wallet: what became of it, once. DUE: it is not
-- judged yet.
CREATE TABLE deposit_onward (
  deposit_id text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  status text NOT NULL DEFAULT 'DUE' CHECK (status IN ('DUE', 'PAID', 'REFUSED')),
  payment_id text UNIQUE,
  -- The error that POST /payments would have answered.
  refused_code text CHECK (refused_code ~ '^[a-z_]{1,60}$'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((status = 'PAID') = (payment_id IS NOT NULL)),
  CHECK ((status = 'REFUSED') = (refused_code IS NOT NULL)),
  FOREIGN KEY (customer_id, environment, deposit_id) REFERENCES deposits (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, payment_id) REFERENCES payments (customer_id, environment, id)
);
CREATE INDEX deposit_onward_due ON deposit_onward (deposit_id) WHERE status = 'DUE';
CALL secure_scoped_table('deposit_onward');
GRANT INSERT, UPDATE (status, payment_id, refused_code, updated_at) ON deposit_onward TO causeway_app;

-- Payments to a wallet that give a deposit back. What they pay is the payment's own amount.
CREATE TABLE deposit_refunds (
  payment_id text PRIMARY KEY,
  deposit_id text NOT NULL,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  created_at timestamptz NOT NULL,
  FOREIGN KEY (customer_id, environment, deposit_id) REFERENCES deposits (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, payment_id) REFERENCES payments (customer_id, environment, id)
);
CREATE INDEX deposit_refunds_of_deposit ON deposit_refunds (deposit_id);
CALL secure_scoped_table('deposit_refunds');
GRANT INSERT ON deposit_refunds TO causeway_app;
CREATE TRIGGER deposit_refunds_stay BEFORE UPDATE OR DELETE ON deposit_refunds
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Minor units of a deposit that are in the balance and have neither been paid on nor refunded. What failed, was
-- canceled or expired is in the balance again; what was returned came back by another way than this one.
CREATE FUNCTION deposit_left(in_deposit text) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE
    WHEN d.status <> 'FINAL' OR d.applied_to NOT IN ('BALANCE', 'PAYMENT') OR EXISTS (
      SELECT FROM deposit_onward o LEFT JOIN payments p ON p.id = o.payment_id
      WHERE o.deposit_id = d.id AND (o.status = 'DUE'
        OR o.status = 'PAID' AND p.status NOT IN ('FAILED', 'CANCELED', 'EXPIRED'))) THEN 0
    ELSE d.amount - d.to_payment - coalesce((
      SELECT sum(p.amount) FROM deposit_refunds r JOIN payments p ON p.id = r.payment_id
      WHERE r.deposit_id = d.id AND p.status NOT IN ('FAILED', 'CANCELED', 'EXPIRED')), 0)
  END::bigint
  FROM deposits d WHERE d.id = in_deposit
$$;

-- A final deposit is owed a payment in the moment that it becomes final, by whatever code.
CREATE FUNCTION owe_onward_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_onward (deposit_id, customer_id, environment, created_at, updated_at)
  SELECT NEW.id, NEW.customer_id, NEW.environment, NEW.updated_at, NEW.updated_at
  FROM deposit_addresses a
  WHERE a.id = NEW.deposit_address_id AND num_nonnulls(a.bank_account_id, a.wallet_id) = 1;
  RETURN NULL;
END $$;
CREATE TRIGGER owe_onward_payment AFTER UPDATE OF status ON deposits FOR EACH ROW
  WHEN (NEW.status = 'FINAL' AND OLD.status <> 'FINAL' AND NEW.applied_to = 'BALANCE' AND NEW.reason IS NULL)
  EXECUTE FUNCTION owe_onward_payment();

-- The payment is the one that the address asks for, under the key of this deposit, and never more than came.
CREATE FUNCTION guard_deposit_onward() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'payment_id', 'refused_code', 'updated_at'];
BEGIN
  PERFORM FROM deposits d WHERE d.id = NEW.deposit_id FOR UPDATE;
  IF TG_OP = 'INSERT' AND NEW.status = 'DUE' AND EXISTS (
      SELECT FROM deposits d WHERE d.id = NEW.deposit_id AND d.status = 'FINAL'
        AND d.applied_to = 'BALANCE' AND d.reason IS NULL) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.status = 'DUE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND (NEW.status = 'REFUSED' OR NEW.status = 'PAID'
       AND NOT EXISTS (SELECT FROM deposit_refunds r WHERE r.deposit_id = NEW.deposit_id)
       AND EXISTS (
         SELECT FROM deposits d JOIN deposit_addresses a ON a.id = d.deposit_address_id
           JOIN payments p ON p.customer_id = d.customer_id AND p.environment = d.environment
         WHERE d.id = NEW.deposit_id AND p.id = NEW.payment_id
           AND p.idempotency_key = 'deposit·' || d.id AND p.end_user_id = a.end_user_id
           AND (p.bank_account_id, p.wallet_id) IS NOT DISTINCT FROM (a.bank_account_id, a.wallet_id)
           AND p.source_currency = d.asset AND p.source_amount <= d.amount)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it is paid on once, to where its address says', NEW.deposit_id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_deposit_onward BEFORE INSERT OR UPDATE ON deposit_onward
  FOR EACH ROW EXECUTE FUNCTION guard_deposit_onward();
CREATE TRIGGER deposit_onward_stays BEFORE DELETE ON deposit_onward
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A refund is paid in the asset that came, to a wallet, out of what is left of a final deposit.
CREATE FUNCTION guard_deposit_refund() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM deposits d WHERE d.id = NEW.deposit_id FOR UPDATE;
  IF EXISTS (
      SELECT FROM deposits d JOIN payments p
        ON p.customer_id = d.customer_id AND p.environment = d.environment
      WHERE d.id = NEW.deposit_id AND p.id = NEW.payment_id AND p.wallet_id IS NOT NULL
        AND p.currency = d.asset AND p.source_currency = d.asset
        AND p.amount <= deposit_left(d.id)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: this is no refund of what is left of it', NEW.deposit_id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'refund_within_deposit';
END $$;
CREATE TRIGGER guard_deposit_refund BEFORE INSERT ON deposit_refunds
  FOR EACH ROW EXECUTE FUNCTION guard_deposit_refund();
