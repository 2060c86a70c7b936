-- What is sent while a batch is recorded is not read once more.

-- As before, but for the first attempts that are under way: the look that ends a record leaves them out, so that all it
-- reads is new. They count as due. Callers of the version before give none. An array of ids that is hashed: a cursor
-- would leave out, for as long as there is more, what was committed late.
DROP FUNCTION webhooks_to_send(text, timestamptz, integer);
CREATE FUNCTION webhooks_to_send(of_endpoint text, moment timestamptz, most integer,
  under_way text[] DEFAULT '{}')
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
        SELECT 1 AS nr, 'FIRST' AS turn, * FROM pending
        WHERE attempts = 0 AND event_id NOT IN (SELECT unnest(under_way))
        ORDER BY seq LIMIT most
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
    IF due_count > 0 OR under_way <> '{}' THEN
      wait_until := moment;
    ELSE
      SELECT min(d.next_attempt_at) INTO wait_until FROM webhook_deliveries d
        WHERE d.customer_id = scope_customer() AND d.environment = scope_environment()
          AND d.endpoint_id = of_endpoint AND d.status = 'PENDING' AND d.attempts > 0;
    END IF;
    IF due_count = 0 AND under_way = '{}' AND wait_until IS NOT NULL THEN
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

DROP FUNCTION record_batch_in_webhook_drain(text, text, text, integer, text[], text[], integer[], integer[],
  timestamptz[], timestamptz[], integer[], text[], integer[], bytea[], boolean[], boolean, boolean, boolean,
  timestamptz, timestamptz, timestamptz, boolean, timestamptz, integer);
CREATE FUNCTION record_batch_in_webhook_drain(customer text, environment text, of_endpoint text,
  of_version integer, event_ids text[], statuses text[], numbers integer[], counts integer[], next_attempts timestamptz[],
  times timestamptz[], codes integer[], problems text[], durations integer[], answers bytea[],
  listed boolean[], has_moved boolean, has_failed boolean, slow boolean, failing timestamptz,
  probing timestamptz, recovered timestamptz, recovering boolean, moment timestamptz, most integer,
  under_way text[] DEFAULT '{}')
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text, health_is_held boolean)
LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  locked_version integer;
  is_held boolean := false;
BEGIN
  PERFORM enter_scope(customer, environment);
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('writers:' || customer || ':' || environment, 0));
  PERFORM write_webhook_attempts(of_endpoint, event_ids, statuses, numbers, counts, next_attempts,
    times, codes, problems, durations, answers, listed);
  IF has_moved OR has_failed THEN
    SELECT w.version INTO locked_version FROM webhook_endpoints w
      WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
        AND w.id = of_endpoint AND w.status <> 'DELETED'
      FOR NO KEY UPDATE SKIP LOCKED;
    IF locked_version IS NULL THEN
      is_held := EXISTS (SELECT FROM webhook_endpoints w
        WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
          AND w.id = of_endpoint AND w.status <> 'DELETED');
    ELSIF locked_version = of_version AND has_moved THEN
      UPDATE webhook_endpoints w SET is_slow = slow, failing_since = failing, probe_at = probing,
          recovered_at = recovered, is_recovering = recovering
        WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
          AND w.id = of_endpoint;
    ELSIF locked_version <> of_version AND has_failed THEN
      UPDATE webhook_endpoints w SET recovered_at = greatest(w.recovered_at, moment), is_recovering = true
        WHERE w.customer_id = scope_customer() AND w.environment = scope_environment()
          AND w.id = of_endpoint;
    END IF;
  END IF;
  RETURN QUERY SELECT found.*, is_held FROM webhooks_to_send(of_endpoint, moment, most, under_way) AS found;
END $$;
