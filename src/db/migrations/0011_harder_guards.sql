-- A payment is COMPLETED only by a settled attempt, and RETURNED only by a returned one: before, it was
-- enough that no attempt was open.
CREATE OR REPLACE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- A bank that gives two reports one id (its reference, say) has still said two things: the second is
-- kept under the id, reference and status together. Only the same report, told again, is known.
GRANT CREATE ON SCHEMA public TO causeway_system;
SET LOCAL ROLE causeway_system;
CREATE OR REPLACE FUNCTION store_bank_callback(
  in_environment text, in_report_id text, in_reference text, in_status text,
  in_bank_reference text, in_reason text, in_at timestamptz)
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
      report_id, status, bank_reference, reason, received_at)
    VALUES (whose.customer_id, in_environment, whose.payment_id, in_reference, 'CALLBACK', own_id,
      in_status, in_bank_reference, in_reason, in_at)
    ON CONFLICT (environment, source, report_id) DO NOTHING;
    RETURN QUERY SELECT r.id, r.customer_id, r.payment_id FROM transfer_reports r
    WHERE r.environment = in_environment AND r.source = 'CALLBACK' AND r.report_id = own_id
      AND r.reference = in_reference AND r.status = in_status;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
END $$;
RESET ROLE;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
