-- The Ed25519 key pairs of an endpoint that asked for asymmetric signatures: the private keys sealed, the
-- public ones as `[{"publicKey": "whpk_...", "expiresAt": null}]`, newest first. A process of the version
-- before signs without them and, where it replaces the secret, leaves them as they are.
ALTER TABLE webhook_endpoints
  ADD COLUMN signing_keys bytea,
  ADD COLUMN public_keys jsonb NOT NULL DEFAULT '[]',
  ADD CONSTRAINT keys_come_in_pairs CHECK ((signing_keys IS NULL) = (public_keys = '[]'));

-- For receivers, who have no API key: one answer for an endpoint that has none, was deleted or never was.
CREATE FUNCTION find_webhook_public_keys(wanted text)
RETURNS TABLE (public_keys jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT e.public_keys FROM webhook_endpoints e
  WHERE e.id = wanted AND e.status <> 'DELETED' AND e.signing_keys IS NOT NULL
$$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION find_webhook_public_keys(text) OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION find_webhook_public_keys(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_webhook_public_keys(text) TO causeway_app;
