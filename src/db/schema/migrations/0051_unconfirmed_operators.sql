-- Before an admin has confirmed an account, it counts for nothing: it neither proposes nor approves, and a proposal of
-- its that waits cannot take effect.
CREATE OR REPLACE FUNCTION require_operator_for(wanted text, operator text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM operators o JOIN approval_actions a ON o.role = ANY (a.roles)
  WHERE o.id = operator AND o.status = 'ACTIVE' AND o.confirmed_at IS NOT NULL AND a.action = wanted
  FOR SHARE OF o;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'approval of %: % is no active operator with that right, or is not confirmed', wanted, operator
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_are_operators';
  END IF;
END $$;

-- A session says as well whether its operator is confirmed. NULL for a customer's user.
DROP FUNCTION find_session;
CREATE FUNCTION find_session(of_surface text, token bytea, moment timestamptz, is_use boolean)
RETURNS TABLE (session_id text, user_id text, operator_id text, name bytea, role text, time_zone text,
  theme text, customer_id text, customer_name text, customer_status text, live_access boolean,
  requires_passkeys boolean, has_passkey boolean, had_live_access boolean, is_confirmed boolean)
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
    c.had_live_access,
    CASE WHEN o.id IS NOT NULL THEN o.confirmed_at IS NOT NULL END
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
-- A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer;
ALTER FUNCTION find_session OWNER TO causeway_console_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer;
