-- When the last send of an attempt began, and when the bank says that something happened.
ALTER TABLE settlement_attempts ADD COLUMN sent_at timestamptz NOT NULL;
ALTER TABLE transfer_reports ALTER COLUMN amount TYPE numeric;
ALTER TABLE transfer_reports ADD CONSTRAINT amount_is_not_negative CHECK (amount >= 0);
ALTER TABLE transfer_reports ADD COLUMN occurred_at timestamptz;
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check
  CHECK (kind IN ('FUND', 'HOLD', 'SETTLE', 'RELEASE', 'RETURN', 'RETURN_DIFFERENCE'));

DROP FUNCTION store_bank_callback(text, text, text, text, text, text, timestamptz);
GRANT CREATE ON SCHEMA public TO causeway_system;
SET LOCAL ROLE causeway_system;
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
RESET ROLE;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION store_bank_callback(text, text, text, text, text, text, numeric,
  timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION store_bank_callback(text, text, text, text, text, text, numeric,
  timestamptz, timestamptz) TO causeway_app;
