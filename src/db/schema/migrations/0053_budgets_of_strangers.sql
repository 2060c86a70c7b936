-- Budgets of a day are sums of the hours' rows, so rows stay for a day.
COMMENT ON TABLE access_counters IS
  'How often one caller asked for one thing in one hour, for limits that all processes share. Only functions write it, '
  'and it is deleted a day and two hours later, or after.';

-- Counts one more for each key, in their order, and answers what each now counts over its last hours, of which the
-- current one is the first. NULL where one of them had none left: then it counts nothing and locks no row. Of requests
-- at the same moment the last one may learn that under the lock; what was counted before it stays counted.
CREATE FUNCTION take_access_budgets(of_keys bytea[], over_hours integer[], at_most integer[], moment timestamptz)
RETURNS integer[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  this_hour constant timestamptz := date_trunc('hour', moment, 'UTC');
  counts integer[] := '{}';
  counted integer;
BEGIN
  IF NOT has_access_budgets(of_keys, over_hours, at_most, moment) THEN
    RETURN NULL;
  END IF;
  DELETE FROM access_counters WHERE (key, hour) IN (
    SELECT key, hour FROM access_counters WHERE hour < moment - interval '26 hours'
    ORDER BY hour LIMIT 4 FOR UPDATE SKIP LOCKED);
  FOR nr IN 1 .. cardinality(of_keys) LOOP
    INSERT INTO access_counters AS c (key, hour, count) VALUES (of_keys[nr], this_hour, 1)
    ON CONFLICT (key, hour) DO UPDATE SET count = c.count + 1;
    SELECT sum(count) INTO counted FROM access_counters
    WHERE key = of_keys[nr] AND hour > this_hour - over_hours[nr] * interval '1 hour';
    IF counted > at_most[nr] THEN
      PERFORM return_access_budget(of_keys[nr], moment);
      RETURN NULL;
    END IF;
    counts := counts || counted;
  END LOOP;
  RETURN counts;
END $$;
REVOKE ALL ON FUNCTION take_access_budgets FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_access_budgets TO causeway_dashboard, causeway_console;

-- Has each key one left? Reads alone.
CREATE FUNCTION has_access_budgets(of_keys bytea[], over_hours integer[], at_most integer[], moment timestamptz)
RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT NOT EXISTS (
    SELECT FROM unnest(of_keys, over_hours, at_most) AS asked (key, hours, most)
    WHERE asked.most <= (
      SELECT coalesce(sum(c.count), 0) FROM access_counters c
      WHERE c.key = asked.key
        AND c.hour > date_trunc('hour', moment, 'UTC') - asked.hours * interval '1 hour'));
$$;
REVOKE ALL ON FUNCTION has_access_budgets FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_access_budgets TO causeway_dashboard, causeway_console;

-- Gives one of this hour back.
CREATE FUNCTION return_access_budget(of_key bytea, moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM access_counters
  WHERE key = of_key AND hour = date_trunc('hour', moment, 'UTC') AND count = 1;
  UPDATE access_counters SET count = count - 1
  WHERE key = of_key AND hour = date_trunc('hour', moment, 'UTC') AND count > 1;
$$;
REVOKE ALL ON FUNCTION return_access_budget FROM PUBLIC;
GRANT EXECUTE ON FUNCTION return_access_budget TO causeway_console;

-- One key's budget of the hour.
CREATE OR REPLACE FUNCTION take_access_budget(of_key bytea, moment timestamptz, most integer) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT take_access_budgets(ARRAY[of_key], ARRAY[1], ARRAY[most], moment) IS NOT NULL;
$$;

-- Writes a failed login down, if its address may log in on the surface: in one statement in either case.
CREATE FUNCTION record_login_failure(of_surface text, wanted bytea, moment timestamptz, of_action text, given jsonb)
RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO audit_log (at, actor, action, customer_id, environment, subject, details)
  SELECT moment, 'system:login', of_action, p.customer_id, NULL, p.person_id, given
  FROM find_login_people(of_surface, wanted) p;
$$;
REVOKE ALL ON FUNCTION record_login_failure FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_login_failure TO causeway_console;
-- A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION has_access_budgets OWNER TO causeway_console_definer;
ALTER FUNCTION take_access_budgets OWNER TO causeway_console_definer;
ALTER FUNCTION return_access_budget OWNER TO causeway_console_definer;
ALTER FUNCTION record_login_failure OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
