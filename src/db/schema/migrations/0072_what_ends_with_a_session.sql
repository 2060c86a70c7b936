-- A new address that waits to be confirmed, and the browsers that a person is known by, end with what they were
-- given under: the account, the role, the address, the sessions, a passkey.
-- The link that the old address was mailed cancels the change; null: asked for by the version before.
ALTER TABLE address_changes ADD COLUMN cancel_hash bytea UNIQUE CHECK (octet_length(cancel_hash) = 32);

CREATE FUNCTION forget_what_a_person_had() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM public.address_changes WHERE person_id = OLD.id;
  IF NEW.status <> OLD.status OR NEW.address_hash <> OLD.address_hash THEN
    DELETE FROM public.devices WHERE person_id = OLD.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_what_a_user_had AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.address_hash <> NEW.address_hash)
  EXECUTE FUNCTION forget_what_a_person_had();
CREATE TRIGGER forget_what_an_operator_had AFTER UPDATE ON operators FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.address_hash <> NEW.address_hash)
  EXECUTE FUNCTION forget_what_a_person_had();

-- A passkey is removed where its authenticator is lost, or is somebody else's: so may the browser be.
CREATE FUNCTION forget_devices_with_passkey() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM public.devices WHERE person_id = coalesce(OLD.user_id, OLD.operator_id);
  DELETE FROM public.address_changes WHERE person_id = coalesce(OLD.user_id, OLD.operator_id);
  RETURN NULL;
END $$;
CREATE TRIGGER forget_devices_with_passkey AFTER UPDATE ON passkeys FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL)
  EXECUTE FUNCTION forget_devices_with_passkey();

CREATE INDEX devices_of_person ON devices (person_id);

GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION forget_what_a_person_had() OWNER TO causeway_console;
ALTER FUNCTION forget_devices_with_passkey() OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
