-- Codes that people log in with. One a browser, address and surface: the next one takes its place, so a
-- resend ends the last, and a stranger's request ends nobody's. Written and judged by the two functions
-- alone; a challenge of an address that nobody has is a row like any other.
CREATE TABLE login_challenges (
  surface text NOT NULL CHECK (surface IN ('dashboard', 'console')),
  address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
  browser_hash bytea NOT NULL CHECK (octet_length(browser_hash) = 32),
  -- The keyed hash of code, surface, address and browser.
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  tries integer NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at <= created_at + interval '5 minutes'),
  used_at timestamptz,
  PRIMARY KEY (surface, address_hash, browser_hash)
);
CREATE INDEX login_challenges_by_expiry ON login_challenges (expires_at);

-- How often something was asked for in an hour, by the keyed hash of who asked: limits that every
-- process shares.
CREATE TABLE access_counters (
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  hour timestamptz NOT NULL,
  count integer NOT NULL CHECK (count > 0),
  PRIMARY KEY (key, hour)
);
CREATE INDEX access_counters_by_hour ON access_counters (hour);

ALTER TABLE login_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE login_challenges FORCE ROW LEVEL SECURITY;
ALTER TABLE access_counters ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_counters FORCE ROW LEVEL SECURITY;
CREATE POLICY by_function ON login_challenges TO causeway_console USING (true) WITH CHECK (true);
CREATE POLICY by_function ON access_counters TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON login_challenges, access_counters TO causeway_console;

-- Opens a challenge in the place of the last one, and forgets a few that are long over.
CREATE FUNCTION open_login_challenge(of_surface text, address bytea, browser bytea, code bytea,
  moment timestamptz, until timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM login_challenges WHERE (surface, address_hash, browser_hash) IN (
    SELECT surface, address_hash, browser_hash FROM login_challenges
    WHERE expires_at < moment - interval '1 hour' ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED);
  INSERT INTO login_challenges (surface, address_hash, browser_hash, code_hash, created_at, expires_at)
  VALUES (of_surface, address, browser, code, moment, until)
  ON CONFLICT (surface, address_hash, browser_hash) DO UPDATE
    SET code_hash = excluded.code_hash, tries = 0, created_at = excluded.created_at,
      expires_at = excluded.expires_at, used_at = NULL;
$$;

-- Counts a try and judges it, in one UPDATE: of tries at once each is counted, and no sixth is judged. No
-- row: there is no code, or it is used, too old, or out of tries.
CREATE FUNCTION judge_login_code(of_surface text, address bytea, browser bytea, code bytea,
  moment timestamptz) RETURNS TABLE (is_right boolean, tries_left integer)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE login_challenges c
  SET tries = c.tries + 1, used_at = CASE WHEN c.code_hash = code THEN moment END
  WHERE c.surface = of_surface AND c.address_hash = address AND c.browser_hash = browser
    AND c.used_at IS NULL AND c.expires_at > moment AND c.tries < 5
  RETURNING c.used_at IS NOT NULL, 5 - c.tries
$$;

-- Takes one of a budget of an hour; false where none is left. Forgets a few hours that are over.
CREATE FUNCTION take_access_budget(of_key bytea, moment timestamptz, most integer) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM access_counters WHERE (key, hour) IN (
    SELECT key, hour FROM access_counters WHERE hour < moment - interval '2 hours'
    ORDER BY hour LIMIT 4 FOR UPDATE SKIP LOCKED);
  WITH taken AS (
    INSERT INTO access_counters AS c (key, hour, count)
    VALUES (of_key, date_trunc('hour', moment, 'UTC'), 1)
    ON CONFLICT (key, hour) DO UPDATE SET count = c.count + 1 WHERE c.count < most
    RETURNING 1)
  SELECT EXISTS (SELECT FROM taken);
$$;

GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION open_login_challenge(text, bytea, bytea, bytea, timestamptz, timestamptz)
  OWNER TO causeway_console;
ALTER FUNCTION judge_login_code(text, bytea, bytea, bytea, timestamptz) OWNER TO causeway_console;
ALTER FUNCTION take_access_budget(bytea, timestamptz, integer) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION open_login_challenge, judge_login_code, take_access_budget FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_login_challenge, judge_login_code, take_access_budget
  TO causeway_dashboard, causeway_console;
