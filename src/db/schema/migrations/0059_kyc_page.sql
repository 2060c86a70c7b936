-- What the provider has us ask an end-user for. The version before leaves it empty: then the provider's own
-- page asks, as it did.
ALTER TABLE kyc_checks ADD COLUMN documents_asked text[] NOT NULL DEFAULT '{}';

-- Documents that an end-user has uploaded and not submitted: one of a type, which a later one takes the
-- place of. A table of their own, for a worker of the version before hands on whatever is in
-- kyc_documents. Sealed for the row that they have there once they are submitted, under the same id.
CREATE TABLE kyc_uploads (
  id text PRIMARY KEY CHECK (id ~ '^kdo_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL,
  environment text NOT NULL,
  kyc_check_id text NOT NULL,
  type text NOT NULL,
  content_type text NOT NULL,
  -- Of the plain content, keyed: equal ones are found, none is recognised.
  fingerprint bytea NOT NULL,
  content bytea NOT NULL,
  -- Of the plain content.
  byte_count integer NOT NULL CHECK (byte_count > 0),
  created_at timestamptz NOT NULL,
  -- The end of the link that it came by; then it goes.
  expires_at timestamptz NOT NULL,
  UNIQUE (kyc_check_id, type),
  FOREIGN KEY (customer_id, environment, kyc_check_id)
    REFERENCES kyc_checks (customer_id, environment, id)
);
-- Sealed bytes do not get smaller.
ALTER TABLE kyc_uploads ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX kyc_uploads_by_expiry ON kyc_uploads (expires_at);
CALL secure_scoped_table('kyc_uploads');
GRANT INSERT, DELETE ON kyc_uploads TO causeway_app;
GRANT DELETE ON kyc_uploads TO causeway_system;

-- Until when a document waits for a provider that does not take it; null in what a version before stored.
ALTER TABLE kyc_documents ADD COLUMN expires_at timestamptz;
CREATE INDEX kyc_documents_by_expiry ON kyc_documents (expires_at) WHERE content IS NOT NULL;
GRANT UPDATE (content, erased_at) ON kyc_documents TO causeway_system;

-- Whose check a hosted link's token opens: read before any scope is known.
CREATE FUNCTION find_kyc_page_scope(wanted bytea)
RETURNS TABLE (customer_id text, environment text, end_user_id text, kyc_check_id text, round integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.customer_id, c.environment, c.end_user_id, c.id, c.round
  FROM kyc_checks c WHERE c.link_token_hmac = wanted
$$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION find_kyc_page_scope(bytea) OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION find_kyc_page_scope(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_kyc_page_scope(bytea) TO causeway_app;
