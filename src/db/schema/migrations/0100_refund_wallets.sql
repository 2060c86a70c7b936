-- A payment that deposits pay for may name a wallet: what it does not take of a final deposit is refunded there, once, by
-- the same row as what a standing address pays on.

-- A final deposit is owed a payment in the moment that it becomes final, or that a payment which ends leaves it, by
-- whatever code.
CREATE OR REPLACE FUNCTION owe_onward_payment() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_onward (deposit_id, customer_id, environment, created_at, updated_at)
  SELECT NEW.id, NEW.customer_id, NEW.environment, NEW.updated_at, NEW.updated_at
  WHERE EXISTS (
      SELECT FROM deposit_addresses a
      WHERE a.id = NEW.deposit_address_id AND num_nonnulls(a.bank_account_id, a.wallet_id) = 1
        AND NEW.applied_to = 'BALANCE' AND NEW.reason IS NULL)
    OR EXISTS (
      SELECT FROM payment_fundings f WHERE f.payment_id = NEW.payment_id AND f.refund_wallet_id IS NOT NULL)
  ON CONFLICT (deposit_id) DO NOTHING;
  RETURN NULL;
END $$;
DROP TRIGGER owe_onward_payment ON deposits;
CREATE TRIGGER owe_onward_payment AFTER UPDATE OF status, applied_to, to_payment ON deposits FOR EACH ROW
  WHEN (NEW.status = 'FINAL' AND NEW.applied_to IN ('BALANCE', 'PAYMENT') AND NEW.amount > NEW.to_payment
    AND (OLD.status <> 'FINAL' OR OLD.to_payment <> NEW.to_payment))
  EXECUTE FUNCTION owe_onward_payment();

-- As before; and of a deposit for a payment what is over of it, to the wallet that the payment names, for its end-user.
CREATE OR REPLACE FUNCTION guard_deposit_onward() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'payment_id', 'refused_code', 'updated_at'];
BEGIN
  PERFORM FROM deposits d WHERE d.id = NEW.deposit_id FOR UPDATE;
  IF TG_OP = 'INSERT' AND NEW.status = 'DUE' AND EXISTS (
      SELECT FROM deposits d LEFT JOIN payment_fundings f ON f.payment_id = d.payment_id
      WHERE d.id = NEW.deposit_id AND d.status = 'FINAL'
        AND (d.deposit_address_id IS NOT NULL AND d.applied_to = 'BALANCE' AND d.reason IS NULL
          OR f.refund_wallet_id IS NOT NULL AND d.applied_to IN ('BALANCE', 'PAYMENT')
            AND d.amount > d.to_payment)) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.status = 'DUE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND (NEW.status = 'REFUSED' OR NEW.status = 'PAID'
       AND NOT EXISTS (SELECT FROM deposit_refunds r WHERE r.deposit_id = NEW.deposit_id)
       AND EXISTS (
         SELECT FROM deposits d
           JOIN payments p ON p.customer_id = d.customer_id AND p.environment = d.environment
           LEFT JOIN deposit_addresses a ON a.id = d.deposit_address_id
           LEFT JOIN payment_fundings f ON f.payment_id = d.payment_id
           LEFT JOIN payments o ON o.id = f.payment_id
         WHERE d.id = NEW.deposit_id AND p.id = NEW.payment_id
           AND p.idempotency_key = 'deposit·' || d.id
           AND p.end_user_id = coalesce(a.end_user_id, o.end_user_id)
           AND p.bank_account_id IS NOT DISTINCT FROM a.bank_account_id
           AND p.wallet_id IS NOT DISTINCT FROM coalesce(a.wallet_id, f.refund_wallet_id)
           AND p.source_currency = d.asset AND p.source_amount <= d.amount - d.to_payment)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'deposit %: it is paid on once, to where its address or its payment says', NEW.deposit_id
    USING ERRCODE = 'check_violation';
END $$;
