-- Whether a customer may move real money, or once might: what moved then stays theirs to see when live access is
-- withdrawn.
ALTER TABLE customers ADD COLUMN had_live_access boolean NOT NULL DEFAULT false;
ALTER TABLE customers NO FORCE ROW LEVEL SECURITY;
UPDATE customers SET had_live_access = true WHERE live_access;
ALTER TABLE customers FORCE ROW LEVEL SECURITY;

CREATE FUNCTION remember_live_access() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.had_live_access := NEW.live_access OR (TG_OP = 'UPDATE' AND OLD.had_live_access);
  RETURN NEW;
END $$;
CREATE TRIGGER remember_live_access BEFORE INSERT OR UPDATE ON customers
  FOR EACH ROW EXECUTE FUNCTION remember_live_access();
ALTER TABLE customers ENABLE ALWAYS TRIGGER remember_live_access;

-- As before, and whether the customer once had live access.
DROP FUNCTION find_session(text, bytea, timestamptz, boolean);
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
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION find_session(text, bytea, timestamptz, boolean) OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
REVOKE ALL ON FUNCTION find_session FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session TO causeway_dashboard, causeway_console;
