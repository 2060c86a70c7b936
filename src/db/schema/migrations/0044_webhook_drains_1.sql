-- When a failing endpoint is asked next whether it is back, and when it last was: what had been put off
-- by then is sent at once, for as long as some of it is left. A process of the version before neither
-- asks nor sends early.
ALTER TABLE webhook_endpoints
  ADD COLUMN probe_at timestamptz,
  ADD COLUMN recovered_at timestamptz,
  ADD COLUMN is_recovering boolean NOT NULL DEFAULT false;

-- How often a delivery was sent before its time, since its endpoint was back, and failed.
ALTER TABLE webhook_deliveries ADD COLUMN early_attempts integer NOT NULL DEFAULT 0;

-- Enters a scope from within a statement that is a transaction by itself.
CREATE FUNCTION enter_scope(customer text, environment text) RETURNS void LANGUAGE sql AS $$
  SELECT set_config('causeway.customer', customer, true);
  SELECT set_config('causeway.environment', environment, true);
$$;

-- An endpoint of the entered scope, what is to be sent to it, and when the next is due: one row for the
-- endpoint (none where it is deleted), and one for each delivery. FIRST: first attempts, by their
-- sequence, whatever their time says: it is another process's clock, and one that runs ahead must not let
-- a later version overtake. PUT_OFF: what failed before the endpoint was back, by its sequence; ten times
-- at the most, since a receiver may refuse an event for good while it takes all others. REPEATED:
-- other attempts, by their time. At most `most` first ones, and as many others. PROBE: one that asks a failing endpoint whether
-- it is back: the next by its sequence behind the one that was sent last, never before an earlier version
-- of its resource. It looks at a thousand, then begins anew: its cost does not grow with what waits.
CREATE FUNCTION webhooks_to_send(of_endpoint text, moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  head webhook_endpoints;
  put_off_until timestamptz;
  wait_until timestamptz;
  due_count bigint := 0;
  probed bigint;
BEGIN
  SELECT w.* INTO head FROM webhook_endpoints w
    WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
      AND w.id = of_endpoint AND w.status <> 'DELETED';
  IF head.id IS NULL THEN RETURN; END IF;
  IF head.status = 'ENABLED' THEN
    put_off_until := CASE WHEN head.is_recovering AND head.recovered_at <= moment THEN head.recovered_at END;
    -- The bodies are fetched by an array of ids: a join lets a planner without fresh statistics walk
    -- through every event of the scope for each batch.
    RETURN QUERY
      WITH pending AS NOT MATERIALIZED (
        SELECT event_id, seq, resource_id, resource_version, attempts, next_attempt_at, last_attempt_at,
          early_attempts
        FROM webhook_deliveries
        WHERE customer_id = scope_customer() AND environment = scope_environment()
          AND endpoint_id = of_endpoint AND status = 'PENDING'
      ), first_ones AS (
        SELECT 1 AS nr, 'FIRST' AS turn, * FROM pending WHERE attempts = 0 ORDER BY seq LIMIT most
      ), put_off AS (
        SELECT 2, 'PUT_OFF', * FROM pending WHERE attempts > 0 AND last_attempt_at <= put_off_until
          AND early_attempts < 10
        ORDER BY seq LIMIT most
      ), repeated AS (
        SELECT 3, 'REPEATED', * FROM pending WHERE attempts > 0 AND next_attempt_at <= moment
          AND (put_off_until IS NULL OR last_attempt_at > put_off_until OR early_attempts >= 10)
        ORDER BY next_attempt_at, seq LIMIT most - (SELECT count(*) FROM put_off)
      ), due AS MATERIALIZED (
        SELECT * FROM first_ones UNION ALL SELECT * FROM put_off UNION ALL SELECT * FROM repeated
      ), bodies AS MATERIALIZED (
        SELECT id, body FROM events
        WHERE customer_id = scope_customer() AND environment = scope_environment()
          AND id = ANY (ARRAY(SELECT event_id FROM due))
      )
      SELECT NULL::webhook_endpoints, NULL::boolean, NULL::timestamptz, due.event_id,
        due.resource_id, due.resource_version, due.attempts, due.turn,
        due.attempts > 0 AND due.next_attempt_at > moment, bodies.body
      FROM due JOIN bodies ON bodies.id = due.event_id ORDER BY due.nr, due.seq;
    GET DIAGNOSTICS due_count = ROW_COUNT;
    IF due_count > 0 THEN
      wait_until := moment;
    ELSE
      SELECT min(d.next_attempt_at) INTO wait_until FROM webhook_deliveries d
        WHERE d.customer_id = scope_customer() AND d.environment = scope_environment()
          AND d.endpoint_id = of_endpoint AND d.status = 'PENDING' AND d.attempts > 0;
    END IF;
    IF due_count = 0 AND wait_until IS NOT NULL THEN
      IF head.failing_since IS NOT NULL AND head.probe_at <= moment THEN
        SELECT d.seq INTO probed FROM webhook_deliveries d
          WHERE d.customer_id = scope_customer() AND d.environment = scope_environment()
            AND d.endpoint_id = of_endpoint AND d.status = 'PENDING' AND d.attempts > 0
          ORDER BY d.last_attempt_at DESC, d.seq DESC LIMIT 1;
        RETURN QUERY
          WITH waiting AS NOT MATERIALIZED (
            SELECT d.* FROM webhook_deliveries d
            WHERE d.customer_id = scope_customer() AND d.environment = scope_environment()
              AND d.endpoint_id = of_endpoint AND d.status = 'PENDING' AND d.attempts > 0
          ), behind AS (
            SELECT * FROM waiting w WHERE w.seq > probed ORDER BY w.seq LIMIT 1000
          ), head_behind AS (
            SELECT * FROM behind b WHERE NOT EXISTS (
              SELECT FROM webhook_deliveries earlier
              WHERE earlier.endpoint_id = of_endpoint AND earlier.status = 'PENDING'
                AND earlier.attempts > 0 AND earlier.resource_id = b.resource_id
                AND earlier.seq < b.seq)
            ORDER BY b.seq LIMIT 1
          ), first_of_all AS (
            SELECT * FROM waiting w WHERE NOT EXISTS (SELECT FROM head_behind) ORDER BY w.seq LIMIT 1
          )
          SELECT NULL::webhook_endpoints, NULL::boolean, NULL::timestamptz, c.event_id,
            c.resource_id, c.resource_version, c.attempts, 'PROBE', true,
            (SELECT e.body FROM events e WHERE e.id = c.event_id
              AND e.customer_id = scope_customer() AND e.environment = scope_environment())
          FROM (SELECT * FROM head_behind UNION ALL SELECT * FROM first_of_all) c;
        wait_until := moment;
      ELSE
        wait_until := least(wait_until,
          CASE WHEN head.failing_since IS NOT NULL THEN head.probe_at END,
          CASE WHEN head.is_recovering AND head.recovered_at > moment THEN head.recovered_at END);
      END IF;
    END IF;
  END IF;
  RETURN QUERY SELECT head,
    EXISTS (SELECT FROM webhook_replays r
      WHERE r.customer_id = scope_customer() AND r.environment = scope_environment()
        AND r.endpoint_id = of_endpoint AND r.status = 'RUNNING'),
    wait_until, NULL::text, NULL::text, NULL::integer, NULL::integer, NULL::text, NULL::boolean,
    NULL::text;
END $$;

-- Writes what came of a batch, and each attempt, for an endpoint of the entered scope. A record that
-- comes late, from a worker that was given up or of a delivery that was queued again meanwhile, changes
-- nothing but a success: counters never go back and a delivered one stays so. An early attempt that failed uses up none of the schedule's.
CREATE FUNCTION write_webhook_attempts(of_endpoint text, event_ids text[], statuses text[],
  numbers integer[], counts integer[], next_attempts timestamptz[], times timestamptz[],
  codes integer[], problems text[], durations integer[], answers bytea[], listed boolean[])
RETURNS void LANGUAGE plpgsql AS $$
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
    AND d.endpoint_id = of_endpoint AND d.event_id = v.event_id
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
    AND d.endpoint_id = of_endpoint AND d.event_id = v.event_id AND d.status = 'PENDING'
    AND (d.attempts = v.number - 1 OR v.status = 'DELIVERED');
END $$;

-- The steps of a drain: each is one statement and so one transaction, which enters its scope by itself,
-- with the rights of the role that calls it. At its beginning the flag is up, or is raised: no event that
-- is recorded while it runs sends a wake. Of an endpoint that takes nothing it is taken down.
CREATE FUNCTION begin_webhook_drain(customer text, environment text, of_endpoint text,
  moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM enter_scope(customer, environment);
  RETURN QUERY SELECT * FROM webhooks_to_send(of_endpoint, moment, most);
  -- Behind the look: an event's transaction never waits for what that takes. Nor does the drain wait for
  -- one that raises the flag itself.
  UPDATE webhook_endpoints SET wake_pending = (status = 'ENABLED')
    WHERE id IN (SELECT w.id FROM webhook_endpoints w
      WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
        AND w.id = of_endpoint AND w.wake_pending <> (w.status = 'ENABLED')
      FOR NO KEY UPDATE SKIP LOCKED);
END $$;

CREATE FUNCTION look_in_webhook_drain(customer text, environment text, of_endpoint text,
  moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM enter_scope(customer, environment);
  RETURN QUERY SELECT * FROM webhooks_to_send(of_endpoint, moment, most);
END $$;

-- Records a batch and looks for the next; the endpoint's health too, where the endpoint is still at the
-- version that was sent to: a failure of an old URL says nothing of the new one. It locks as every writer of a scope.
CREATE FUNCTION record_in_webhook_drain(customer text, environment text, of_endpoint text,
  of_version integer, event_ids text[], statuses text[], numbers integer[], counts integer[], next_attempts timestamptz[],
  times timestamptz[], codes integer[], problems text[], durations integer[], answers bytea[],
  listed boolean[], has_moved boolean, slow boolean, failing timestamptz, probing timestamptz,
  recovered timestamptz, recovering boolean, moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM enter_scope(customer, environment);
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('wakes:' || customer || ':' || environment, 0));
  PERFORM write_webhook_attempts(of_endpoint, event_ids, statuses, numbers, counts, next_attempts,
    times, codes, problems, durations, answers, listed);
  IF has_moved THEN
    UPDATE webhook_endpoints w SET is_slow = slow, failing_since = failing, probe_at = probing,
        recovered_at = recovered, is_recovering = recovering
      WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
        AND w.id = of_endpoint AND w.version = of_version AND w.status <> 'DELETED';
  END IF;
  -- What failed at an older version, its old URL perhaps, is sent at once to the newer one.
  IF EXISTS (SELECT FROM unnest(statuses) s WHERE s <> 'DELIVERED') THEN
    UPDATE webhook_endpoints w SET recovered_at = greatest(w.recovered_at, moment), is_recovering = true
      WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
        AND w.id = of_endpoint AND w.version <> of_version AND w.status <> 'DELETED';
  END IF;
  RETURN QUERY SELECT * FROM webhooks_to_send(of_endpoint, moment, most);
END $$;

-- The last look of a drain, while no other transaction writes in the scope. Where it finds nothing the
-- flag is taken down: a writer that saw it up has committed, so this look has found its event; a later
-- one raises it again, and sends a wake. It waits half a second for the writers, not longer, since
-- others queue behind it.
CREATE FUNCTION end_webhook_drain(customer text, environment text, of_endpoint text,
  moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
#variable_conflict use_column
DECLARE
  row_count bigint;
BEGIN
  PERFORM enter_scope(customer, environment);
  PERFORM pg_advisory_xact_lock(hashtextextended('wakes:' || customer || ':' || environment, 0));
  -- A statement of its own: it sees all that was committed before the lock was given.
  RETURN QUERY SELECT * FROM webhooks_to_send(of_endpoint, moment, most);
  GET DIAGNOSTICS row_count = ROW_COUNT;
  IF row_count = 1 THEN
    UPDATE webhook_endpoints w SET wake_pending = false
      WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
        AND w.id = of_endpoint AND w.wake_pending
        AND NOT EXISTS (SELECT FROM webhook_replays r
          WHERE r.customer_id = scope_customer() AND r.environment = scope_environment()
            AND r.endpoint_id = of_endpoint AND r.status = 'RUNNING');
  END IF;
END $$;
