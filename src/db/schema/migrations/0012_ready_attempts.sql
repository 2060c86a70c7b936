-- READY: written with the payment, nothing of it sent. It is not open: ending the payment closes it.
ALTER TABLE settlement_attempts DROP CONSTRAINT settlement_attempts_phase_check;
-- Validated by 0014, which keeps no writer waiting.
ALTER TABLE settlement_attempts ADD CONSTRAINT settlement_attempts_phase_check CHECK (phase IN
  ('READY', 'SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED'))
  NOT VALID;
ALTER TABLE settlement_attempts ADD CONSTRAINT nothing_of_ready_was_sent
  CHECK (phase <> 'READY' OR sends = 0) NOT VALID;

-- The first send of a payment is no version of it any more; null for what was sent before this.
ALTER TABLE settlement_attempts ADD COLUMN first_sent_at timestamptz;

-- As before; and a payment does not end while an attempt of it is READY.
CREATE OR REPLACE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql AS $$
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
      SELECT FROM settlement_attempts a
      WHERE a.payment_id = OLD.id AND (a.is_open OR a.phase = 'READY')) THEN
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
