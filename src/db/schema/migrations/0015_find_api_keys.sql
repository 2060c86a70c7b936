-- Several keys in one look-up: requests that arrive together share it. find_api_key stays for processes
-- of the version before.
CREATE FUNCTION find_api_keys(wanted text[])
RETURNS TABLE (
  public_id text, id text, customer_id text, environment text, token_hmac bytea, scopes text[],
  open_to_any_address boolean, expires_at timestamptz, revoked_at timestamptz,
  customer_status text, live_access boolean, approved_ranges text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.public_id, k.id, k.customer_id, k.environment, k.token_hmac, k.scopes,
         k.open_to_any_address, k.expires_at, k.revoked_at, c.status, c.live_access,
         ARRAY(SELECT a.range::text FROM api_key_addresses a
               WHERE a.api_key_id = k.id AND a.status = 'APPROVED')
  FROM api_keys k JOIN customers c ON c.id = k.customer_id
  WHERE k.public_id = ANY (wanted)
$$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION find_api_keys(text[]) OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION find_api_keys(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_keys(text[]) TO causeway_app;
