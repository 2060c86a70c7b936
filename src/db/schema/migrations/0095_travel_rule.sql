-- Who sends a transfer of tokens to whom, as it goes with the transfer: sealed under the end-user's key. Written with
-- its payment. Of a wallet that a VASP keeps it waits for that VASP's word, which is said once.
CREATE TABLE travel_rule_records (
  payment_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text NOT NULL,
  -- Sealed; of an erased end-user nothing.
  record bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('STORED', 'WAITING', 'ACCEPTED', 'REJECTED')),
  created_at timestamptz NOT NULL,
  -- When the provider first took it.
  sent_at timestamptz,
  answered_at timestamptz,
  CHECK ((status IN ('ACCEPTED', 'REJECTED')) = (answered_at IS NOT NULL)),
  CHECK (answered_at IS NULL OR sent_at IS NOT NULL),
  CHECK (status <> 'STORED' OR sent_at IS NULL),
  FOREIGN KEY (customer_id, environment, payment_id) REFERENCES payments (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, end_user_id) REFERENCES end_users (customer_id, environment, id)
);
CREATE INDEX travel_rule_records_of_end_user ON travel_rule_records (end_user_id);
CALL secure_scoped_table('travel_rule_records');
GRANT INSERT ON travel_rule_records TO causeway_app;
GRANT UPDATE (record, status, sent_at, answered_at) ON travel_rule_records TO causeway_app;

CREATE FUNCTION guard_travel_rule_record() RETURNS trigger LANGUAGE plpgsql
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
  IF to_jsonb(NEW) - answered = to_jsonb(OLD) - answered AND OLD.status = 'WAITING'
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
CREATE TRIGGER guard_travel_rule_record BEFORE INSERT OR UPDATE ON travel_rule_records
  FOR EACH ROW EXECUTE FUNCTION guard_travel_rule_record();
CREATE TRIGGER travel_rule_records_stay BEFORE DELETE ON travel_rule_records
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Nothing is sent before the VASP has accepted, whatever a process thinks.
CREATE FUNCTION travel_rule_is_kept() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM travel_rule_records t
             WHERE t.payment_id = NEW.payment_id AND t.status IN ('WAITING', 'REJECTED')) THEN
    RAISE EXCEPTION 'payment %: the VASP that keeps the wallet has not accepted it', NEW.payment_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'travel_rule_is_kept';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER travel_rule_is_kept_by_first BEFORE INSERT ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase = 'SENDING') EXECUTE FUNCTION travel_rule_is_kept();
CREATE TRIGGER travel_rule_is_kept_by_next BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase = 'SENDING' AND OLD.phase <> 'SENDING') EXECUTE FUNCTION travel_rule_is_kept();
