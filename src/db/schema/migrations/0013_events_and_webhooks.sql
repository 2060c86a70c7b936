-- What customers are told: the log of events, and the webhooks that carry it.

CREATE TABLE events (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  type text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  resource_version integer NOT NULL,
  -- The exact bytes that are signed and sent, whatever endpoint and attempt.
  body text NOT NULL CHECK (octet_length(body) <= 20000),
  created_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT one_event_a_version UNIQUE (resource_id, resource_version)
);
COMMENT ON TABLE events IS
  'One event that a customer is told about, in the log that webhooks are sent from. It never changes and is kept '
  'for at least 90 days.';
CREATE INDEX events_newest_first ON events (customer_id, environment, seq DESC);
CREATE INDEX events_by_type ON events (customer_id, environment, type, seq DESC);
-- Finds the sequence at which a moment lies, and a scope's oldest events.
CREATE INDEX events_by_time ON events (customer_id, environment, created_at, seq);
CALL secure_scoped_table('events');
GRANT INSERT ON events TO causeway_app;
-- The triggers hold whatever deletes. UPDATE of one column is what locking a row takes: a trigger refuses every
-- update.
GRANT UPDATE (id), DELETE ON events TO causeway_system;
CREATE TRIGGER events_are_append_only BEFORE UPDATE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- By the clock of the database, whoever deletes: the owner of the tables, too.
CREATE TRIGGER young_events_stay BEFORE DELETE ON events FOR EACH ROW
  WHEN (OLD.created_at > now() - interval '90 days') EXECUTE FUNCTION refuse_change();

CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  url text NOT NULL,
  types text[] NOT NULL,
  description text,
  secret bytea NOT NULL,
  status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'DELETED')),
  -- True from the first undelivered event until a drain begins: only the flip wakes its workflow.
  wake_pending boolean NOT NULL DEFAULT false,
  is_slow boolean NOT NULL DEFAULT false,
  failing_since timestamptz,
  version integer NOT NULL DEFAULT 1,
  -- When it was disabled, and why, and the last event (its seq) before that: what it missed since then is sent
  -- once it is enabled again.
  disabled_at timestamptz,
  disabled_after bigint,
  disabled_reason text
    CHECK (disabled_reason IN ('REQUESTED', 'RECEIVER_GONE', 'FAILING')),
  -- Enabled again, and what it missed is not all queued yet. Until it is, no event of the scope makes a
  -- delivery for it: its replay reaches them in the order of the log.
  is_catching_up boolean NOT NULL DEFAULT false,
  -- Whether webhooks carry the ids of what happened in the place of its data.
  is_thin boolean NOT NULL DEFAULT false,
  -- The Ed25519 key pairs of an endpoint that asked for asymmetric signatures: the private keys sealed, the
  -- public ones as `[{"publicKey": "whpk_...", "expiresAt": null}]`, newest first.
  signing_keys bytea,
  public_keys jsonb NOT NULL DEFAULT '[]',
  -- When a failing endpoint is asked next whether it is back, and when it last was: what had been put off by
  -- then is sent at once, for as long as some of it is left.
  probe_at timestamptz,
  recovered_at timestamptz,
  is_recovering boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT keys_come_in_pairs CHECK ((signing_keys IS NULL) = (public_keys = '[]'))
);
COMMENT ON TABLE webhook_endpoints IS
  'One URL where a customer receives events. No role may delete it: its status becomes DELETED.';
CREATE INDEX webhook_endpoints_newest_first
  ON webhook_endpoints (customer_id, environment, seq DESC);
CALL secure_scoped_table('webhook_endpoints');
GRANT INSERT, UPDATE ON webhook_endpoints TO causeway_app;

-- For receivers, who have no API key: one answer for an endpoint that has none, was deleted or never was.
CREATE FUNCTION find_webhook_public_keys(wanted text)
RETURNS TABLE (public_keys jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT e.public_keys FROM webhook_endpoints e
  WHERE e.id = wanted AND e.status <> 'DELETED' AND e.signing_keys IS NOT NULL
$$;
REVOKE ALL ON FUNCTION find_webhook_public_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_webhook_public_keys TO causeway_app, causeway_system;

CREATE TABLE webhook_deliveries (
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  resource_id text NOT NULL,
  resource_version integer NOT NULL,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'DELIVERED', 'EXHAUSTED')),
  attempts integer NOT NULL DEFAULT 0,
  -- How often a delivery was sent before its time, since its endpoint was back, and failed.
  early_attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  last_attempt_at timestamptz,
  last_status_code integer,
  last_error text,
  delivered_at timestamptz,
  PRIMARY KEY (endpoint_id, event_id),
  FOREIGN KEY (customer_id, environment, endpoint_id)
    REFERENCES webhook_endpoints (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, event_id) REFERENCES events (customer_id, environment, id)
);
COMMENT ON TABLE webhook_deliveries IS
  'One event on its way to one endpoint, and how far the delivery is. It is deleted with its event.';
-- First deliveries go out in the order of their events, later attempts when they are due.
CREATE INDEX webhook_deliveries_first ON webhook_deliveries (endpoint_id, seq)
  WHERE status = 'PENDING' AND attempts = 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, seq)
  WHERE status = 'PENDING' AND attempts > 0;
-- An endpoint's deliveries as they are listed.
CREATE INDEX webhook_deliveries_newest_first ON webhook_deliveries (endpoint_id, seq DESC);
-- The same of those that wait or are out of attempts: few, where an endpoint is well.
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (endpoint_id, seq DESC)
  WHERE status <> 'DELIVERED';
-- Deleting an event asks for its deliveries: without this each would be a walk of the whole table.
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id);
-- What failed, by its sequence: it is sent at once when the endpoint is back.
CREATE INDEX webhook_deliveries_put_off ON webhook_deliveries (endpoint_id, seq, last_attempt_at)
  WHERE status = 'PENDING' AND attempts > 0;
-- What failed, by its last attempt: the next probe comes behind the one that was sent last.
CREATE INDEX webhook_deliveries_probed ON webhook_deliveries (endpoint_id, last_attempt_at, seq)
  WHERE status = 'PENDING' AND attempts > 0;
-- What failed, by its resource: whether an earlier version of it still waits.
CREATE INDEX webhook_deliveries_put_off_versions
  ON webhook_deliveries (endpoint_id, resource_id, seq) WHERE status = 'PENDING' AND attempts > 0;
CALL secure_scoped_table('webhook_deliveries');
GRANT INSERT, UPDATE ON webhook_deliveries TO causeway_app;
GRANT DELETE ON webhook_deliveries TO causeway_system;

-- With their events only, and not while one waits for an endpoint that still takes it.
CREATE FUNCTION guard_delivery_deletion() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM events e
      WHERE e.id = OLD.event_id AND e.created_at > now() - interval '90 days')
    OR OLD.status = 'PENDING' AND EXISTS (SELECT FROM webhook_endpoints w
      WHERE w.id = OLD.endpoint_id AND w.status = 'ENABLED') THEN
    RAISE EXCEPTION 'delivery % of % is awaited', OLD.event_id, OLD.endpoint_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER awaited_deliveries_stay BEFORE DELETE ON webhook_deliveries FOR EACH ROW
  EXECUTE FUNCTION guard_delivery_deletion();

CREATE TABLE webhook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  -- Of its delivery; it begins anew where that is sent again on request.
  number integer NOT NULL CHECK (number > 0),
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  -- Of a first attempt: from the moment at which it was due to its end. Null for the others.
  delay_ms integer CHECK (delay_ms >= 0),
  -- Null where no answer came.
  status_code integer,
  -- Null for a success.
  error text,
  -- The first 4 kB of the answer, sealed; null where it was empty.
  answer bytea,
  PRIMARY KEY (endpoint_id, event_id, id),
  FOREIGN KEY (endpoint_id, event_id) REFERENCES webhook_deliveries (endpoint_id, event_id)
    ON DELETE CASCADE
);
COMMENT ON TABLE webhook_attempts IS
  'One send of a delivery and its result, in the order in which they were recorded. It is deleted with its '
  'delivery.';
-- An endpoint's newest success, and how late its newest first attempts were.
CREATE INDEX webhook_attempts_successful ON webhook_attempts (endpoint_id, id DESC)
  WHERE error IS NULL;
CREATE INDEX webhook_attempts_first ON webhook_attempts (endpoint_id, id DESC)
  WHERE delay_ms IS NOT NULL;
CALL secure_scoped_table('webhook_attempts');
-- Erasing an end-user takes away what receivers answered to events about them; nothing else changes.
GRANT INSERT, UPDATE (answer) ON webhook_attempts TO causeway_app;
GRANT DELETE ON webhook_attempts TO causeway_system;
CREATE TRIGGER webhook_attempts_are_append_only BEFORE UPDATE ON webhook_attempts
  FOR EACH ROW
  WHEN (NEW.answer IS NOT NULL OR to_jsonb(NEW) - 'answer' <> to_jsonb(OLD) - 'answer')
  EXECUTE FUNCTION refuse_change();

CREATE TABLE webhook_replays (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  -- REQUESTED: also what was delivered. MISSED: what has no delivery yet, of an endpoint enabled again;
  -- it is COMPLETED only with the end of the log.
  reason text NOT NULL CHECK (reason IN ('REQUESTED', 'MISSED')),
  from_at timestamptz,
  to_at timestamptz,
  types text[],
  only_failed boolean NOT NULL DEFAULT false,
  -- Whether all that was being written when it was made has been committed: before that no page is read.
  is_settled boolean NOT NULL DEFAULT false,
  -- Events up to this seq have had their turn; beyond `until_seq` there are none that are meant.
  cursor_seq bigint NOT NULL,
  until_seq bigint NOT NULL,
  status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETED')),
  queued bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  UNIQUE (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, endpoint_id)
    REFERENCES webhook_endpoints (customer_id, environment, id)
);
COMMENT ON TABLE webhook_replays IS
  'One request to send an endpoint events again, or for the first time, page by page in the order of the log. It '
  'is deleted some 90 days after it is completed.';
CREATE INDEX webhook_replays_newest_first ON webhook_replays (endpoint_id, seq DESC);
CREATE INDEX webhook_replays_running ON webhook_replays (endpoint_id, seq) WHERE status = 'RUNNING';
-- What an endpoint missed is read once, by one replay, however often it is disabled meanwhile.
CREATE UNIQUE INDEX one_catching_up ON webhook_replays (endpoint_id)
  WHERE status = 'RUNNING' AND reason = 'MISSED';
-- Replays that are over go as well, in the same way.
CREATE INDEX webhook_replays_completed ON webhook_replays (completed_at) WHERE status = 'COMPLETED';
CALL secure_scoped_table('webhook_replays');
GRANT INSERT, UPDATE ON webhook_replays TO causeway_app;
GRANT DELETE ON webhook_replays TO causeway_system;

CREATE TABLE event_log_floors (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  pruned_before timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment)
);
COMMENT ON TABLE event_log_floors IS
  'The time up to which the event log of one customer and environment has been deleted. `verify` expects no event '
  'from before it.';
CALL secure_scoped_table('event_log_floors');
GRANT INSERT, UPDATE ON event_log_floors TO causeway_system;

-- Deletes old events of a scope, oldest first, with their deliveries and attempts: of each table at most
-- `rows_max` rows a call, so that no call holds anything for long. What another transaction holds has its
-- turn later. Answers how many rows are gone; 0: nothing is left that may go. Events of an older moment than
-- `before` only, which is 90 days ago or more.
CREATE FUNCTION prune_events(of_customer text, of_environment text, before timestamptz,
  rows_max integer)
RETURNS integer LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  old text[];
  gone integer;
  total integer;
BEGIN
  IF before > now() - interval '90 days' THEN
    RAISE EXCEPTION 'events since % are kept', before USING ERRCODE = 'restrict_violation';
  END IF;
  old := ARRAY(
    SELECT e.id FROM events e
    WHERE e.customer_id = of_customer AND e.environment = of_environment AND e.created_at < before
      AND NOT EXISTS (SELECT FROM webhook_deliveries d JOIN webhook_endpoints w
        ON w.id = d.endpoint_id AND w.status = 'ENABLED'
        WHERE d.event_id = e.id AND d.status = 'PENDING')
    ORDER BY e.created_at, e.seq LIMIT rows_max FOR UPDATE SKIP LOCKED);
  IF old = '{}' THEN
    RETURN 0;
  END IF;
  INSERT INTO event_log_floors AS f (customer_id, environment, pruned_before)
  VALUES (of_customer, of_environment, before)
  ON CONFLICT (customer_id, environment) DO UPDATE
    SET pruned_before = greatest(f.pruned_before, excluded.pruned_before);

  -- By the whole key: the number alone would have all attempts read.
  DELETE FROM webhook_attempts WHERE (endpoint_id, event_id, id) IN (
    SELECT a.endpoint_id, a.event_id, a.id FROM webhook_deliveries d JOIN webhook_attempts a
      ON a.endpoint_id = d.endpoint_id AND a.event_id = d.event_id
    WHERE d.event_id = ANY (old) LIMIT rows_max);
  GET DIAGNOSTICS total = ROW_COUNT;
  IF total = rows_max THEN
    RETURN total;
  END IF;

  -- Judged again where it is deleted: it may have been asked for again meanwhile.
  DELETE FROM webhook_deliveries d
  WHERE (d.endpoint_id, d.event_id) IN (
      SELECT o.endpoint_id, o.event_id FROM webhook_deliveries o
      WHERE o.event_id = ANY (old) LIMIT rows_max)
    AND NOT (d.status = 'PENDING' AND EXISTS (SELECT FROM webhook_endpoints w
      WHERE w.id = d.endpoint_id AND w.status = 'ENABLED'));
  GET DIAGNOSTICS gone = ROW_COUNT;
  total := total + gone;
  IF gone = rows_max THEN
    RETURN total;
  END IF;

  DELETE FROM events e WHERE e.id = ANY (old)
    AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN total + gone;
END $$;
REVOKE ALL ON FUNCTION prune_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_events TO causeway_system;

-- Enters a scope from within a statement that is a transaction by itself.
CREATE FUNCTION enter_scope(customer text, environment text) RETURNS void LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT set_config('causeway.customer', customer, true);
  SELECT set_config('causeway.environment', environment, true);
$$;

-- An endpoint of the entered scope, what is to be sent to it, and when the next is due: one row for the
-- endpoint (none where it is deleted), and one for each delivery. FIRST: first attempts, by their sequence,
-- whatever their time says: it is another process's clock, and one that runs ahead must not let a later version
-- overtake. PUT_OFF: what failed before the endpoint was back, by its sequence; ten times at the most, since a
-- receiver may refuse an event for good while it takes all others. REPEATED: other attempts, by their time. At
-- most `most` first ones, and as many others. PROBE: one that asks a failing endpoint whether it is back: the
-- next by its sequence behind the one that was sent last, never before an earlier version of its resource. It
-- looks at a thousand, then begins anew: its cost does not grow with what waits.
CREATE FUNCTION webhooks_to_send(of_endpoint text, moment timestamptz, most integer)
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

-- Writes what came of a batch, and each attempt, for an endpoint of the entered scope. A record that comes
-- late, from a worker that was given up or of a delivery that was queued again meanwhile, changes nothing but a
-- success: counters never go back and a delivered one stays so. An early attempt that failed uses up none of
-- the schedule's.
CREATE FUNCTION write_webhook_attempts(of_endpoint text, event_ids text[], statuses text[],
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

-- The steps of a drain: each is one statement and so one transaction, which enters its scope by itself, with
-- the rights of the role that calls it. At its beginning the flag is up, or is raised: no event that is
-- recorded while it runs sends a wake. Of an endpoint that takes nothing it is taken down.
CREATE FUNCTION begin_webhook_drain(customer text, environment text, of_endpoint text,
  moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- A look in between.
CREATE FUNCTION look_in_webhook_drain(customer text, environment text, of_endpoint text,
  moment timestamptz, most integer)
RETURNS TABLE (endpoint webhook_endpoints, has_replay boolean, next_due_at timestamptz,
  due_event_id text, due_resource_id text, due_resource_version integer, due_attempts integer,
  due_turn text, due_is_early boolean, due_body text)
LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM enter_scope(customer, environment);
  RETURN QUERY SELECT * FROM webhooks_to_send(of_endpoint, moment, most);
END $$;

-- Records a batch of an endpoint and looks for the next, and never waits for a writer that holds the endpoint's
-- row: the batch would be undone with what was sent and sent again. Then the attempts are recorded, the
-- endpoint's health is not, and health_is_held says so: it is recorded by a later call, of no attempts too.
-- Health is that of the version that was sent to: a failure of an old URL says nothing of the new one, and what
-- `has_failed` at an older one is sent at once to the newer. It locks as every writer of a scope.
CREATE FUNCTION record_batch_in_webhook_drain(customer text, environment text, of_endpoint text,
  of_version integer, event_ids text[], statuses text[], numbers integer[], counts integer[], next_attempts timestamptz[],
  times timestamptz[], codes integer[], problems text[], durations integer[], answers bytea[],
  listed boolean[], has_moved boolean, has_failed boolean, slow boolean, failing timestamptz,
  probing timestamptz, recovered timestamptz, recovering boolean, moment timestamptz, most integer)
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
  RETURN QUERY SELECT found.*, is_held FROM webhooks_to_send(of_endpoint, moment, most) AS found;
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
LANGUAGE plpgsql SET lock_timeout = '500ms'
SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  row_count bigint;
BEGIN
  PERFORM enter_scope(customer, environment);
  PERFORM pg_advisory_xact_lock(hashtextextended('writers:' || customer || ':' || environment, 0));
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

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION find_webhook_public_keys OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
