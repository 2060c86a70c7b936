-- What was asked with each key: its last 2,000 requests, for 90 days at most. Never the URL, a query, a
-- body or a header; the address is the caller's, a server of the customer's.
CREATE TABLE api_requests (
  seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  api_key_id text NOT NULL,
  -- Counts the requests of its key: the ring ends 2,000 behind the highest.
  nr bigint NOT NULL,
  request_id text NOT NULL UNIQUE CHECK (request_id ~ '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  at timestamptz NOT NULL,
  method text NOT NULL CHECK (method ~ '^[A-Z]{1,10}$'),
  -- The pattern of the route, as /api/v1/payments/:paymentId.
  route text NOT NULL CHECK (length(route) BETWEEN 1 AND 200 AND route !~ '[?#]'),
  status smallint NOT NULL CHECK (status BETWEEN 100 AND 599),
  -- The code of the answer's `error`; null where it has none.
  error_code text CHECK (error_code ~ '^[a-z0-9_]{1,60}$'),
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  -- Null where it could not be told.
  address inet,
  -- The payment that it made or was about, where it was answered.
  payment_id text CHECK (payment_id ~ '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  UNIQUE (api_key_id, nr),
  FOREIGN KEY (customer_id, environment, api_key_id)
    REFERENCES api_keys (customer_id, environment, id)
);
CREATE INDEX api_requests_of_scope ON api_requests (customer_id, environment, seq DESC);
CREATE INDEX api_requests_refused_by_address ON api_requests (api_key_id, seq DESC)
  WHERE error_code = 'ip_not_allowed';
CALL secure_scoped_table('api_requests');
GRANT INSERT, DELETE ON api_requests TO causeway_console;

-- Requests arrive in batches, of many keys. Whose they are is what their key says. One that was written
-- before is left out: a batch whose answer got lost is sent again. The lock puts batches of several
-- processes in order, so that no two count the same.
CREATE FUNCTION write_api_requests(entries jsonb, moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('api-requests', 0));
  WITH entry AS (
    SELECT e.*, row_number() OVER () AS place
    FROM jsonb_to_recordset(entries) AS e (key_id text, request_id text, at timestamptz, method text,
      route text, status smallint, error_code text, duration_ms integer, address inet, payment_id text)
  ), last AS (
    SELECT k.id, k.customer_id, k.environment,
      coalesce((SELECT max(r.nr) FROM api_requests r WHERE r.api_key_id = k.id), 0) AS nr
    FROM api_keys k WHERE k.id IN (SELECT key_id FROM entry)
  )
  INSERT INTO api_requests (customer_id, environment, api_key_id, nr, request_id, at, method, route,
    status, error_code, duration_ms, address, payment_id)
  SELECT l.customer_id, l.environment, l.id,
    l.nr + row_number() OVER (PARTITION BY l.id ORDER BY e.place), e.request_id, e.at, e.method,
    e.route, e.status, e.error_code, e.duration_ms, e.address, e.payment_id
  FROM entry e JOIN last l ON l.id = e.key_id ORDER BY e.place
  ON CONFLICT (request_id) DO NOTHING;
  DELETE FROM api_requests r
  USING (SELECT DISTINCT e ->> 'key_id' AS id FROM jsonb_array_elements(entries) e) k
  WHERE r.api_key_id = k.id
    AND r.nr <= (SELECT max(n.nr) FROM api_requests n WHERE n.api_key_id = k.id) - 2000;
  -- Of keys that are not used any more, a few at a time: the oldest rows are the first.
  DELETE FROM api_requests r WHERE r.at < moment - interval '90 days'
    AND r.seq IN (SELECT o.seq FROM api_requests o ORDER BY o.seq LIMIT 500);
$$;

ALTER TABLE api_keys ADD COLUMN last_used_ip inet;

-- Marks of use arrive in batches: {"key id": {"at": "time of last use", "address": "from where, or null"}}.
-- touch_api_keys stays for processes of the version before.
CREATE FUNCTION note_api_key_uses(marks jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE api_keys k SET last_used_at = (m.value ->> 'at')::timestamptz,
    last_used_ip = (m.value ->> 'address')::inet
  FROM jsonb_each(marks) m
  WHERE k.id = m.key
    AND (k.last_used_at IS NULL OR k.last_used_at <= (m.value ->> 'at')::timestamptz)
$$;

GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION write_api_requests(jsonb, timestamptz) OWNER TO causeway_console;
ALTER FUNCTION note_api_key_uses(jsonb) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION write_api_requests, note_api_key_uses FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_api_requests, note_api_key_uses TO causeway_app;

-- What a customer is shown of the audit log: the acts of its users, and those of operators about it but
-- for screening and for decisions that are not made yet. Operators' words stay inside: `details` is not granted.
CREATE POLICY own_acts_are_seen ON audit_log FOR SELECT TO causeway_dashboard
  USING (customer_id = scope_customer() AND (actor LIKE 'user:%'
    OR (actor LIKE 'operator:%' AND action NOT LIKE 'screening.%' AND action NOT LIKE 'approval.%')));
GRANT SELECT (id, at, actor, action, customer_id, environment, subject) ON audit_log
  TO causeway_dashboard;
