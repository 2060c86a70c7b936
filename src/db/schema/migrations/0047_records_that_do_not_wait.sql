-- Records a batch of an endpoint and looks for the next, as record_in_webhook_drain does (a process of the
-- version before calls that still), and never waits for a writer that holds the endpoint's row: the batch
-- would be undone with what was sent and sent again. Then the attempts are recorded, the endpoint's health
-- is not, and health_is_held says so: it is recorded by a later call, of no attempts too. Health is that
-- of the version that was sent to; what `has_failed` at an older one is sent at once to the newer.
CREATE FUNCTION record_batch_in_webhook_drain(customer text, environment text, of_endpoint text,
  of_version integer, event_ids text[], statuses text[], numbers integer[], counts integer[], next_attempts timestamptz[],
  times timestamptz[], codes integer[], problems text[], durations integer[], answers bytea[],
  listed boolean[], has_moved boolean, has_failed boolean, slow boolean, failing timestamptz,
  probing timestamptz, recovered timestamptz, recovering boolean, moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text, health_is_held boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  locked_version integer;
  is_held boolean := false;
BEGIN
  PERFORM enter_scope(customer, environment);
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('wakes:' || customer || ':' || environment, 0));
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
  RETURN QUERY SELECT found.*, is_held FROM webhooks_to_send(of_endpoint, moment, most) AS found;
END $$;
