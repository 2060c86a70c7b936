-- Keys that customers make, rotate and revoke themselves, and the addresses that they may be used from: in live
-- an address holds once two operators have approved just it.
ALTER TABLE api_keys
  -- As the audit log names who acts: 'user:usr_...', 'operator:...'. Null: made by the version before.
  ADD COLUMN created_by text CHECK (length(created_by) BETWEEN 1 AND 120),
  -- The key that takes its place. A key takes the place of one.
  ADD COLUMN replaced_by text UNIQUE,
  ADD CONSTRAINT replaced_by_another_one CHECK (replaced_by <> id),
  -- Looked at when the transaction ends: the old key names the new one before that is there.
  ADD FOREIGN KEY (customer_id, environment, replaced_by)
    REFERENCES api_keys (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX api_keys_by_end ON api_keys (expires_at)
  WHERE revoked_at IS NULL AND replaced_by IS NULL AND expires_at IS NOT NULL;

CREATE FUNCTION guard_new_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Ten keys that work, beside those being replaced. The lock puts keys that are made at once in order.
CREATE FUNCTION keep_ten_api_keys() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment constant timestamptz := least(NEW.created_at, clock_timestamp());
BEGIN
  PERFORM pg_advisory_xact_lock(
    hashtextextended('api-keys:' || NEW.customer_id || ':' || NEW.environment, 0));
  IF (SELECT count(*) FROM api_keys k
      WHERE k.customer_id = NEW.customer_id AND k.environment = NEW.environment
        AND k.replaced_by IS NULL AND (k.revoked_at IS NULL OR k.revoked_at > moment)
        AND (k.expires_at IS NULL OR k.expires_at > moment)) > 10 THEN
    RAISE EXCEPTION 'API key %: ten keys work already', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ten_keys_at_most';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_ten_api_keys AFTER INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION keep_ten_api_keys();

-- A key is only ever narrowed: revoked, ended earlier, replaced. Its last use is the API's to write.
CREATE FUNCTION guard_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- A TypeID: what was there gets one, and so does what the version before writes meanwhile.
CREATE FUNCTION new_allowlist_entry_id() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
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

ALTER TABLE api_key_addresses RENAME COLUMN id TO seq;
ALTER TABLE api_key_addresses
  ADD COLUMN id text NOT NULL UNIQUE DEFAULT new_allowlist_entry_id()
    CHECK (id ~ '^alw_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  ADD COLUMN label text NOT NULL DEFAULT '' CHECK (length(label) <= 60),
  ADD COLUMN requested_by text CHECK (length(requested_by) BETWEEN 1 AND 120),
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN decision_reason text CHECK (length(decision_reason) BETWEEN 1 AND 500),
  -- The approval of two operators, or the entry of the key it replaces that was approved so.
  ADD COLUMN approval_id text REFERENCES approvals,
  ADD COLUMN copied_from text REFERENCES api_key_addresses (id),
  ADD COLUMN removed_by text CHECK (length(removed_by) BETWEEN 1 AND 120),
  ADD COLUMN removed_at timestamptz,
  -- Before two operators were asked.
  ADD COLUMN approved_by_one boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT api_key_addresses_status_check,
  ADD CONSTRAINT api_key_addresses_status_check
    CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'REMOVED')),
  ADD CONSTRAINT removed_by_somebody CHECK (num_nonnulls(removed_by, removed_at) = 0
    OR num_nonnulls(removed_by, removed_at) = 2 AND status = 'REMOVED'),
  -- What was rejected or removed may be proposed again.
  DROP CONSTRAINT api_key_addresses_api_key_id_range_key;
CREATE UNIQUE INDEX one_entry_a_range ON api_key_addresses (api_key_id, range)
  WHERE status IN ('PENDING', 'APPROVED');
CREATE INDEX addresses_to_decide ON api_key_addresses (seq) WHERE status = 'PENDING';
ALTER TABLE api_key_addresses NO FORCE ROW LEVEL SECURITY;
UPDATE api_key_addresses SET approved_by_one = true WHERE status = 'APPROVED' AND environment = 'live';
ALTER TABLE api_key_addresses FORCE ROW LEVEL SECURITY;

-- I15. For the table's owner as well, whom no grant binds.
CREATE FUNCTION guard_new_key_address() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  source record;
BEGIN
  IF NEW.version <> 1 OR NEW.approved_by_one OR NEW.approval_id IS NOT NULL OR NEW.removed_at IS NOT NULL THEN
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

CREATE FUNCTION guard_key_address() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- Still nothing that names a status, a scope or a hash.
GRANT INSERT (created_by), UPDATE (revoked_at, expires_at, replaced_by) ON api_keys TO causeway_dashboard;
GRANT INSERT (id, label, requested_by, copied_from), UPDATE (version, removed_by, removed_at)
  ON api_key_addresses TO causeway_dashboard;
-- What two operators approve about an address takes effect as the console, which decides.
GRANT INSERT (approval_id, customer_id, environment, used_at) ON approval_uses TO causeway_console;

-- Mails that a key is about to expire: each is sent once.
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
CALL secure_scoped_table('api_key_notices');
GRANT INSERT ON api_key_notices TO causeway_system;
CREATE TRIGGER api_key_notices_is_append_only BEFORE UPDATE OR DELETE ON api_key_notices
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
