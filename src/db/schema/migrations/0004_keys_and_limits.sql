-- What calls the API: keys, where they may be used from, what was asked, and how often it may be.

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
  last_used_ip inet,
  -- As the audit log names who acts: 'user:usr_...', 'operator:...'.
  created_by text CHECK (length(created_by) BETWEEN 1 AND 120),
  -- The key that takes its place. A key takes the place of one.
  replaced_by text UNIQUE,
  created_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT a_live_key_is_never_open CHECK (environment = 'test' OR NOT open_to_any_address),
  CONSTRAINT the_platform_has_no_keys CHECK (customer_id <> 'cus_platform'),
  CONSTRAINT replaced_by_another_one CHECK (replaced_by <> id),
  -- Looked at when the transaction ends: the old key names the new one before that is there.
  FOREIGN KEY (customer_id, environment, replaced_by)
    REFERENCES api_keys (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED
);
COMMENT ON TABLE api_keys IS
  'One key that a partner''s software calls the API with: the HMAC of its token, its scopes, and its lifetime. '
  'Only people make keys or change their rights, and rows are never deleted.';
CREATE INDEX api_keys_by_end ON api_keys (expires_at)
  WHERE revoked_at IS NULL AND replaced_by IS NULL AND expires_at IS NOT NULL;
CALL secure_scoped_table('api_keys');
-- Nothing that names a hash or a scope of a key that is there.
GRANT INSERT (id, customer_id, environment, public_id, name, token_hmac, last4, scopes, open_to_any_address,
  expires_at, created_at, created_by), UPDATE (expires_at, revoked_at, replaced_by) ON api_keys
  TO causeway_dashboard;
GRANT INSERT, UPDATE ON api_keys TO causeway_console;

-- A live key takes live access, and ends.
CREATE FUNCTION guard_new_api_key() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM customers c WHERE c.id = NEW.customer_id AND c.live_access) THEN
    RAISE EXCEPTION 'API key %: a live key takes live access', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'live_keys_take_live_access';
  END IF;
  -- In hours: a day of a time zone may have 23 or 25.
  IF NEW.expires_at IS NULL OR NEW.expires_at > NEW.created_at + interval '17520 hours' THEN
    RAISE EXCEPTION 'API key %: a live key ends after 730 days at the latest', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'live_keys_expire';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_new_api_key BEFORE INSERT ON api_keys FOR EACH ROW
  WHEN (NEW.environment = 'live') EXECUTE FUNCTION guard_new_api_key();

-- Ten keys that work, and ten more that are being replaced: of a key that is rotated again and again each one
-- works on until its overlap is over. The lock puts keys that are made at once in order.
CREATE FUNCTION keep_ten_api_keys() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moment constant timestamptz := least(NEW.created_at, clock_timestamp());
  working integer;
  replaced integer;
BEGIN
  PERFORM pg_advisory_xact_lock(
    hashtextextended('api-keys:' || NEW.customer_id || ':' || NEW.environment, 0));
  SELECT count(*) FILTER (WHERE k.replaced_by IS NULL), count(k.replaced_by) INTO working, replaced
  FROM api_keys k
  WHERE k.customer_id = NEW.customer_id AND k.environment = NEW.environment
    AND (k.revoked_at IS NULL OR k.revoked_at > moment) AND (k.expires_at IS NULL OR k.expires_at > moment);
  IF working > 10 THEN
    RAISE EXCEPTION 'API key %: ten keys work already', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ten_keys_at_most';
  END IF;
  IF replaced > 10 THEN
    RAISE EXCEPTION 'API key %: ten keys are being replaced already', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ten_replaced_keys_at_most';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_ten_api_keys AFTER INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION keep_ten_api_keys();

-- A key is only ever narrowed: revoked, ended earlier, replaced. Its last use is the API's to write.
CREATE FUNCTION guard_api_key() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  changing constant text[] := ARRAY['revoked_at', 'expires_at', 'replaced_by', 'last_used_at', 'last_used_ip'];
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - changing = to_jsonb(NEW) - changing
     AND (OLD.revoked_at IS NULL OR NEW.revoked_at <= OLD.revoked_at)
     AND (OLD.expires_at IS NULL OR NEW.expires_at <= OLD.expires_at)
     AND (OLD.replaced_by IS NULL OR NEW.replaced_by = OLD.replaced_by)
     -- Its successor is made for it: to name a key that is there would hand that key its addresses.
     AND (NEW.replaced_by IS NOT DISTINCT FROM OLD.replaced_by
       OR OLD.revoked_at IS NULL AND NOT EXISTS (SELECT FROM api_keys k WHERE k.id = NEW.replaced_by)) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'API key %: a key is only ever narrowed', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_api_key BEFORE UPDATE OF id, customer_id, environment, public_id, name, token_hmac,
    last4, scopes, open_to_any_address, expires_at, revoked_at, created_at, created_by, replaced_by
  ON api_keys FOR EACH ROW EXECUTE FUNCTION guard_api_key();
CREATE TRIGGER api_keys_are_kept BEFORE DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION guard_api_key();

-- A TypeID, where the writer does not give one.
CREATE FUNCTION new_allowlist_entry_id() RETURNS text LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  random constant text := replace(gen_random_uuid()::text, '-', '');
  moment constant bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  -- UUIDv7: 48 bits of milliseconds, its version, and the random rest of a UUIDv4, variant included.
  bits constant text := '00' || ('x' || lpad(to_hex(moment), 12, '0') || '7' || substr(random, 14))::bit(128)::text;
  id text := 'alw_';
BEGIN
  FOR place IN 0..25 LOOP
    id := id || substr('0123456789abcdefghjkmnpqrstvwxyz', substr(bits, place * 5 + 1, 5)::bit(5)::integer + 1, 1);
  END LOOP;
  RETURN id;
END $$;

CREATE TABLE api_key_addresses (
  seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL UNIQUE DEFAULT new_allowlist_entry_id()
    CHECK (id ~ '^alw_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL,
  environment text NOT NULL,
  api_key_id text NOT NULL,
  range cidr NOT NULL,
  label text NOT NULL DEFAULT '' CHECK (length(label) <= 60),
  requested_by text CHECK (length(requested_by) BETWEEN 1 AND 120),
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'REMOVED')),
  decided_by text,
  decided_at timestamptz,
  decision_reason text CHECK (length(decision_reason) BETWEEN 1 AND 500),
  -- The approval of two operators, or the entry of the key it replaces that was approved so.
  approval_id text REFERENCES approvals,
  copied_from text REFERENCES api_key_addresses (id),
  removed_by text CHECK (length(removed_by) BETWEEN 1 AND 120),
  removed_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (customer_id, environment, api_key_id)
    REFERENCES api_keys (customer_id, environment, id),
  -- Wider ranges are a mistake or an attack: v4 wider than /16, v6 wider than /32, and IPv4-mapped
  -- addresses, which must be written as IPv4.
  CONSTRAINT range_is_narrow CHECK (
    (family(range) = 4 AND masklen(range) >= 16)
    OR (family(range) = 6 AND masklen(range) >= 32 AND NOT range <<= '::ffff:0:0/96'::cidr
        AND NOT range >>= '::ffff:0:0/96'::cidr)),
  CONSTRAINT removed_by_somebody CHECK (num_nonnulls(removed_by, removed_at) = 0
    OR num_nonnulls(removed_by, removed_at) = 2 AND status = 'REMOVED')
);
COMMENT ON TABLE api_key_addresses IS
  'One address range that a key may be used from. In live it holds once two operators have approved it. Rows are '
  'never deleted.';
CREATE UNIQUE INDEX one_entry_a_range ON api_key_addresses (api_key_id, range)
  WHERE status IN ('PENDING', 'APPROVED');
CREATE INDEX addresses_to_decide ON api_key_addresses (seq) WHERE status = 'PENDING';
CALL secure_scoped_table('api_key_addresses');
-- The status is left out: what a customer proposes is PENDING.
GRANT INSERT (customer_id, environment, api_key_id, range, created_at, id, label, requested_by, copied_from),
  UPDATE (version, removed_by, removed_at) ON api_key_addresses TO causeway_dashboard;
GRANT INSERT, UPDATE ON api_key_addresses TO causeway_console;

-- I15: an address begins undecided, but for test and for copies of an approved one. For the table's owner as
-- well, whom no grant binds.
CREATE FUNCTION guard_new_key_address() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  source record;
BEGIN
  IF NEW.version <> 1 OR NEW.approval_id IS NOT NULL OR NEW.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'address %: it begins undecided', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.copied_from IS NOT NULL THEN
    -- A key that takes another one's place, and may do the same, has its addresses.
    SELECT a.decided_by, a.decided_at INTO source
    FROM api_key_addresses a
    JOIN api_keys was ON was.id = a.api_key_id
    JOIN api_keys becomes ON becomes.id = was.replaced_by
    WHERE a.id = NEW.copied_from AND a.status = 'APPROVED' AND a.range = NEW.range
      AND becomes.id = NEW.api_key_id AND becomes.scopes = was.scopes
    FOR SHARE OF a;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'address %: it is no copy of an approved one', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    NEW.status := 'APPROVED';
    NEW.decided_by := source.decided_by;
    NEW.decided_at := source.decided_at;
  ELSIF NEW.environment = 'test' THEN
    -- No money moves there: who may write it decides.
    NEW.status := 'APPROVED';
    NEW.decided_by := coalesce(NEW.requested_by, NEW.decided_by);
    NEW.decided_at := NEW.created_at;
  ELSIF NEW.status <> 'PENDING' OR NEW.decided_by IS NOT NULL THEN
    RAISE EXCEPTION 'address %: in live it takes two operators', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_new_key_address BEFORE INSERT ON api_key_addresses
  FOR EACH ROW EXECUTE FUNCTION guard_new_key_address();

-- An address is decided once, in live by two operators, and removed once.
CREATE FUNCTION guard_key_address() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  changing constant text[] := ARRAY['status', 'version', 'decided_by', 'decided_at', 'decision_reason',
    'approval_id', 'removed_by', 'removed_at'];
  deciding constant text[] := ARRAY['status', 'version', 'decided_by', 'decided_at', 'decision_reason',
    'approval_id'];
  removing constant text[] := ARRAY['status', 'version', 'removed_by', 'removed_at'];
  approved approvals;
BEGIN
  IF TG_OP = 'DELETE' OR NEW.version <> OLD.version + 1
     OR to_jsonb(OLD) - changing <> to_jsonb(NEW) - changing THEN
    RAISE EXCEPTION 'address %: it is only decided or removed', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  -- Removal takes one person. Who removes names no status: that is made here.
  IF NEW.removed_at IS NOT NULL AND OLD.status IN ('PENDING', 'APPROVED')
     AND to_jsonb(OLD) - removing = to_jsonb(NEW) - removing THEN
    NEW.status := 'REMOVED';
    RETURN NEW;
  END IF;
  IF OLD.status = 'PENDING' AND to_jsonb(OLD) - deciding = to_jsonb(NEW) - deciding
     AND num_nulls(NEW.decided_by, NEW.decided_at) = 0 THEN
    IF NEW.status = 'REJECTED' AND NEW.approval_id IS NULL THEN
      RETURN NEW;
    END IF;
    approved := approval_in_use('ADDRESS', OLD.id, OLD.version);
    IF NEW.status = 'APPROVED' AND approved.id IS NOT NULL
       AND approved.customer_id = OLD.customer_id AND approved.environment = OLD.environment
       AND approved.content = jsonb_build_object('apiKeyId', OLD.api_key_id, 'range', OLD.range::text)
       AND approved.proposed_by <> approved.decided_by
       -- Two accounts of those who decide about addresses; a name that was typed is none.
       AND (SELECT count(*) FROM operators o WHERE o.id IN (approved.proposed_by, approved.decided_by)
              AND o.status = 'ACTIVE' AND o.role = 'COMPLIANCE') = 2 THEN
      NEW.approval_id := approved.id;
      NEW.decided_by := 'operator:' || approved.decided_by;
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'address %: an address of a live key takes two operators', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_key_address BEFORE UPDATE OR DELETE ON api_key_addresses
  FOR EACH ROW EXECUTE FUNCTION guard_key_address();

-- Authentication comes before the scope is known, so it reads through this function. Several keys in one
-- look-up: requests that arrive together share it.
CREATE FUNCTION find_api_keys(wanted text[])
RETURNS TABLE (
  public_id text, id text, customer_id text, environment text, token_hmac bytea, scopes text[],
  open_to_any_address boolean, expires_at timestamptz, revoked_at timestamptz,
  customer_status text, live_access boolean, approved_ranges text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT k.public_id, k.id, k.customer_id, k.environment, k.token_hmac, k.scopes,
         k.open_to_any_address, k.expires_at, k.revoked_at, c.status, c.live_access,
         ARRAY(SELECT a.range::text FROM api_key_addresses a
               WHERE a.api_key_id = k.id AND a.status = 'APPROVED')
  FROM api_keys k JOIN customers c ON c.id = k.customer_id
  WHERE k.public_id = ANY (wanted)
$$;
REVOKE ALL ON FUNCTION find_api_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_keys TO causeway_app, causeway_system;

-- Marks of use arrive in batches: {"key id": {"at": "time of last use", "address": "from where, or null"}}. The
-- last use of a key is the one thing about it that the API writes.
CREATE FUNCTION note_api_key_uses(marks jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE api_keys k SET last_used_at = (m.value ->> 'at')::timestamptz,
    last_used_ip = (m.value ->> 'address')::inet
  FROM jsonb_each(marks) m
  WHERE k.id = m.key
    AND (k.last_used_at IS NULL OR k.last_used_at <= (m.value ->> 'at')::timestamptz)
$$;
REVOKE ALL ON FUNCTION note_api_key_uses FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_api_key_uses TO causeway_app, causeway_console;

-- Never the URL, a query, a body or a header. The address is the caller's, a server of the customer's.
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
COMMENT ON TABLE api_requests IS
  'One request that was made with a key. The last 2,000 of each key are kept, for at most 90 days.';
CREATE INDEX api_requests_of_scope ON api_requests (customer_id, environment, seq DESC);
CREATE INDEX api_requests_refused_by_address ON api_requests (api_key_id, seq DESC)
  WHERE error_code = 'ip_not_allowed';
-- The requests that were about one payment, newest first.
CREATE INDEX api_requests_of_payment
  ON api_requests (customer_id, environment, payment_id, seq DESC) WHERE payment_id IS NOT NULL;
CALL secure_scoped_table('api_requests');
GRANT INSERT, DELETE ON api_requests TO causeway_console;

-- Requests arrive in batches, of many keys. Whose they are is what their key says. One that was written
-- before is left out: a batch whose answer got lost is sent again. The lock puts batches of several
-- processes in order, so that no two count the same.
CREATE FUNCTION write_api_requests(entries jsonb, moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
REVOKE ALL ON FUNCTION write_api_requests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_api_requests TO causeway_app, causeway_console;

CREATE TABLE api_key_notices (
  customer_id text NOT NULL,
  environment text NOT NULL,
  api_key_id text NOT NULL,
  days smallint NOT NULL CHECK (days IN (30, 7, 1)),
  noticed_at timestamptz NOT NULL,
  PRIMARY KEY (api_key_id, days),
  FOREIGN KEY (customer_id, environment, api_key_id)
    REFERENCES api_keys (customer_id, environment, id)
);
COMMENT ON TABLE api_key_notices IS
  'One mail that a key is about to expire; each is sent once. Rows never change and are never deleted.';
CALL secure_scoped_table('api_key_notices');
GRANT INSERT ON api_key_notices TO causeway_system;
CREATE TRIGGER api_key_notices_is_append_only BEFORE UPDATE OR DELETE ON api_key_notices
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- See src/db/customers/rate-bucket-store.ts. A full bucket has no row, or any row from the past. Unlogged: a lease
-- needs no flush of the log, and after a crash or a failover every bucket is full, which is safe for a limit.
CREATE UNLOGGED TABLE rate_buckets (
  name text PRIMARY KEY,
  -- When the bucket is full again if nothing more is taken: all of its state. A token is 1 / rate of it.
  full_at timestamptz NOT NULL
) WITH (fillfactor = 50);
COMMENT ON TABLE rate_buckets IS
  'The token bucket of one rate limit, shared by all API processes. It is deleted once it has been full for a '
  'minute.';
ALTER TABLE rate_buckets ENABLE ROW LEVEL SECURITY;
ALTER TABLE rate_buckets FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON rate_buckets TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_buckets TO causeway_system;

-- Settles with buckets and takes tokens from them: `settled` are tokens used without having been taken,
-- or, negative, tokens given back. At most `wanted` whole tokens are granted, and none that is not there.
-- By the clock of PostgreSQL, read once a bucket's row is locked. Rows are locked in order of their
-- names, so that two processes never wait for each other.
CREATE FUNCTION lease_rate_tokens(
  names text[], rates double precision[], bursts double precision[],
  settled double precision[], wanted double precision[])
RETURNS TABLE (turn bigint, granted double precision, remaining double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  ask record;
  held timestamptz;
  moment timestamptz;
  ahead_s double precision;
BEGIN
  FOR ask IN
    SELECT * FROM unnest(names, rates, bursts, settled, wanted) WITH ORDINALITY
      AS a (name, rate, burst, settled, wanted, turn)
    ORDER BY a.name, a.turn
  LOOP
    INSERT INTO rate_buckets AS b (name, full_at) VALUES (ask.name, '-infinity')
      ON CONFLICT (name) DO NOTHING;
    SELECT b.full_at INTO held FROM rate_buckets b WHERE b.name = ask.name FOR UPDATE;
    moment := clock_timestamp();
    -- How long refilling takes now, in seconds; never less than nothing, so that a bucket holds its burst at most.
    ahead_s := CASE WHEN held > moment THEN extract(epoch FROM held - moment) ELSE 0 END;
    ahead_s := greatest(0, ahead_s + ask.settled / ask.rate);
    turn := ask.turn;
    granted := greatest(0, least(ask.wanted, floor(ask.burst - ahead_s * ask.rate)));
    ahead_s := ahead_s + granted / ask.rate;
    remaining := ask.burst - ahead_s * ask.rate;
    UPDATE rate_buckets b SET full_at = moment + make_interval(secs => ahead_s)
      WHERE b.name = ask.name;
    RETURN NEXT;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION lease_rate_tokens FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lease_rate_tokens TO causeway_app, causeway_system;

-- A request is known by a hash under the pepper: a body holds names, and a plain hash could be tested against guesses.
CREATE TABLE idempotency_keys (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  key text NOT NULL,
  request_mac bytea NOT NULL,
  status_code integer NOT NULL,
  response bytea NOT NULL,
  -- Whose answer it is, and of what.
  end_user_id text,
  resource_id text,
  created_at timestamptz NOT NULL,
  -- Payments bind their key for ever; every other request for 30 days, then it is pruned.
  expires_at timestamptz,
  PRIMARY KEY (customer_id, environment, key)
);
COMMENT ON TABLE idempotency_keys IS
  'One answered request of a partner, so that its repeat gets the same answer. Rows of payments stay; all others '
  'are deleted after 30 days.';
CREATE INDEX idempotency_keys_expiring ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
CALL secure_scoped_table('idempotency_keys');
GRANT INSERT, UPDATE, DELETE ON idempotency_keys TO causeway_app;
GRANT DELETE ON idempotency_keys TO causeway_system;

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_console_definer, causeway_system_definer;
ALTER FUNCTION note_api_key_uses OWNER TO causeway_console_definer;
ALTER FUNCTION write_api_requests OWNER TO causeway_console_definer;
ALTER FUNCTION find_api_keys OWNER TO causeway_system_definer;
ALTER FUNCTION lease_rate_tokens OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_console_definer, causeway_system_definer;
