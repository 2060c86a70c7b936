-- One data key an end-user, sealed by the vault's own key: without it nothing that is sealed for them can be
-- opened. Who was registered by a version before this has no row: for them the vault's own key seals.
CREATE TABLE end_user_keys (
  end_user_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  -- Null: destroyed.
  wrapped_key bytea CHECK (octet_length(wrapped_key) > 0),
  erased_at timestamptz,
  CHECK ((wrapped_key IS NULL) = (erased_at IS NOT NULL)),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id)
);
CALL secure_scoped_table('end_user_keys');
GRANT INSERT, UPDATE ON end_user_keys TO causeway_app;
CREATE INDEX end_user_keys_erased ON end_user_keys (erased_at, end_user_id)
  WHERE erased_at IS NOT NULL;

-- A key may be wrapped anew, and destroyed once. It never comes back.
CREATE FUNCTION guard_end_user_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.wrapped_key IS NOT NULL
     AND ROW(NEW.end_user_id, NEW.customer_id, NEW.environment)
       = ROW(OLD.end_user_id, OLD.customer_id, OLD.environment) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the key of end-user % stays as it is', OLD.end_user_id
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_end_user_key BEFORE UPDATE OR DELETE ON end_user_keys
  FOR EACH ROW EXECUTE FUNCTION guard_end_user_key();

-- Whose answer it is, and of what. A request is known by a hash under the pepper: a body holds names, and
-- a plain hash of it could be tested against guesses. `fingerprint` is null in what this version writes,
-- so that the version before, which compares it, fails and never calls a repeat another request.
ALTER TABLE idempotency_keys ALTER COLUMN fingerprint DROP NOT NULL;
ALTER TABLE idempotency_keys
  ADD COLUMN request_mac bytea,
  ADD COLUMN end_user_id text,
  ADD COLUMN resource_id text;
ALTER TABLE idempotency_keys ADD CONSTRAINT a_request_is_known
  CHECK (num_nonnulls(fingerprint, request_mac) = 1) NOT VALID;

-- As find_kyc_link, with the key that the provider's page is sealed under.
CREATE FUNCTION find_kyc_page(wanted bytea)
RETURNS TABLE (id text, end_user_id text, link_expires_at timestamptz, provider_url bytea,
  wrapped_key bytea, erased_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.id, c.end_user_id, c.link_expires_at, c.provider_url, k.wrapped_key, k.erased_at
  FROM kyc_checks c LEFT JOIN end_user_keys k ON k.end_user_id = c.end_user_id
  WHERE c.link_token_hmac = wanted
$$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION find_kyc_page(bytea) OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION find_kyc_page(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_kyc_page(bytea) TO causeway_app;

-- What the vault's own key sealed for an end-user without a data key is blanked when they are erased. A
-- payment's row may change so, without a version, and in no other way.
CREATE FUNCTION guard_payment_blanking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(NEW) - 'personal' = to_jsonb(OLD) - 'personal' AND EXISTS (
    SELECT FROM end_user_keys k WHERE k.end_user_id = OLD.end_user_id AND k.wrapped_key IS NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: only of an erased end-user, and nothing else', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
DROP TRIGGER guard_payment_move ON payments;
CREATE TRIGGER guard_payment_move BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (octet_length(NEW.personal) > 0 OR octet_length(OLD.personal) = 0)
  EXECUTE FUNCTION guard_payment_move();
CREATE TRIGGER guard_payment_blanking BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (octet_length(NEW.personal) = 0 AND octet_length(OLD.personal) > 0)
  EXECUTE FUNCTION guard_payment_blanking();
