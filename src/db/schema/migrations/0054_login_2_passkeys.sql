-- Public keys of people's authenticators (WebAuthn level 2, section 4: a credential record). A row is added by
-- its person, and removed by its person in a session of theirs, or by two operators.
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
CREATE INDEX passkeys_of_user ON passkeys (user_id) WHERE removed_at IS NULL;
CREATE INDEX passkeys_of_operator ON passkeys (operator_id) WHERE removed_at IS NULL;
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY own_passkeys_are_seen ON passkeys FOR SELECT TO causeway_dashboard
  USING (customer_id = scope_customer());
CREATE POLICY every_passkey ON passkeys TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON passkeys TO causeway_dashboard;
GRANT SELECT, INSERT, UPDATE (counter, last_used_at, removed_at, removed_in) ON passkeys
  TO causeway_console;

-- The version of a person, locked until the commit; null where there is none.
CREATE FUNCTION lock_person(person text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  now_at integer;
BEGIN
  SELECT version INTO now_at FROM users WHERE id = person FOR UPDATE;
  IF NOT FOUND THEN
    SELECT version INTO now_at FROM operators WHERE id = person FOR UPDATE;
  END IF;
  RETURN now_at;
END $$;

CREATE FUNCTION guard_passkey() RETURNS trigger LANGUAGE plpgsql AS $$
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
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

-- Removes all passkeys of a person who has lost them, and ends their sessions. Refused by the guard unless the
-- transaction uses an approval of it. Answers how many there were.
CREATE FUNCTION remove_passkeys(person text, moment timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

-- As before, and whether the person is to have a passkey, and has one.
DROP FUNCTION find_session(text, bytea, timestamptz, boolean);
CREATE FUNCTION find_session(of_surface text, token bytea, moment timestamptz, is_use boolean)
RETURNS TABLE (session_id text, user_id text, operator_id text, name bytea, role text, time_zone text,
  theme text, customer_id text, customer_name text, customer_status text, live_access boolean,
  requires_passkeys boolean, has_passkey boolean)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE sessions s SET last_used_at = moment
  WHERE is_use AND s.token_hash = token AND s.surface = of_surface AND s.ended_at IS NULL
    AND s.expires_at > moment AND s.last_used_at + s.idle > moment
    AND s.last_used_at < moment - interval '30 seconds';
  SELECT s.id, s.user_id, s.operator_id, coalesce(u.name, o.name), coalesce(u.role, o.role),
    coalesce(u.time_zone, o.time_zone), coalesce(u.theme, o.theme), c.id, c.name, c.status, c.live_access,
    coalesce(c.requires_passkeys, false),
    EXISTS (SELECT FROM passkeys p WHERE p.removed_at IS NULL
      AND (p.user_id = s.user_id OR p.operator_id = s.operator_id))
  FROM sessions s
  LEFT JOIN users u ON u.id = s.user_id
  LEFT JOIN customers c ON c.id = u.customer_id
  LEFT JOIN operators o ON o.id = s.operator_id
  WHERE s.token_hash = token AND s.surface = of_surface AND s.ended_at IS NULL
    AND s.expires_at > moment AND s.last_used_at + s.idle > moment
    AND coalesce(u.status, o.status) = 'ACTIVE';
$$;

-- Logging in comes before the scope is known. Who has an address on a surface and may log in: INVITED, their
-- address is not verified; DISABLED, they may not.
CREATE FUNCTION find_login_people(of_surface text, wanted bytea)
RETURNS TABLE (person_id text, role text, customer_id text, customer_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.id, u.role, c.id, c.name FROM users u JOIN customers c ON c.id = u.customer_id
  WHERE of_surface = 'dashboard' AND u.address_hash = wanted AND u.status = 'ACTIVE'
  UNION ALL
  SELECT o.id, o.role, NULL, NULL FROM operators o
  WHERE of_surface = 'console' AND o.address_hash = wanted AND o.status = 'ACTIVE'
  ORDER BY 4, 1 LIMIT 50
$$;

-- Has one of these people logged in with that browser in the last 90 days?
CREATE FUNCTION is_known_device(of_surface text, wanted bytea, device bytea, moment timestamptz)
RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM find_login_people(of_surface, wanted) p
    JOIN devices d ON d.person_id = p.person_id
    WHERE d.device_hash = device AND d.expires_at > moment)
$$;

GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION lock_person(text) OWNER TO causeway_console;
ALTER FUNCTION passkeys_are_of_a_version() OWNER TO causeway_console;
ALTER FUNCTION remove_passkeys(text, timestamptz) OWNER TO causeway_console;
ALTER FUNCTION find_session(text, bytea, timestamptz, boolean) OWNER TO causeway_console;
ALTER FUNCTION find_login_people(text, bytea) OWNER TO causeway_console;
ALTER FUNCTION is_known_device(text, bytea, bytea, timestamptz) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION lock_person, remove_passkeys, find_session, find_login_people, is_known_device
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_person, remove_passkeys, find_session, find_login_people, is_known_device
  TO causeway_dashboard, causeway_console;
