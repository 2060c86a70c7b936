-- A keyed hash under a later pepper than the first one has the number of the pepper in front of its 32 bytes.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT c.conrelid::regclass AS of_table, c.conname AS name, pg_get_constraintdef(c.oid) AS says
    FROM pg_constraint c
    WHERE c.contype = 'c' AND (c.conrelid::regclass::text, c.conname::text) IN (
      ('access_counters', 'access_counters_key_check'),
      ('access_requests', 'access_requests_address_hash_check'),
      ('address_changes', 'address_changes_address_hash_check'),
      ('address_changes', 'address_changes_cancel_hash_check'),
      ('address_changes', 'address_changes_token_hash_check'),
      ('api_keys', 'api_keys_token_hmac_check'),
      ('audit_seals', 'audit_seals_mac_check'),
      ('devices', 'devices_device_hash_check'),
      ('invitations', 'invitations_token_hash_check'),
      ('login_challenges', 'login_challenges_address_hash_check'),
      ('login_challenges', 'login_challenges_browser_hash_check'),
      ('login_challenges', 'login_challenges_code_hash_check'),
      ('mails', 'mails_address_hash_check'),
      ('operators', 'operators_address_hash_check'),
      ('screening_cases', 'screening_cases_names_hash_check'),
      ('sessions', 'sessions_token_hash_check'),
      ('users', 'users_address_hash_check'))
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.of_table, one.name);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', one.of_table, one.name,
      replace(one.says, '= 32', 'IN (32, 33)'));
  END LOOP;
END $$;

-- `ops secrets reseal` moves them to the current pepper, which takes nothing but the hash: it is hashed again.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT * FROM (VALUES
      ('access_requests', 'id', 'address_hash'),
      ('address_changes', 'person_id', 'address_hash, token_hash, cancel_hash'),
      ('api_keys', 'id', 'token_hmac'),
      ('devices', 'device_hash, person_id', 'device_hash'),
      ('idempotency_keys', 'customer_id, environment, key', 'request_mac'),
      ('invitations', 'id', 'token_hash'),
      ('kyc_checks', 'id', 'link_token_hmac'),
      ('kyc_documents', 'id', 'fingerprint'),
      ('kyc_uploads', 'id', 'fingerprint'),
      ('mails', 'id', 'address_hash'),
      ('operators', 'id', 'address_hash'),
      ('screening_cases', 'id', 'names_hash, entry_hashes'),
      ('sessions', 'id', 'token_hash'),
      ('users', 'id', 'address_hash')
    ) AS listed (name, key, hashes)
  LOOP
    EXECUTE format('GRANT SELECT (%s, %s), UPDATE (%2$s) ON %I TO causeway_resealer', one.key, one.hashes, one.name);
    EXECUTE format('CREATE POLICY resealer_moves_hashes ON %I FOR UPDATE TO causeway_resealer USING (true) WITH CHECK (true)',
      one.name);
    IF one.name IN ('api_keys', 'devices', 'invitations', 'sessions') THEN
      EXECUTE format('CREATE POLICY resealer_sees_all ON %I FOR SELECT TO causeway_resealer USING (true)', one.name);
    END IF;
  END LOOP;
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
CREATE OR REPLACE TRIGGER guard_session BEFORE UPDATE ON sessions
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_session();
CREATE OR REPLACE TRIGGER guard_invitation BEFORE UPDATE ON invitations
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_invitation();
CREATE OR REPLACE TRIGGER guard_api_key BEFORE UPDATE OF id, customer_id, environment, public_id, name, token_hmac,
    last4, scopes, open_to_any_address, expires_at, revoked_at, created_at, created_by, replaced_by
  ON api_keys FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_api_key();
