-- Operators are mailed of what waits for them on chains, too.
ALTER TABLE operator_notices DROP CONSTRAINT operator_notices_kind_check,
  ADD CONSTRAINT operator_notices_kind_check
    CHECK (kind IN ('ADDRESS_PENDING', 'LIVE_REQUEST', 'PASSKEYS_LOST', 'PAYMENT_STUCK', 'DEPOSIT_HELD',
      'DEPOSIT_BLOCKED', 'DEPOSIT_NOT_PAID_ON', 'WALLET_REVIEW', 'CHAIN_STOP'));

-- As before; and what waits for a VASP's word becomes nothing but accepted or rejected by it: a record that is only
-- stored waits for none, and the transfer would leave without that word.
CREATE OR REPLACE FUNCTION guard_travel_rule_record() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  answered text[] := ARRAY['status', 'sent_at', 'answered_at'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.sent_at IS NOT NULL OR octet_length(NEW.record) = 0 OR NOT EXISTS (
      SELECT FROM payments p JOIN wallets w ON w.customer_id = p.customer_id
        AND w.environment = p.environment AND w.id = p.wallet_id
      WHERE p.customer_id = NEW.customer_id AND p.environment = NEW.environment AND p.id = NEW.payment_id
        AND p.end_user_id = NEW.end_user_id
        AND NEW.status = CASE w.ownership WHEN 'HOSTED' THEN 'WAITING' ELSE 'STORED' END) THEN
      RAISE EXCEPTION 'travel rule record %: it is of a payment to a wallet, before any answer', NEW.payment_id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - answered = to_jsonb(OLD) - answered AND OLD.status = 'WAITING' AND NEW.status <> 'STORED'
     AND (OLD.sent_at IS NULL OR NEW.sent_at = OLD.sent_at) THEN
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - 'record'::text = to_jsonb(OLD) - 'record'::text AND octet_length(NEW.record) = 0
     AND EXISTS (SELECT FROM end_user_keys k
                 WHERE k.wrapped_key IS NULL AND k.end_user_id = OLD.end_user_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'travel rule record %: an answer is taken once', OLD.payment_id
    USING ERRCODE = 'check_violation';
END $$;
