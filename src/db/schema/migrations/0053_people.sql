-- People: a customer's users, the operators, and who is logged in. Names and addresses are sealed for their
-- row (`users/<id>/address`), found by keyed hash. Written by people's roles alone; api and worker may read
-- whom a mail goes to.
CREATE TABLE users (
  id text PRIMARY KEY CHECK (id ~ '^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL REFERENCES customers,
  address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
  address bytea NOT NULL,
  name bytea NOT NULL,
  role text NOT NULL CHECK (role IN ('OWNER', 'DEVELOPER', 'FINANCE', 'VIEWER')),
  -- INVITED: the address is not verified, no code goes to it.
  status text NOT NULL CHECK (status IN ('INVITED', 'ACTIVE', 'DISABLED')),
  version integer NOT NULL DEFAULT 1,
  time_zone text NOT NULL DEFAULT 'UTC' CHECK (length(time_zone) BETWEEN 1 AND 64),
  theme text NOT NULL DEFAULT 'auto' CHECK (theme IN ('auto', 'light', 'dark')),
  created_at timestamptz NOT NULL,
  UNIQUE (customer_id, address_hash),
  UNIQUE (customer_id, id)
);
CREATE INDEX users_by_address ON users (address_hash);

CREATE TABLE operators (
  id text PRIMARY KEY CHECK (id ~ '^opr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  address_hash bytea NOT NULL UNIQUE CHECK (octet_length(address_hash) = 32),
  address bytea NOT NULL,
  name bytea NOT NULL,
  role text NOT NULL CHECK (role IN ('SUPPORT', 'OPERATIONS', 'COMPLIANCE', 'ADMIN')),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  version integer NOT NULL DEFAULT 1,
  time_zone text NOT NULL DEFAULT 'UTC' CHECK (length(time_zone) BETWEEN 1 AND 64),
  theme text NOT NULL DEFAULT 'auto' CHECK (theme IN ('auto', 'light', 'dark')),
  created_at timestamptz NOT NULL
);

-- Who is logged in. The token's hash is all that is kept of it. A session ends once, and stays ended.
CREATE TABLE sessions (
  id text PRIMARY KEY CHECK (id ~ '^ses_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  surface text NOT NULL CHECK (surface IN ('dashboard', 'console')),
  user_id text,
  customer_id text,
  operator_id text REFERENCES operators,
  -- As "Firefox on Linux": what its person knows it by.
  browser text NOT NULL CHECK (length(browser) BETWEEN 1 AND 60),
  idle interval NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz,
  FOREIGN KEY (customer_id, user_id) REFERENCES users (customer_id, id),
  CHECK (CASE surface WHEN 'dashboard' THEN num_nonnulls(user_id, customer_id) = 2 AND operator_id IS NULL
    ELSE num_nonnulls(user_id, customer_id) = 0 AND operator_id IS NOT NULL END)
);
CREATE INDEX sessions_of_user ON sessions (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_of_operator ON sessions (operator_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
ALTER TABLE operators ENABLE ROW LEVEL SECURITY;
ALTER TABLE operators FORCE ROW LEVEL SECURITY;
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_users_are_seen ON users FOR SELECT TO causeway_app
  USING (customer_id = scope_customer());
CREATE POLICY users_are_seen ON users FOR SELECT TO causeway_system USING (true);
CREATE POLICY own_users_are_written ON users TO causeway_dashboard
  USING (customer_id = scope_customer()) WITH CHECK (customer_id = scope_customer());
CREATE POLICY users_are_written ON users TO causeway_console USING (true) WITH CHECK (true);
CREATE POLICY operators_are_seen ON operators FOR SELECT TO causeway_system USING (true);
CREATE POLICY operators_are_written ON operators TO causeway_console USING (true) WITH CHECK (true);
CREATE POLICY own_sessions ON sessions TO causeway_dashboard
  USING (customer_id = scope_customer()) WITH CHECK (customer_id = scope_customer());
CREATE POLICY every_session ON sessions TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON users TO causeway_app, causeway_system;
GRANT INSERT, UPDATE (name, address, address_hash, role, status, version, time_zone, theme) ON users
  TO causeway_dashboard, causeway_console;
GRANT SELECT ON operators TO causeway_system;
GRANT INSERT, UPDATE (name, address, address_hash, role, status, version, time_zone, theme) ON operators
  TO causeway_console;
GRANT SELECT, UPDATE (ended_at) ON sessions TO causeway_dashboard;
GRANT SELECT, INSERT, DELETE, UPDATE (last_used_at, ended_at) ON sessions TO causeway_console;

-- A customer that has an owner keeps one: of two owners who step down at once, one is refused.
CREATE FUNCTION keep_an_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('owners:' || OLD.customer_id, 0));
  IF NOT EXISTS (SELECT FROM users u WHERE u.customer_id = OLD.customer_id AND u.role = 'OWNER'
                 AND u.status <> 'DISABLED') THEN
    RAISE EXCEPTION 'customer %: its last owner stays', OLD.customer_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'an_owner_stays';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_an_owner AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.role = 'OWNER' AND OLD.status <> 'DISABLED'
    AND (NEW.role <> 'OWNER' OR NEW.status = 'DISABLED'))
  EXECUTE FUNCTION keep_an_owner();

-- A role that is taken away, or an account that is disabled, ends its sessions with it.
CREATE FUNCTION end_sessions_of_person() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE sessions SET ended_at = clock_timestamp()
  WHERE ended_at IS NULL AND (user_id = OLD.id OR operator_id = OLD.id);
  RETURN NULL;
END $$;
CREATE TRIGGER end_sessions AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status) EXECUTE FUNCTION end_sessions_of_person();
CREATE TRIGGER end_sessions AFTER UPDATE ON operators FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status) EXECUTE FUNCTION end_sessions_of_person();

CREATE FUNCTION guard_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL OR (to_jsonb(NEW) - 'last_used_at' - 'ended_at')
      IS DISTINCT FROM (to_jsonb(OLD) - 'last_used_at' - 'ended_at') THEN
    RAISE EXCEPTION 'session %: it is over, or not to be changed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_session BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION guard_session();

-- Logging in comes before the scope is known, so it goes through these functions. A session of a person who is
-- ACTIVE; of more than `most` the oldest end. No row: the person is not ACTIVE.
CREATE FUNCTION open_session(new_id text, token bytea, of_surface text, person text, of_browser text,
  idle_for interval, moment timestamptz, until timestamptz, most integer) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('sessions:' || person, 0));
  UPDATE sessions SET ended_at = moment WHERE id IN (
    SELECT id FROM sessions WHERE (user_id = person OR operator_id = person) AND ended_at IS NULL
      AND expires_at > moment
    ORDER BY created_at DESC, id DESC OFFSET most - 1);
  INSERT INTO sessions (id, token_hash, surface, user_id, customer_id, operator_id, browser, idle,
    created_at, last_used_at, expires_at)
  SELECT new_id, token, of_surface, p.user_id, p.customer_id, p.operator_id, of_browser, idle_for,
    moment, moment, until
  FROM (
    SELECT id AS user_id, customer_id, NULL::text AS operator_id FROM users
    WHERE of_surface = 'dashboard' AND id = person AND status = 'ACTIVE'
    UNION ALL
    SELECT NULL, NULL, id FROM operators
    WHERE of_surface = 'console' AND id = person AND status = 'ACTIVE') p
  RETURNING id;
$$;

-- Who a session's token belongs to. A use moves the end of the idle time, at most once in 30 s.
CREATE FUNCTION find_session(of_surface text, token bytea, moment timestamptz, is_use boolean)
RETURNS TABLE (session_id text, user_id text, operator_id text, name bytea, role text, time_zone text,
  theme text, customer_id text, customer_name text, customer_status text, live_access boolean)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE sessions s SET last_used_at = moment
  WHERE is_use AND s.token_hash = token AND s.surface = of_surface AND s.ended_at IS NULL
    AND s.expires_at > moment AND s.last_used_at + s.idle > moment
    AND s.last_used_at < moment - interval '30 seconds';
  SELECT s.id, s.user_id, s.operator_id, coalesce(u.name, o.name), coalesce(u.role, o.role),
    coalesce(u.time_zone, o.time_zone), coalesce(u.theme, o.theme), c.id, c.name, c.status, c.live_access
  FROM sessions s
  LEFT JOIN users u ON u.id = s.user_id
  LEFT JOIN customers c ON c.id = u.customer_id
  LEFT JOIN operators o ON o.id = s.operator_id
  WHERE s.token_hash = token AND s.surface = of_surface AND s.ended_at IS NULL
    AND s.expires_at > moment AND s.last_used_at + s.idle > moment
    AND coalesce(u.status, o.status) = 'ACTIVE';
$$;

GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION keep_an_owner() OWNER TO causeway_console;
ALTER FUNCTION end_sessions_of_person() OWNER TO causeway_console;
ALTER FUNCTION open_session(text, bytea, text, text, text, interval, timestamptz, timestamptz, integer)
  OWNER TO causeway_console;
ALTER FUNCTION find_session(text, bytea, timestamptz, boolean) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION open_session, find_session FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_session, find_session TO causeway_dashboard, causeway_console;
