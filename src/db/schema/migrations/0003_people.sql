-- People: users and operators, how they log in, how they come, and what they are mailed.

-- Name and address are sealed for their row (`users/<id>/address`), found by keyed hash. API and worker may read
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
COMMENT ON TABLE users IS
  'One person who works for a customer. Only people''s roles write it, never API or worker, and no role may '
  'delete it.';
CREATE INDEX users_by_address ON users (address_hash);
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE users FORCE ROW LEVEL SECURITY;
CREATE POLICY own_users_are_seen ON users FOR SELECT TO causeway_app
  USING (customer_id = scope_customer());
CREATE POLICY users_are_seen ON users FOR SELECT TO causeway_system USING (true);
CREATE POLICY own_users_are_written ON users TO causeway_dashboard
  USING (customer_id = scope_customer()) WITH CHECK (customer_id = scope_customer());
CREATE POLICY users_are_written ON users TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON users TO causeway_app, causeway_system;
GRANT INSERT, UPDATE (address_hash, address, name, role, status, version, time_zone, theme) ON users
  TO causeway_dashboard, causeway_console;

-- A customer that has an owner keeps one: of two owners who step down at once, one is refused.
CREATE FUNCTION keep_an_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Sealed and found as users are. An account that `operators add` makes approves nothing before an admin has
-- confirmed it. The first admin is confirmed by nobody.
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
  -- Null: not confirmed yet. The first admin is confirmed by nobody.
  confirmed_at timestamptz,
  confirmed_by text REFERENCES operators,
  created_at timestamptz NOT NULL
);
COMMENT ON TABLE operators IS
  'One person who runs the platform. Only the role causeway_console writes it, and no role may delete it.';
ALTER TABLE operators ENABLE ROW LEVEL SECURITY;
ALTER TABLE operators FORCE ROW LEVEL SECURITY;
CREATE POLICY operators_are_seen ON operators FOR SELECT TO causeway_system USING (true);
CREATE POLICY operators_are_written ON operators TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON operators TO causeway_system;
GRANT INSERT, UPDATE (address_hash, address, name, role, status, version, time_zone, theme, confirmed_at,
  confirmed_by) ON operators TO causeway_console;

-- Another admin confirms an account, once. The first admin needs none.
CREATE FUNCTION guard_operator_confirmation() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- Two first ones at once: one of them waits, and sees the other.
    PERFORM pg_advisory_xact_lock(hashtextextended('operators', 0));
    NEW.confirmed_by := NULL;
    NEW.confirmed_at := CASE
      WHEN NOT EXISTS (SELECT FROM public.operators o WHERE o.role = 'ADMIN') THEN NEW.created_at END;
    RETURN NEW;
  END IF;
  IF OLD.confirmed_at IS NULL AND NEW.confirmed_at IS NOT NULL AND NEW.confirmed_by <> NEW.id
     AND NEW.status = 'ACTIVE' AND EXISTS (
       SELECT FROM public.operators a WHERE a.id = NEW.confirmed_by AND a.role = 'ADMIN'
         AND a.status = 'ACTIVE' AND a.confirmed_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'operator %: another admin confirms an account, once', OLD.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'admins_confirm_operators';
END $$;
CREATE TRIGGER operator_begins_unconfirmed BEFORE INSERT ON operators
  FOR EACH ROW EXECUTE FUNCTION guard_operator_confirmation();
CREATE TRIGGER admins_confirm_operators BEFORE UPDATE ON operators FOR EACH ROW
  WHEN ((NEW.confirmed_at, NEW.confirmed_by) IS DISTINCT FROM (OLD.confirmed_at, OLD.confirmed_by))
  EXECUTE FUNCTION guard_operator_confirmation();

-- Of the admins who are confirmed and may log in one stays: nobody could confirm an account any more, nor
-- disable one in the console. Of two who end each other's accounts at once, one is refused.
CREATE FUNCTION keep_an_admin() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('operators', 0));
  IF NOT EXISTS (SELECT FROM public.operators o WHERE o.role = 'ADMIN' AND o.status = 'ACTIVE'
                 AND o.confirmed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'operator %: the last admin stays', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'an_admin_stays';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_an_admin AFTER UPDATE ON operators FOR EACH ROW
  WHEN (OLD.role = 'ADMIN' AND OLD.status = 'ACTIVE' AND OLD.confirmed_at IS NOT NULL
    AND (NEW.role <> 'ADMIN' OR NEW.status <> 'ACTIVE' OR NEW.confirmed_at IS NULL))
  EXECUTE FUNCTION keep_an_admin();
CREATE TRIGGER keep_an_admin_of_deleted AFTER DELETE ON operators FOR EACH ROW
  WHEN (OLD.role = 'ADMIN' AND OLD.status = 'ACTIVE' AND OLD.confirmed_at IS NOT NULL)
  EXECUTE FUNCTION keep_an_admin();

-- Only the token's hash is stored.
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
COMMENT ON TABLE sessions IS
  'One login of a user or an operator in one browser. It ends once, stays ended, and is deleted 90 days or more '
  'after it expired.';
CREATE INDEX sessions_of_user ON sessions (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_of_operator ON sessions (operator_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_sessions ON sessions TO causeway_dashboard
  USING (customer_id = scope_customer()) WITH CHECK (customer_id = scope_customer());
CREATE POLICY every_session ON sessions TO causeway_console USING (true) WITH CHECK (true);
-- Sessions are opened, and found, by functions alone.
GRANT SELECT (id, surface, user_id, customer_id, operator_id, browser, idle, created_at, last_used_at,
  expires_at, ended_at), UPDATE (ended_at) ON sessions TO causeway_dashboard;
GRANT SELECT (id, surface, user_id, customer_id, operator_id, browser, idle, created_at, last_used_at,
  expires_at, ended_at), UPDATE (token_hash, last_used_at, ended_at), DELETE ON sessions TO causeway_console;
GRANT SELECT, INSERT ON sessions TO causeway_console_definer;

-- A session ends once. Its token is a new one after each act that was proven: what was copied before is worth
-- nothing.
CREATE FUNCTION guard_session() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL
      OR (to_jsonb(NEW) - 'last_used_at' - 'ended_at' - 'token_hash')
      IS DISTINCT FROM (to_jsonb(OLD) - 'last_used_at' - 'ended_at' - 'token_hash') THEN
    RAISE EXCEPTION 'session %: it is over, or not to be changed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_session BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION guard_session();

-- A role that is taken away, or an account that is disabled, ends its sessions with it.
CREATE FUNCTION end_sessions_of_person() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE sessions SET ended_at = clock_timestamp()
  WHERE ended_at IS NULL AND (user_id = OLD.id OR operator_id = OLD.id);
  RETURN NULL;
END $$;
CREATE TRIGGER end_sessions AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status) EXECUTE FUNCTION end_sessions_of_person();
CREATE TRIGGER end_sessions AFTER UPDATE ON operators FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status) EXECUTE FUNCTION end_sessions_of_person();

-- Logging in comes before the scope is known, so it goes through these functions. A session of a person who is
-- ACTIVE; of more than `most` the oldest end. No row: the person is not ACTIVE.
CREATE FUNCTION open_session(new_id text, token bytea, of_surface text, person text, of_browser text,
  idle_for interval, moment timestamptz, until timestamptz, most integer) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
REVOKE ALL ON FUNCTION open_session FROM PUBLIC;
-- A session is opened, and a code judged, by the surface that it is for: no request of a customer's scope does.
GRANT EXECUTE ON FUNCTION open_session TO causeway_console;

-- A known browser has login codes of its own, so a stranger who uses up an address's codes locks nobody out.
CREATE TABLE devices (
  device_hash bytea NOT NULL CHECK (octet_length(device_hash) = 32),
  person_id text NOT NULL CHECK (person_id ~ '^(usr|opr)_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (device_hash, person_id)
);
COMMENT ON TABLE devices IS
  'One browser in which a person has logged in, by the keyed hash of its cookie. It is deleted after it expires, '
  'or earlier: when the account''s address or status changes, a passkey is removed, or the person logs out '
  'everywhere else.';
CREATE INDEX devices_by_expiry ON devices (expires_at);
CREATE INDEX devices_of_person ON devices (person_id);
ALTER TABLE devices ENABLE ROW LEVEL SECURITY;
ALTER TABLE devices FORCE ROW LEVEL SECURITY;
CREATE POLICY every_device ON devices TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON devices TO causeway_console;

-- Sealed for the row `address_changes/<person>/address`.
CREATE TABLE address_changes (
  person_id text PRIMARY KEY CHECK (person_id ~ '^(usr|opr)_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  -- Of the link that the old address was mailed: it cancels the change.
  cancel_hash bytea UNIQUE CHECK (octet_length(cancel_hash) = 32),
  address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
  address bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at <= created_at + interval '7 days')
);
COMMENT ON TABLE address_changes IS
  'The new address that a logged-in person asked for and has not confirmed yet, at most one per person. It is '
  'deleted when its link is used, when it has expired, and when the account''s role, status, address or passkeys '
  'change.';
CREATE INDEX address_changes_by_expiry ON address_changes (expires_at);
ALTER TABLE address_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE address_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY every_address_change ON address_changes TO causeway_console
  USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON address_changes TO causeway_console;

-- A new address that waits to be confirmed, and the browsers that a person is known by, end with what they were
-- given under: the account, the role, the address, the sessions, a passkey.
CREATE FUNCTION forget_what_a_person_had() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM public.address_changes WHERE person_id = OLD.id;
  IF NEW.status <> OLD.status OR NEW.address_hash <> OLD.address_hash THEN
    DELETE FROM public.devices WHERE person_id = OLD.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_what_a_user_had AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.address_hash <> NEW.address_hash)
  EXECUTE FUNCTION forget_what_a_person_had();
CREATE TRIGGER forget_what_an_operator_had AFTER UPDATE ON operators FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.address_hash <> NEW.address_hash)
  EXECUTE FUNCTION forget_what_a_person_had();

CREATE TABLE passkeys (
  id text PRIMARY KEY CHECK (id ~ '^psk_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  -- A COSE key, as the authenticator gave it.
  public_key bytea NOT NULL,
  -- Signatures made, as the authenticator counts them; 0 where it does not.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  user_id text,
  customer_id text,
  operator_id text REFERENCES operators,
  -- As "Firefox on Linux": what its person knows it by.
  browser text NOT NULL CHECK (length(browser) BETWEEN 1 AND 60),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  removed_at timestamptz,
  -- The session of its person in which it was removed; null: two operators removed it.
  removed_in text,
  FOREIGN KEY (customer_id, user_id) REFERENCES users (customer_id, id),
  CHECK (num_nonnulls(user_id, operator_id) = 1 AND num_nonnulls(user_id, customer_id) <> 1),
  CHECK (removed_at IS NOT NULL OR removed_in IS NULL)
);
COMMENT ON TABLE passkeys IS
  'One public key of a person''s authenticator (WebAuthn level 2, section 4: a credential record). The person '
  'removes it in a session, or two operators do; the row stays.';
CREATE INDEX passkeys_of_user ON passkeys (user_id) WHERE removed_at IS NULL;
CREATE INDEX passkeys_of_operator ON passkeys (operator_id) WHERE removed_at IS NULL;
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY own_passkeys_are_seen ON passkeys FOR SELECT TO causeway_dashboard
  USING (customer_id = scope_customer());
CREATE POLICY every_passkey ON passkeys TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON passkeys TO causeway_dashboard;
GRANT SELECT, INSERT, UPDATE (counter, last_used_at, removed_at, removed_in) ON passkeys TO causeway_console;

-- A passkey is used, and removed once: by its person, or by two operators.
CREATE FUNCTION guard_passkey() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  person constant text := coalesce(OLD.user_id, OLD.operator_id);
  used approvals;
BEGIN
  IF TG_OP = 'DELETE' OR OLD.removed_at IS NOT NULL OR NEW.counter < OLD.counter
      OR (to_jsonb(NEW) - '{counter,last_used_at,removed_at,removed_in}'::text[])
        IS DISTINCT FROM (to_jsonb(OLD) - '{counter,last_used_at,removed_at,removed_in}'::text[]) THEN
    RAISE EXCEPTION 'passkey %: it is removed, or not to be changed', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.removed_at IS NULL THEN
    RETURN NEW;
  END IF;
  IF NEW.removed_in IS NOT NULL THEN
    PERFORM FROM sessions s WHERE s.id = NEW.removed_in AND s.ended_at IS NULL
      AND s.expires_at > NEW.removed_at AND coalesce(s.user_id, s.operator_id) = person;
    IF FOUND THEN
      RETURN NEW;
    END IF;
  ELSE
    used := approval_in_use('REMOVE_PASSKEYS', person, lock_person(person));
    IF used.id IS NOT NULL THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'passkey %: its person removes it, or two operators', OLD.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'passkeys_are_removed_by_two';
END $$;
CREATE TRIGGER guard_passkey BEFORE UPDATE OR DELETE ON passkeys
  FOR EACH ROW EXECUTE FUNCTION guard_passkey();

-- A passkey that comes or goes makes void what was proposed about its person before.
CREATE FUNCTION passkeys_are_of_a_version() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE users SET version = version + 1 WHERE id = NEW.user_id;
  UPDATE operators SET version = version + 1 WHERE id = NEW.operator_id;
  RETURN NULL;
END $$;
CREATE TRIGGER passkey_added AFTER INSERT ON passkeys
  FOR EACH ROW EXECUTE FUNCTION passkeys_are_of_a_version();
CREATE TRIGGER passkey_removed AFTER UPDATE ON passkeys FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
  EXECUTE FUNCTION passkeys_are_of_a_version();

-- A passkey is removed where its authenticator is lost, or is somebody else's: so may the browser be.
CREATE FUNCTION forget_devices_with_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM public.devices WHERE person_id = coalesce(OLD.user_id, OLD.operator_id);
  DELETE FROM public.address_changes WHERE person_id = coalesce(OLD.user_id, OLD.operator_id);
  RETURN NULL;
END $$;
CREATE TRIGGER forget_devices_with_passkey AFTER UPDATE ON passkeys FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
  EXECUTE FUNCTION forget_devices_with_passkey();

-- The version of a person, locked until the commit; null where there is none.
CREATE FUNCTION lock_person(person text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  now_at integer;
BEGIN
  SELECT version INTO now_at FROM users WHERE id = person FOR UPDATE;
  IF NOT FOUND THEN
    SELECT version INTO now_at FROM operators WHERE id = person FOR UPDATE;
  END IF;
  RETURN now_at;
END $$;
REVOKE ALL ON FUNCTION lock_person FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_person TO causeway_dashboard, causeway_console;

-- Removes all passkeys of a person who has lost them, and ends their sessions. Refused by the guard unless the
-- transaction uses an approval of it. Answers how many there were.
CREATE FUNCTION remove_passkeys(person text, moment timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  removed integer;
BEGIN
  UPDATE passkeys SET removed_at = moment
  WHERE (user_id = person OR operator_id = person) AND removed_at IS NULL;
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN
    UPDATE sessions SET ended_at = moment
    WHERE (user_id = person OR operator_id = person) AND ended_at IS NULL;
  END IF;
  RETURN removed;
END $$;
REVOKE ALL ON FUNCTION remove_passkeys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_passkeys TO causeway_dashboard, causeway_console;

-- Who a session's token belongs to, whether the person is to have a passkey and has one, and whether the
-- customer once had live access. A use moves the end of the idle time, at most once in 30 s.
CREATE FUNCTION find_session(of_surface text, token bytea, moment timestamptz, is_use boolean)
RETURNS TABLE (session_id text, user_id text, operator_id text, name bytea, role text, time_zone text,
  theme text, customer_id text, customer_name text, customer_status text, live_access boolean,
  requires_passkeys boolean, has_passkey boolean, had_live_access boolean)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE sessions s SET last_used_at = moment
  WHERE is_use AND s.token_hash = token AND s.surface = of_surface AND s.ended_at IS NULL
    AND s.expires_at > moment AND s.last_used_at + s.idle > moment
    AND s.last_used_at < moment - interval '30 seconds';
  SELECT s.id, s.user_id, s.operator_id, coalesce(u.name, o.name), coalesce(u.role, o.role),
    coalesce(u.time_zone, o.time_zone), coalesce(u.theme, o.theme), c.id, c.name, c.status, c.live_access,
    coalesce(c.requires_passkeys, false),
    EXISTS (SELECT FROM passkeys p WHERE p.removed_at IS NULL
      AND (p.user_id = s.user_id OR p.operator_id = s.operator_id)),
    c.had_live_access
  FROM sessions s
  LEFT JOIN users u ON u.id = s.user_id
  LEFT JOIN customers c ON c.id = u.customer_id
  LEFT JOIN operators o ON o.id = s.operator_id
  WHERE s.token_hash = token AND s.surface = of_surface AND s.ended_at IS NULL
    AND s.expires_at > moment AND s.last_used_at + s.idle > moment
    AND coalesce(u.status, o.status) = 'ACTIVE';
$$;
REVOKE ALL ON FUNCTION find_session FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session TO causeway_dashboard, causeway_console;

-- Logging in comes before the scope is known. Who has an address on a surface and may log in: INVITED, their
-- address is not verified; DISABLED, they may not.
CREATE FUNCTION find_login_people(of_surface text, wanted bytea)
RETURNS TABLE (person_id text, role text, customer_id text, customer_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT u.id, u.role, c.id, c.name FROM users u JOIN customers c ON c.id = u.customer_id
  WHERE of_surface = 'dashboard' AND u.address_hash = wanted AND u.status = 'ACTIVE'
  UNION ALL
  SELECT o.id, o.role, NULL, NULL FROM operators o
  WHERE of_surface = 'console' AND o.address_hash = wanted AND o.status = 'ACTIVE'
  ORDER BY 4, 1 LIMIT 50
$$;
REVOKE ALL ON FUNCTION find_login_people FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_login_people TO causeway_console;

-- Has one of these people logged in with that browser in the last 90 days?
CREATE FUNCTION is_known_device(of_surface text, wanted bytea, device bytea, moment timestamptz)
RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM find_login_people(of_surface, wanted) p
    JOIN devices d ON d.person_id = p.person_id
    WHERE d.device_hash = device AND d.expires_at > moment)
$$;
REVOKE ALL ON FUNCTION is_known_device FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_known_device TO causeway_console;

-- A resend ends the last code, and a stranger's request ends nobody's. A challenge for an address that nobody has
-- is a row as any other.
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
COMMENT ON TABLE login_challenges IS
  'The login code of one browser, address and surface; the next code takes its place. Only two functions write '
  'it, and it is deleted an hour or more after it expired.';
CREATE INDEX login_challenges_by_expiry ON login_challenges (expires_at);
ALTER TABLE login_challenges ENABLE ROW LEVEL SECURITY;
ALTER TABLE login_challenges FORCE ROW LEVEL SECURITY;
CREATE POLICY by_function ON login_challenges TO causeway_console USING (true) WITH CHECK (true);
-- By the functions below alone: no statement beside them stores a code, or reads what one is found by.
GRANT SELECT, INSERT, UPDATE, DELETE ON login_challenges TO causeway_console_definer;

-- Opens a challenge in the place of the last one, and forgets a few that are long over.
CREATE FUNCTION open_login_challenge(of_surface text, address bytea, browser bytea, code bytea,
  moment timestamptz, until timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  DELETE FROM login_challenges WHERE (surface, address_hash, browser_hash) IN (
    SELECT surface, address_hash, browser_hash FROM login_challenges
    WHERE expires_at < moment - interval '1 hour' ORDER BY expires_at LIMIT 4 FOR UPDATE SKIP LOCKED);
  INSERT INTO login_challenges (surface, address_hash, browser_hash, code_hash, created_at, expires_at)
  VALUES (of_surface, address, browser, code, moment, until)
  ON CONFLICT (surface, address_hash, browser_hash) DO UPDATE
    SET code_hash = excluded.code_hash, tries = 0, created_at = excluded.created_at,
      expires_at = excluded.expires_at, used_at = NULL;
$$;
REVOKE ALL ON FUNCTION open_login_challenge FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_login_challenge TO causeway_console;

-- Counts a try and judges it, in one UPDATE: of tries at once each is counted, and no sixth is judged. No
-- row: there is no code, or it is used, too old, or out of tries.
CREATE FUNCTION judge_login_code(of_surface text, address bytea, browser bytea, code bytea,
  moment timestamptz) RETURNS TABLE (is_right boolean, tries_left integer)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE login_challenges c
  SET tries = c.tries + 1, used_at = CASE WHEN c.code_hash = code THEN moment END
  WHERE c.surface = of_surface AND c.address_hash = address AND c.browser_hash = browser
    AND c.used_at IS NULL AND c.expires_at > moment AND c.tries < 5
  RETURNING c.used_at IS NOT NULL, 5 - c.tries
$$;
REVOKE ALL ON FUNCTION judge_login_code FROM PUBLIC;
GRANT EXECUTE ON FUNCTION judge_login_code TO causeway_console;

-- The key is a keyed hash of who asked.
CREATE TABLE access_counters (
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  hour timestamptz NOT NULL,
  count integer NOT NULL CHECK (count > 0),
  PRIMARY KEY (key, hour)
);
COMMENT ON TABLE access_counters IS
  'How often one caller asked for one thing in one hour, for limits that all processes share. Only one function '
  'writes it, and it is deleted two hours or more later.';
CREATE INDEX access_counters_by_hour ON access_counters (hour);
ALTER TABLE access_counters ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_counters FORCE ROW LEVEL SECURITY;
CREATE POLICY by_function ON access_counters TO causeway_console USING (true) WITH CHECK (true);
-- By the function below alone.
GRANT SELECT, INSERT, UPDATE, DELETE ON access_counters TO causeway_console_definer;

-- Takes one of a budget of an hour; false where none is left. Forgets a few hours that are over.
CREATE FUNCTION take_access_budget(of_key bytea, moment timestamptz, most integer) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
REVOKE ALL ON FUNCTION take_access_budget FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_access_budget TO causeway_dashboard, causeway_console;

-- 256 bits, of which the keyed hash is kept. A user has at most one open link. A customer's users write links and end
-- them. Only causeway_console, which sees the token, records a use.
CREATE TABLE invitations (
  id text PRIMARY KEY CHECK (id ~ '^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL,
  user_id text NOT NULL,
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
    CHECK (expires_at > created_at AND expires_at <= created_at + interval '7 days'),
  used_at timestamptz,
  -- Withdrawn, or another one took its place.
  ended_at timestamptz,
  -- The transaction that uses a link is the one that makes its user ACTIVE: that there was a link once is not
  -- enough.
  used_by_transaction xid8,
  CHECK (num_nonnulls(used_at, ended_at) <= 1),
  FOREIGN KEY (customer_id, user_id) REFERENCES users (customer_id, id)
);
COMMENT ON TABLE invitations IS
  'One link that makes an invited address a user''s, good for seven days and one use. Rows are never deleted.';
CREATE UNIQUE INDEX invitations_open ON invitations (user_id) WHERE used_at IS NULL AND ended_at IS NULL;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY own_invitations ON invitations TO causeway_dashboard
  USING (customer_id = scope_customer()) WITH CHECK (customer_id = scope_customer());
CREATE POLICY every_invitation ON invitations TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT (id, customer_id, user_id, created_at, expires_at, used_at, ended_at), INSERT (id, customer_id,
  user_id, token_hash, created_at, expires_at), UPDATE (ended_at) ON invitations TO causeway_dashboard;
GRANT SELECT, INSERT, UPDATE (used_at, ended_at) ON invitations TO causeway_console;
CREATE TRIGGER invitations_stay BEFORE DELETE ON invitations FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- An invitation begins unused, and is used or ended once.
CREATE FUNCTION guard_invitation() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  ending constant text[] := ARRAY['used_at', 'ended_at', 'used_by_transaction'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF num_nonnulls(NEW.used_at, NEW.ended_at, NEW.used_by_transaction) > 0 THEN
      RAISE EXCEPTION 'invitation %: it begins unused', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF num_nonnulls(OLD.used_at, OLD.ended_at) > 0
    OR to_jsonb(NEW) - ending IS DISTINCT FROM to_jsonb(OLD) - ending THEN
    RAISE EXCEPTION 'invitation %: it is over, or not to be changed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  NEW.used_by_transaction := CASE WHEN NEW.used_at IS NOT NULL THEN pg_current_xact_id() END;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_invitation BEFORE UPDATE ON invitations FOR EACH ROW EXECUTE FUNCTION guard_invitation();
CREATE TRIGGER guard_new_invitation BEFORE INSERT ON invitations
  FOR EACH ROW EXECUTE FUNCTION guard_invitation();

-- An address that was not verified becomes no user's: ACTIVE is whom the transaction makes so that uses the
-- link, for that there was a link once is not enough. Disabled users come back by a new invitation, and one
-- that is ACTIVE never needs another.
CREATE FUNCTION guard_user_status() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    RAISE EXCEPTION 'user %: a new user is invited', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  -- The link went to the address of then.
  IF NEW.address_hash <> OLD.address_hash AND OLD.status <> 'ACTIVE' THEN
    RAISE EXCEPTION 'user %: only who is ACTIVE has another address', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'ACTIVE' AND OLD.status <> 'ACTIVE' AND (OLD.status <> 'INVITED'
    OR NOT EXISTS (SELECT FROM invitations i WHERE i.user_id = NEW.id
                   AND i.used_by_transaction = pg_current_xact_id_if_assigned())
    OR EXISTS (SELECT FROM invitations i
               WHERE i.user_id = NEW.id AND i.used_at IS NULL AND i.ended_at IS NULL)) THEN
    RAISE EXCEPTION 'user %: the address is not verified', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'INVITED' AND OLD.status = 'ACTIVE' THEN
    RAISE EXCEPTION 'user %: it is in use', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_new_user BEFORE INSERT ON users FOR EACH ROW
  WHEN (NEW.status <> 'INVITED') EXECUTE FUNCTION guard_user_status();
CREATE TRIGGER guard_user_status BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.status IS DISTINCT FROM OLD.status OR NEW.address_hash IS DISTINCT FROM OLD.address_hash)
  EXECUTE FUNCTION guard_user_status();

-- The contents are erased when a mail ends: they may hold a code or a link that lets somebody in.
CREATE TABLE mails (
  id text PRIMARY KEY CHECK (id ~ '^mai_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  -- Whose user it goes to; null where it goes to an operator, or to somebody who is no user yet.
  customer_id text REFERENCES customers,
  kind text NOT NULL CHECK (kind ~ '^[A-Z_]{1,40}$'),
  -- The keyed hash of the address: mails to it are found, it cannot be read.
  address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
  -- Sealed for the row `mails/<id>/address` and `mails/<id>/contents`.
  address bytea NOT NULL,
  contents bytea,
  status text NOT NULL DEFAULT 'WAITING' CHECK (status IN ('WAITING', 'SENT', 'FAILED', 'EXPIRED')),
  -- Tries that were begun. A try is recorded only while no later one has begun.
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  -- A code of ours: why the last try did not succeed.
  failure text CHECK (failure ~ '^[A-Z0-9_]{1,40}$'),
  created_at timestamptz NOT NULL,
  -- When it is to be tried next, and until when whoever tries has it alone.
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz,
  CHECK ((status = 'WAITING') = (contents IS NOT NULL)),
  CHECK ((status = 'WAITING') = (ended_at IS NULL))
);
COMMENT ON TABLE mails IS
  'One mail to one person, written in the transaction of what it tells and sent afterwards. It ends SENT, FAILED '
  'or EXPIRED, and is deleted 30 days later, or when the request for access that it answered is erased.';
CREATE INDEX mails_waiting ON mails (id) WHERE status = 'WAITING';
CREATE INDEX mails_not_sent ON mails (ended_at) WHERE status IN ('FAILED', 'EXPIRED');
CREATE INDEX mails_by_end ON mails (ended_at) WHERE status <> 'WAITING';
CREATE INDEX mails_by_address ON mails (address_hash, kind, created_at);
ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE mails FORCE ROW LEVEL SECURITY;
-- Whoever works for one customer may write to its users and to operators, and reads no mail at all.
CREATE POLICY own_mails_are_written ON mails FOR INSERT TO causeway_app, causeway_dashboard
  WITH CHECK (customer_id IS NULL OR customer_id = current_setting('causeway.customer', true));
CREATE POLICY mails_are_written ON mails FOR INSERT TO causeway_system, causeway_console
  WITH CHECK (true);
CREATE POLICY mails_are_seen ON mails FOR SELECT TO causeway_system, causeway_console USING (true);
CREATE POLICY mails_are_sent ON mails FOR UPDATE TO causeway_system, causeway_console
  USING (status = 'WAITING') WITH CHECK (true);
CREATE POLICY old_mails_go ON mails FOR DELETE TO causeway_system, causeway_console
  USING (ended_at < clock_timestamp() - interval '30 days');
-- Whoever is forgotten is forgotten with the mails that said what became of the request, too.
CREATE POLICY mails_of_requests_go ON mails FOR DELETE TO causeway_console
  USING (kind IN ('REQUEST_RECEIVED', 'REQUEST_DECLINED') AND status <> 'WAITING');
GRANT INSERT ON mails TO causeway_app, causeway_dashboard;
GRANT SELECT, INSERT, UPDATE (contents, status, tries, failure, due_at, leased_until, ended_at), DELETE ON
  mails TO causeway_system, causeway_console;

-- For the owner of the table as well, whom no grant binds.
CREATE FUNCTION guard_mail() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'WAITING' OR NEW.tries <> 0 THEN
      RAISE EXCEPTION 'mail %: a new mail waits', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.status <> 'WAITING' THEN
    RAISE EXCEPTION 'mail %: it is over', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.id, NEW.customer_id, NEW.kind, NEW.address_hash, NEW.address, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM
    (OLD.id, OLD.customer_id, OLD.kind, OLD.address_hash, OLD.address, OLD.created_at, OLD.expires_at)
    OR NEW.tries < OLD.tries
    OR (NEW.contents IS NOT NULL AND NEW.contents IS DISTINCT FROM OLD.contents) THEN
    RAISE EXCEPTION 'mail %: a mail does not change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_mail BEFORE INSERT OR UPDATE ON mails FOR EACH ROW EXECUTE FUNCTION guard_mail();

-- Details are sealed for `access_requests/<id>/details`, the address is found by its keyed hash. The workflow
-- `onboarding/<id>` comes back when `due_at` says.
CREATE TABLE access_requests (
  id text PRIMARY KEY CHECK (id ~ '^acr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  address_hash bytea CHECK (octet_length(address_hash) = 32),
  details bytea,
  status text NOT NULL DEFAULT 'WAITING'
    CHECK (status IN ('WAITING', 'APPROVED', 'DECLINED', 'EXPIRED')),
  -- Set with APPROVED: the customer and the first owner that it became.
  customer_id text UNIQUE REFERENCES customers,
  user_id text REFERENCES users,
  decided_by text REFERENCES operators,
  decided_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  -- When the engine next has something to do for it; null once nothing is left.
  due_at timestamptz,
  told_at timestamptz,
  reminded_at timestamptz,
  funded_at timestamptz,
  erased_at timestamptz,
  CHECK ((address_hash IS NULL) = (erased_at IS NOT NULL) AND (details IS NULL) = (erased_at IS NOT NULL)),
  CHECK ((status = 'WAITING') = (decided_at IS NULL)),
  CHECK ((status IN ('APPROVED', 'DECLINED')) = (decided_by IS NOT NULL)),
  CHECK ((status = 'APPROVED') = (customer_id IS NOT NULL) AND (status = 'APPROVED') = (user_id IS NOT NULL)),
  CHECK (status <> 'EXPIRED' OR erased_at IS NOT NULL)
);
COMMENT ON TABLE access_requests IS
  'One request for access, and what became of it. What the person told and their address are erased later; the '
  'row is never deleted.';
CREATE INDEX access_requests_due ON access_requests (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX access_requests_waiting ON access_requests (seq) WHERE status = 'WAITING';
ALTER TABLE access_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_requests FORCE ROW LEVEL SECURITY;
-- The worker reads requests, and changes them through the function below alone.
CREATE POLICY requests_are_seen ON access_requests FOR SELECT TO causeway_system USING (true);
CREATE POLICY requests_are_decided ON access_requests TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON access_requests TO causeway_system;
GRANT SELECT, INSERT, UPDATE ON access_requests TO causeway_console;
CREATE TRIGGER access_requests_stay BEFORE DELETE ON access_requests FOR EACH ROW
  EXECUTE FUNCTION refuse_change();

-- A request waits, is decided once, and is erased; what was asked does not change. For the owner of the table
-- as well, whom no grant binds.
CREATE FUNCTION guard_access_request() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'WAITING' OR NEW.erased_at IS NOT NULL THEN
      RAISE EXCEPTION 'request %: a new request waits', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.seq, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM (OLD.id, OLD.seq, OLD.created_at, OLD.expires_at)
    OR (NEW.address_hash IS NOT NULL AND NEW.address_hash IS DISTINCT FROM OLD.address_hash)
    OR (NEW.details IS NOT NULL AND NEW.details IS DISTINCT FROM OLD.details) THEN
    RAISE EXCEPTION 'request %: what was asked does not change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.status <> 'WAITING' AND (NEW.status, NEW.customer_id, NEW.user_id, NEW.decided_by, NEW.decided_at)
    IS DISTINCT FROM (OLD.status, OLD.customer_id, OLD.user_id, OLD.decided_by, OLD.decided_at) THEN
    RAISE EXCEPTION 'request %: it is decided', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_access_request BEFORE INSERT OR UPDATE ON access_requests FOR EACH ROW
  EXECUTE FUNCTION guard_access_request();

-- Whoever is forgotten is forgotten with the mails that said what became of the request, too.
CREATE FUNCTION forget_mails_of_request() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM mails WHERE address_hash = OLD.address_hash AND status <> 'WAITING'
    AND kind IN ('REQUEST_RECEIVED', 'REQUEST_DECLINED') AND created_at < NEW.erased_at - interval '1 day';
  RETURN NULL;
END $$;
CREATE TRIGGER forget_mails AFTER UPDATE ON access_requests FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION forget_mails_of_request();

-- What the worker does to a request, each once, and none before its time: tells of it, reminds, lets it expire,
-- notes its test funds, erases it. False: it is not the time, or it is done. Never at a moment to come: what a
-- process says the time is may be wrong.
CREATE FUNCTION advance_access_request(of_id text, step text, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  moment := least(moment, date_trunc('milliseconds', clock_timestamp()) + interval '5 minutes');
  CASE step
  WHEN 'TELL' THEN
    UPDATE access_requests SET told_at = moment, due_at = created_at + interval '2 days'
    WHERE id = of_id AND status = 'WAITING' AND told_at IS NULL;
  WHEN 'REMIND' THEN
    UPDATE access_requests SET reminded_at = moment, due_at = expires_at
    WHERE id = of_id AND status = 'WAITING' AND told_at IS NOT NULL AND reminded_at IS NULL
      AND created_at + interval '2 days' <= moment;
  WHEN 'EXPIRE' THEN
    UPDATE access_requests SET status = 'EXPIRED', decided_at = moment, erased_at = moment,
      address_hash = NULL, details = NULL, due_at = NULL
    WHERE id = of_id AND status = 'WAITING' AND expires_at <= moment;
  WHEN 'FUND' THEN
    UPDATE access_requests SET funded_at = moment, due_at = decided_at + interval '30 days'
    WHERE id = of_id AND status = 'APPROVED' AND funded_at IS NULL;
  WHEN 'ERASE' THEN
    UPDATE access_requests SET erased_at = moment, address_hash = NULL, details = NULL, due_at = NULL
    WHERE id = of_id AND status IN ('APPROVED', 'DECLINED') AND erased_at IS NULL
      AND (status = 'DECLINED' OR funded_at IS NOT NULL) AND decided_at + interval '30 days' <= moment;
  END CASE;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION advance_access_request FROM PUBLIC;
GRANT EXECUTE ON FUNCTION advance_access_request TO causeway_system, causeway_console;

-- The next uses delete expired rows. They skip rows that another use has locked, so that no use waits.
CREATE TABLE form_uses (
  form_id bytea PRIMARY KEY CHECK (octet_length(form_id) = 16),
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE form_uses IS
  'One form that was sent: its random id is good for one insert. It is deleted after the form has expired.';
CREATE INDEX form_uses_by_expiry ON form_uses (expires_at);
ALTER TABLE form_uses ENABLE ROW LEVEL SECURITY;
ALTER TABLE form_uses FORCE ROW LEVEL SECURITY;
CREATE POLICY forms_are_used ON form_uses FOR INSERT TO causeway_dashboard, causeway_console
  WITH CHECK (true);
CREATE POLICY uses_are_seen ON form_uses FOR SELECT TO causeway_dashboard, causeway_console
  USING (true);
CREATE POLICY expired_ones_go ON form_uses FOR DELETE TO causeway_dashboard, causeway_console
  USING (expires_at < clock_timestamp());
CREATE POLICY expired_ones_are_locked ON form_uses FOR UPDATE TO causeway_dashboard, causeway_console
  USING (expires_at < clock_timestamp()) WITH CHECK (false);
-- Locking takes the right to update; no update is let through.
GRANT SELECT, INSERT, UPDATE (expires_at), DELETE ON form_uses TO causeway_dashboard, causeway_console;

CREATE TABLE operator_notices (
  kind text NOT NULL
    CHECK (kind IN ('ADDRESS_PENDING', 'LIVE_REQUEST', 'PASSKEYS_LOST', 'PAYMENT_STUCK', 'DEPOSIT_HELD',
      'DEPOSIT_BLOCKED', 'DEPOSIT_NOT_PAID_ON', 'WALLET_REVIEW', 'CHAIN_STOP', 'CHAIN_NOT_READ')),
  subject_id text NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (kind, subject_id)
);
COMMENT ON TABLE operator_notices IS
  'One thing that operators were mailed about, so that the mail is not repeated: once for a request, at most once '
  'a day for a payment. It is deleted after 90 days, and what still holds is mailed again.';
CREATE INDEX operator_notices_by_time ON operator_notices (kind, told_at);
ALTER TABLE operator_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE operator_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY notices_are_the_engines ON operator_notices TO causeway_system
  USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (told_at), DELETE ON operator_notices TO causeway_system;

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION keep_an_owner OWNER TO causeway_console_definer;
ALTER FUNCTION keep_an_admin OWNER TO causeway_console_definer;
ALTER FUNCTION end_sessions_of_person OWNER TO causeway_console_definer;
ALTER FUNCTION open_session OWNER TO causeway_console_definer;
ALTER FUNCTION forget_what_a_person_had OWNER TO causeway_console_definer;
ALTER FUNCTION passkeys_are_of_a_version OWNER TO causeway_console_definer;
ALTER FUNCTION forget_devices_with_passkey OWNER TO causeway_console_definer;
ALTER FUNCTION lock_person OWNER TO causeway_console_definer;
ALTER FUNCTION remove_passkeys OWNER TO causeway_console_definer;
ALTER FUNCTION find_session OWNER TO causeway_console_definer;
ALTER FUNCTION find_login_people OWNER TO causeway_console_definer;
ALTER FUNCTION is_known_device OWNER TO causeway_console_definer;
ALTER FUNCTION open_login_challenge OWNER TO causeway_console_definer;
ALTER FUNCTION judge_login_code OWNER TO causeway_console_definer;
ALTER FUNCTION take_access_budget OWNER TO causeway_console_definer;
ALTER FUNCTION guard_user_status OWNER TO causeway_console_definer;
ALTER FUNCTION forget_mails_of_request OWNER TO causeway_console_definer;
ALTER FUNCTION advance_access_request OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
