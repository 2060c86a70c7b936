-- Each index has a query that needs it, and a payment's guards read each row once.

-- The attempts of a payment are read once for all that they decide.
CREATE OR REPLACE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_unended boolean;
  has_outcome boolean;
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
    IF NEW.status IN ('COMPLETED', 'RETURNED', 'CANCELED', 'EXPIRED', 'FAILED') THEN
      SELECT coalesce(bool_or(a.is_open OR a.phase = 'READY'), false),
        coalesce(bool_or(a.phase = CASE NEW.status WHEN 'COMPLETED' THEN 'SETTLED' ELSE 'RETURNED' END), false)
        INTO is_unended, has_outcome
        FROM settlement_attempts a WHERE a.payment_id = OLD.id;
      -- Only a closed attempt lets the funds go.
      IF is_unended THEN
        RAISE EXCEPTION 'payment % cannot be % while a settlement attempt is open', OLD.id, NEW.status
          USING ERRCODE = 'check_violation';
      END IF;
      IF NEW.status IN ('COMPLETED', 'RETURNED') AND NOT has_outcome THEN
        RAISE EXCEPTION 'payment % cannot be % without an attempt that is', OLD.id, NEW.status
          USING ERRCODE = 'check_violation';
      END IF;
    END IF;
  END IF;
  RETURN NEW;
END $$;

-- The primary key begins with the event, so the deliveries of an event need no second index.
ALTER TABLE webhook_attempts DROP CONSTRAINT webhook_attempts_endpoint_id_event_id_fkey;
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_pkey;
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (event_id, endpoint_id);
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_endpoint_id_event_id_fkey
  FOREIGN KEY (endpoint_id, event_id) REFERENCES webhook_deliveries (endpoint_id, event_id) ON DELETE CASCADE;
DROP INDEX webhook_deliveries_of_event;

-- Unfinished payments are found by `payments_waiting`.
DROP INDEX payments_unfinished;

-- Nothing asks for the decisions of a payment, and the reports of a KYC check are found by their unique key.
DROP INDEX operator_decisions_of_payment;
DROP INDEX kyc_reports_of_check;
