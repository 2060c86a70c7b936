-- `ops secrets reseal` moves keyed hashes to a later pepper: it hashes them again, as causeway_resealer. The database has
-- no pepper, so it cannot know that a new hash is made of the old one. It takes a hash under a later pepper than before,
-- and none in its place under the same one.
CREATE FUNCTION guard_raised() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  of_column text;
  is_lawful boolean;
BEGIN
  FOREACH of_column IN ARRAY TG_ARGV LOOP
    -- A column holds one hash, or an array of them. An array of either is an array of hashes.
    EXECUTE format('SELECT array_dims(old) IS NOT DISTINCT FROM array_dims(new)
        AND (SELECT coalesce(bool_and(is_now IS NOT DISTINCT FROM was
            OR coalesce(octet_length(was) IN (32, 33) AND octet_length(is_now) = 33
              AND get_byte(is_now, 0) > CASE octet_length(was) WHEN 33 THEN get_byte(was, 0) ELSE 0 END, false)), true)
          FROM unnest(old, new) AS hash (was, is_now))
      FROM (SELECT ARRAY[($1).%1$I] AS old, ARRAY[($2).%1$I] AS new) AS given', of_column)
      INTO is_lawful USING OLD, NEW;
    IF NOT is_lawful THEN
      RAISE EXCEPTION '%.%: a hash moves to a later pepper', TG_TABLE_NAME, of_column
        USING ERRCODE = 'check_violation';
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

-- All tables are locked before one is changed, and within one lock_timeout together: a writer of the first one would
-- otherwise wait while each of the others is waited for. migrate tries again.
DO $$
DECLARE
  wait_ms integer := (SELECT setting FROM pg_settings WHERE name = 'lock_timeout');
  wait_until timestamptz := clock_timestamp() + make_interval(secs => wait_ms / 1000.0);
  step text;
  one record;
  checked record;
BEGIN
  FOREACH step IN ARRAY ARRAY['LOCK', 'CHANGE'] LOOP FOR one IN
    SELECT * FROM (VALUES
      ('access_counters', ARRAY['key'], NULL, NULL),
      ('access_requests', ARRAY['address_hash'], 'id', ARRAY['address_hash']),
      ('address_changes', ARRAY['address_hash', 'token_hash', 'cancel_hash'],
        'person_id', ARRAY['address_hash', 'token_hash', 'cancel_hash']),
      ('api_keys', ARRAY['token_hmac'], 'id', ARRAY['token_hmac']),
      ('audit_seals', ARRAY['mac'], NULL, NULL),
      ('devices', ARRAY['device_hash'], 'device_hash, person_id', ARRAY['device_hash']),
      ('idempotency_keys', '{}', 'customer_id, environment, key', ARRAY['request_mac']),
      ('invitations', ARRAY['token_hash'], 'id', ARRAY['token_hash']),
      ('kyc_checks', '{}', 'id', ARRAY['link_token_hmac']),
      ('kyc_documents', '{}', 'id', ARRAY['fingerprint']),
      ('kyc_uploads', '{}', 'id', ARRAY['fingerprint']),
      ('login_challenges', ARRAY['address_hash', 'browser_hash', 'code_hash'], NULL, NULL),
      ('mails', ARRAY['address_hash'], 'id', ARRAY['address_hash']),
      ('operators', ARRAY['address_hash'], 'id', ARRAY['address_hash']),
      ('screening_cases', ARRAY['names_hash'], 'id', ARRAY['names_hash', 'entry_hashes']),
      ('sessions', ARRAY['token_hash'], NULL, NULL),
      ('users', ARRAY['address_hash'], 'id', ARRAY['address_hash'])
    ) AS listed (name, checked, key, moved)
  LOOP
    IF step = 'LOCK' THEN
      -- A wait of 0 would have no end.
      PERFORM set_config('lock_timeout',
        greatest(1, ceil(extract(epoch FROM wait_until - clock_timestamp()) * 1000))::integer::text, true);
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', one.name);
      PERFORM set_config('lock_timeout', wait_ms::text, true);
      CONTINUE;
    END IF;

    -- A keyed hash under a later pepper than the first one has the number of the pepper in front of its 32 bytes.
    FOR checked IN
      SELECT c.conname AS name, pg_get_constraintdef(c.oid) AS says
      FROM pg_constraint c
      WHERE c.conrelid = one.name::regclass AND c.contype = 'c'
        AND c.conname IN (SELECT format('%s_%s_check', one.name, of_column) FROM unnest(one.checked) AS of_column)
    LOOP
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', one.name, checked.name);
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', one.name, checked.name,
        replace(checked.says, '= 32', 'IN (32, 33)'));
    END LOOP;

    CONTINUE WHEN one.moved IS NULL;
    EXECUTE format('GRANT SELECT (%s, %s), UPDATE (%2$s) ON %I TO causeway_resealer',
      one.key, array_to_string(one.moved, ', '), one.name);
    EXECUTE format('CREATE POLICY resealer_moves_hashes ON %I FOR UPDATE TO causeway_resealer
      USING (true) WITH CHECK (true)', one.name);
    IF one.name IN ('api_keys', 'devices', 'invitations') THEN
      EXECUTE format('CREATE POLICY resealer_sees_all ON %I FOR SELECT TO causeway_resealer USING (true)', one.name);
    END IF;
    EXECUTE format('CREATE TRIGGER guard_raised BEFORE UPDATE OF %s ON %I FOR EACH ROW
      WHEN (current_user = ''causeway_resealer'') EXECUTE FUNCTION guard_raised(%s)',
      array_to_string(one.moved, ', '), one.name,
      (SELECT string_agg(quote_literal(c), ', ') FROM unnest(one.moved) AS columns (c)));
  END LOOP; END LOOP;
END $$;

-- These guards take another hash for another address or another token.
CREATE OR REPLACE TRIGGER forget_what_a_user_had AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.address_hash <> NEW.address_hash)
    AND current_user <> 'causeway_resealer')
  EXECUTE FUNCTION forget_what_a_person_had();
CREATE OR REPLACE TRIGGER forget_what_an_operator_had AFTER UPDATE ON operators FOR EACH ROW
  WHEN ((OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.address_hash <> NEW.address_hash)
    AND current_user <> 'causeway_resealer')
  EXECUTE FUNCTION forget_what_a_person_had();
CREATE OR REPLACE TRIGGER guard_user_status BEFORE UPDATE ON users FOR EACH ROW
  WHEN ((NEW.status IS DISTINCT FROM OLD.status OR NEW.address_hash IS DISTINCT FROM OLD.address_hash)
    AND current_user <> 'causeway_resealer')
  EXECUTE FUNCTION guard_user_status();
CREATE OR REPLACE TRIGGER guard_invitation BEFORE UPDATE ON invitations
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_invitation();
CREATE OR REPLACE TRIGGER guard_api_key BEFORE UPDATE OF id, customer_id, environment, public_id, name, token_hmac,
    last4, scopes, open_to_any_address, expires_at, revoked_at, created_at, created_by, replaced_by
  ON api_keys FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_api_key();
