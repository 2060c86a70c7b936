-- A payment's guards and the record of a batch of webhooks read what they name, each row once.

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

-- The events of a batch are named next to the join: without it, a planner that knows little of the table reads all
-- deliveries of the endpoint for each batch.
CREATE OR REPLACE FUNCTION write_webhook_attempts(of_endpoint text, event_ids text[], statuses text[],
  numbers integer[], counts integer[], next_attempts timestamptz[], times timestamptz[],
  codes integer[], problems text[], durations integer[], answers bytea[], listed boolean[])
RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  INSERT INTO webhook_attempts (customer_id, environment, endpoint_id, event_id, number, at,
    duration_ms, delay_ms, status_code, error, answer)
  SELECT scope_customer(), scope_environment(), of_endpoint, v.event_id, v.number, v.at, v.duration,
    CASE WHEN v.number = 1 AND d.attempts = 0 THEN least(2147483647,
      greatest(0, 1000 * extract(epoch FROM v.at - d.next_attempt_at)))::integer END,
    v.code, v.problem, v.answer
  FROM unnest(event_ids, numbers, times, durations, codes, problems, answers, listed)
    WITH ORDINALITY AS v (event_id, number, at, duration, code, problem, answer, is_listed, turn)
  JOIN webhook_deliveries d ON d.customer_id = scope_customer() AND d.environment = scope_environment()
    AND d.endpoint_id = of_endpoint AND d.event_id = ANY (event_ids) AND d.event_id = v.event_id
  WHERE v.is_listed ORDER BY v.turn;
  UPDATE webhook_deliveries d SET
    status = v.status,
    attempts = greatest(d.attempts, v.attempts),
    next_attempt_at = coalesce(v.next_attempt_at, d.next_attempt_at),
    early_attempts = d.early_attempts + (v.is_listed AND v.attempts < v.number)::integer,
    last_attempt_at = v.at,
    last_status_code = v.code,
    last_error = v.problem,
    delivered_at = CASE WHEN v.status = 'DELIVERED' THEN v.at END
  FROM unnest(event_ids, statuses, numbers, counts, next_attempts, times, codes, problems,
      listed)
    AS v (event_id, status, number, attempts, next_attempt_at, at, code, problem, is_listed)
  WHERE d.customer_id = scope_customer() AND d.environment = scope_environment()
    AND d.endpoint_id = of_endpoint AND d.event_id = ANY (event_ids) AND d.event_id = v.event_id
    AND d.status = 'PENDING'
    AND (d.attempts = v.number - 1 OR v.status = 'DELIVERED');
END $$;

-- A row's next version finds room on its own page. Its update adds to every index all the same, since the status and
-- the phase stand in indexes: it writes one page of the table and not two.
ALTER TABLE payments SET (fillfactor = 70);
ALTER TABLE settlement_attempts SET (fillfactor = 60);
ALTER TABLE webhook_deliveries SET (fillfactor = 70);
