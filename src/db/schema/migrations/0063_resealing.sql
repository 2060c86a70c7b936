-- `ops secrets reseal` seals under the current key what the vault's own keys sealed earlier. It works as
-- causeway_resealer, a role for this alone: it may change the sealed columns that are listed here, and nothing else. The
-- database cannot know that the content stays the same, because it holds no key. So no process has the role. A login gets
-- it for the run.
DO $$
BEGIN
  IF to_regrole('causeway_resealer') IS NULL THEN
    BEGIN
      CREATE ROLE causeway_resealer NOLOGIN NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
END $$;
GRANT causeway_resealer TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO causeway_resealer;

-- The first byte of a sealed value says which key sealed it: 255 is the key of an end-user. Such a value is not changed,
-- and none is left empty.
CREATE FUNCTION guard_resealed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  of_column text;
  is_lawful boolean;
BEGIN
  FOREACH of_column IN ARRAY TG_ARGV LOOP
    EXECUTE format('SELECT ($1).%1$I IS NOT DISTINCT FROM ($2).%1$I
      OR coalesce(substring(($1).%1$I FROM 1 FOR 1) NOT IN (''\x'', ''\xff'')
        AND substring(($2).%1$I FROM 1 FOR 1) NOT IN (''\x'', ''\xff''), false)', of_column)
      INTO is_lawful USING OLD, NEW;
    IF NOT is_lawful THEN
      RAISE EXCEPTION '%.%: a key of the vault seals it, before and after', TG_TABLE_NAME, of_column
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
  is_changed text;
BEGIN
  FOREACH step IN ARRAY ARRAY['LOCK', 'CHANGE'] LOOP FOR one IN
    SELECT * FROM (VALUES
      ('access_requests', 'id', ARRAY['details']),
      ('address_changes', 'person_id', ARRAY['address']),
      ('bank_accounts', 'id', ARRAY['personal']),
      ('end_user_keys', 'end_user_id', ARRAY['wrapped_key']),
      ('end_users', 'id', ARRAY['personal']),
      ('idempotency_keys', 'customer_id, environment, key', ARRAY['response']),
      ('kyc_checks', 'id', ARRAY['link_token', 'provider_url']),
      ('kyc_documents', 'id', ARRAY['content']),
      ('kyc_uploads', 'id', ARRAY['content']),
      ('mails', 'id', ARRAY['address', 'contents']),
      ('operators', 'id', ARRAY['address', 'name']),
      ('payment_batch_items', 'batch_id, item_index', ARRAY['sealed']),
      ('payments', 'id', ARRAY['personal']),
      ('screening_cases', 'id', ARRAY['personal']),
      ('settlement_attempts', 'reference', ARRAY['request']),
      ('travel_rule_records', 'payment_id', ARRAY['record']),
      ('users', 'id', ARRAY['address', 'name']),
      ('wallets', 'id', ARRAY['vasp']),
      ('webhook_attempts', 'endpoint_id, event_id, id', ARRAY['answer']),
      ('webhook_endpoints', 'id', ARRAY['secret', 'signing_keys'])
    ) AS listed (name, key, sealed)
  LOOP
    IF step = 'LOCK' THEN
      -- A wait of 0 would have no end.
      PERFORM set_config('lock_timeout',
        greatest(1, ceil(extract(epoch FROM wait_until - clock_timestamp()) * 1000))::integer::text, true);
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', one.name);
      PERFORM set_config('lock_timeout', wait_ms::text, true);
      CONTINUE;
    END IF;
    EXECUTE format('GRANT SELECT (%s, %s), UPDATE (%2$s) ON %I TO causeway_resealer',
      one.key, array_to_string(one.sealed, ', '), one.name);
    EXECUTE format('CREATE POLICY resealer_sees_all ON %I FOR SELECT TO causeway_resealer USING (true)', one.name);
    SELECT string_agg(format('substring(%I FROM 1 FOR 1) NOT IN (''\x'', ''\xff'')', c), ' OR ')
      INTO is_changed FROM unnest(one.sealed) AS columns (c);
    EXECUTE format('CREATE POLICY resealer_seals ON %I FOR UPDATE TO causeway_resealer USING (%s) WITH CHECK (%2$s)',
      one.name, is_changed);
    EXECUTE format('CREATE TRIGGER guard_resealed BEFORE UPDATE OF %s ON %I FOR EACH ROW
      WHEN (current_user = ''causeway_resealer'') EXECUTE FUNCTION guard_resealed(%s)',
      array_to_string(one.sealed, ', '), one.name,
      (SELECT string_agg(quote_literal(c), ', ') FROM unnest(one.sealed) AS columns (c)));
  END LOOP; END LOOP;
END $$;

-- These guards refuse a change of sealed bytes, take it for a change of what was sealed, or read tables that the role
-- cannot read. Everything else that they guard, the role has no right to change.
CREATE OR REPLACE TRIGGER guard_screening_status BEFORE UPDATE OF personal, screening_status ON end_users
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_screening_status();
CREATE OR REPLACE TRIGGER guard_screening_status BEFORE UPDATE OF personal, screening_status ON bank_accounts
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_screening_status();
CREATE OR REPLACE TRIGGER own_account_takes_two_operators
  BEFORE UPDATE OF status, customer_id, environment, end_user_id, country, currency, rail, holder_type,
    fingerprint, personal ON bank_accounts FOR EACH ROW
  WHEN ((NEW.environment = 'live' OR OLD.environment = 'live') AND current_user <> 'causeway_resealer')
  EXECUTE FUNCTION guard_own_account();
CREATE OR REPLACE TRIGGER guard_wallet BEFORE UPDATE ON wallets
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_wallet();
CREATE OR REPLACE TRIGGER guard_reviewed_wallet BEFORE UPDATE ON wallets
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_reviewed_wallet();
CREATE OR REPLACE TRIGGER guard_kyc_move BEFORE UPDATE ON kyc_checks
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_kyc_move();
CREATE OR REPLACE TRIGGER require_word_of_kyc_approval BEFORE UPDATE ON kyc_checks
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_kyc_approval();
CREATE OR REPLACE TRIGGER screening_case_is_only_decided BEFORE UPDATE ON screening_cases FOR EACH ROW
  WHEN ((octet_length(NEW.personal) > 0 OR octet_length(OLD.personal) = 0) AND current_user <> 'causeway_resealer')
  EXECUTE FUNCTION refuse_all_but_completion('outcome', 'decided_by', 'decided_at', 'reason');
CREATE OR REPLACE TRIGGER guard_payment_move BEFORE UPDATE ON payments FOR EACH ROW
  WHEN ((octet_length(NEW.personal) > 0 OR octet_length(OLD.personal) = 0) AND current_user <> 'causeway_resealer')
  EXECUTE FUNCTION guard_payment_move();
CREATE OR REPLACE TRIGGER guard_batch_item BEFORE UPDATE OR DELETE ON payment_batch_items
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_batch_item();
CREATE OR REPLACE TRIGGER guard_travel_rule_record BEFORE INSERT OR UPDATE ON travel_rule_records
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_travel_rule_record();
CREATE OR REPLACE TRIGGER webhook_attempts_are_append_only BEFORE UPDATE ON webhook_attempts FOR EACH ROW
  WHEN ((NEW.answer IS NOT NULL OR to_jsonb(NEW) - 'answer' <> to_jsonb(OLD) - 'answer')
    AND current_user <> 'causeway_resealer')
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER guard_mail BEFORE INSERT OR UPDATE ON mails
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_mail();
CREATE OR REPLACE TRIGGER guard_access_request BEFORE INSERT OR UPDATE ON access_requests
  FOR EACH ROW WHEN (current_user <> 'causeway_resealer') EXECUTE FUNCTION guard_access_request();
