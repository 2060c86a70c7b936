-- Events are kept for 90 days, by the clock of the database, whoever deletes: the owner of the tables, too.
CREATE TRIGGER young_events_stay BEFORE DELETE ON events FOR EACH ROW
  WHEN (OLD.created_at > now() - interval '90 days') EXECUTE FUNCTION refuse_change();

-- With their events only, and not while one waits for an endpoint that still takes it.
CREATE FUNCTION guard_delivery_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Up to where a scope's log has been pruned: `verify` does not miss what was before.
CREATE TABLE event_log_floors (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  pruned_before timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment)
);
CALL secure_scoped_table('event_log_floors');

-- Deletes old events of a scope, oldest first, with their deliveries and attempts: of each table at most
-- `rows_max` rows a call, so that no call holds anything for long. What another transaction holds has its
-- turn later. Answers how many rows are gone; 0: nothing is left that may go. Events of an older moment than
-- `before` only, which is 90 days ago or more.
CREATE FUNCTION prune_events(of_customer text, of_environment text, before timestamptz,
  rows_max integer)
RETURNS integer LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
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

REVOKE EXECUTE ON FUNCTION prune_events(text, text, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prune_events(text, text, timestamptz, integer) TO causeway_system;

-- The triggers above hold whatever deletes. UPDATE of one column is what locking a row takes: a trigger
-- refuses every update.
GRANT DELETE, UPDATE (id) ON events TO causeway_system;
GRANT DELETE ON webhook_deliveries, webhook_attempts TO causeway_system;
GRANT INSERT, UPDATE ON event_log_floors TO causeway_system;

-- Replays that are over go as well, in the same way.
CREATE INDEX webhook_replays_completed ON webhook_replays (completed_at) WHERE status = 'COMPLETED';
GRANT DELETE ON webhook_replays TO causeway_system;
