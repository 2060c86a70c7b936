CREATE TABLE customers (
  id text PRIMARY KEY,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED')),
  live_access boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
ALTER TABLE customers FORCE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON customers FOR SELECT TO causeway_app USING (id = scope_customer());
-- FOR SHARE needs a right to update; nothing that it would write passes the check.
CREATE POLICY locks_only ON customers FOR UPDATE TO causeway_app
  USING (id = scope_customer()) WITH CHECK (false);
CREATE POLICY system_sees_all ON customers TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT ON customers TO causeway_app, causeway_system;
GRANT UPDATE (status) ON customers TO causeway_app;
GRANT INSERT, UPDATE ON customers TO causeway_system;

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  public_id text NOT NULL UNIQUE CHECK (public_id ~ '^[0-9A-Za-z]{12}$'),
  name text NOT NULL,
  token_hmac bytea NOT NULL CHECK (octet_length(token_hmac) = 32),
  last4 text NOT NULL,
  scopes text[] NOT NULL,
  open_to_any_address boolean NOT NULL DEFAULT false,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT a_live_key_is_never_open CHECK (environment = 'test' OR NOT open_to_any_address)
);
CALL secure_scoped_table('api_keys');
GRANT INSERT, UPDATE ON api_keys TO causeway_system;

CREATE TABLE api_key_addresses (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  api_key_id text NOT NULL,
  range cidr NOT NULL,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED')),
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz NOT NULL,
  UNIQUE (api_key_id, range),
  FOREIGN KEY (customer_id, environment, api_key_id)
    REFERENCES api_keys (customer_id, environment, id),
  -- Wider ranges are a mistake or an attack: v4 wider than /16, v6 wider than /32, and IPv4-mapped
  -- addresses, which must be written as IPv4.
  CONSTRAINT range_is_narrow CHECK (
    (family(range) = 4 AND masklen(range) >= 16)
    OR (family(range) = 6 AND masklen(range) >= 32 AND NOT range <<= '::ffff:0:0/96'::cidr
        AND NOT range >>= '::ffff:0:0/96'::cidr))
);
CALL secure_scoped_table('api_key_addresses');
GRANT INSERT, UPDATE ON api_key_addresses TO causeway_system;

-- Authentication comes before the scope is known, so it reads through this one function.
CREATE FUNCTION find_api_key(wanted text)
RETURNS TABLE (
  id text, customer_id text, environment text, token_hmac bytea, scopes text[],
  open_to_any_address boolean, expires_at timestamptz, revoked_at timestamptz,
  customer_status text, live_access boolean, approved_ranges text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.id, k.customer_id, k.environment, k.token_hmac, k.scopes,
         k.open_to_any_address, k.expires_at, k.revoked_at, c.status, c.live_access,
         ARRAY(SELECT a.range::text FROM api_key_addresses a
               WHERE a.api_key_id = k.id AND a.status = 'APPROVED')
  FROM api_keys k JOIN customers c ON c.id = k.customer_id
  WHERE k.public_id = wanted
$$;

-- Usage marks arrive in batches: {"key id": "time of last use"}.
CREATE FUNCTION touch_api_keys(marks jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, m.value::timestamptz)
  FROM jsonb_each_text(marks) m WHERE k.id = m.key
$$;
