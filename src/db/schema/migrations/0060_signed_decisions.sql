-- What two operators decided is signed by their authenticators. The processes that act upon it check the signatures: a
-- row alone, whoever wrote it, is no approval.

CREATE TABLE approval_signatures (
  approval_id text NOT NULL,
  step text NOT NULL CHECK (step IN ('PROPOSE', 'APPROVE')),
  customer_id text NOT NULL,
  environment text NOT NULL,
  operator_id text NOT NULL REFERENCES operators,
  credential_id bytea NOT NULL CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  authenticator_data bytea NOT NULL CHECK (octet_length(authenticator_data) BETWEEN 37 AND 4096),
  client_data bytea NOT NULL CHECK (octet_length(client_data) BETWEEN 1 AND 4096),
  signature bytea NOT NULL CHECK (octet_length(signature) BETWEEN 1 AND 1024),
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (approval_id, step),
  FOREIGN KEY (customer_id, environment, approval_id)
    REFERENCES approvals (customer_id, environment, id)
);
COMMENT ON TABLE approval_signatures IS
  'One operator''s WebAuthn assertion over what they proposed or approved. Rows never change and are never deleted.';
CALL secure_scoped_table('approval_signatures');
GRANT INSERT ON approval_signatures TO causeway_console;
-- `ops operators init` writes the public keys of operators to a file.
GRANT SELECT (credential_id, public_key) ON passkeys TO causeway_ops;
CREATE TRIGGER approval_signatures_is_append_only BEFORE UPDATE OR DELETE ON approval_signatures
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The API lets a live key in where the approvals of its live access and of its addresses are signed. Each names its own.
ALTER TABLE customers ADD COLUMN live_approval_id text REFERENCES approvals;
UPDATE customers c SET live_approval_id = (
  SELECT p.id FROM live_access_requests r JOIN approvals p ON p.subject_id = r.id AND p.action = 'LIVE_ACCESS'
  JOIN approval_uses u ON u.approval_id = p.id
  WHERE r.customer_id = c.id AND r.decision = 'APPROVED' ORDER BY u.used_at DESC LIMIT 1)
WHERE c.live_access;

CREATE OR REPLACE FUNCTION guard_live_access() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  asked live_access_requests;
  used_now timestamptz;
BEGIN
  SELECT r.* INTO asked FROM live_access_requests r
  WHERE TG_OP = 'UPDATE' AND r.customer_id = NEW.id AND r.decision IS NULL
    AND (approval_in_use('LIVE_ACCESS', r.id, r.company_version)).id IS NOT NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'customer %: live access takes two operators', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'live_access_takes_two_operators';
  END IF;
  SELECT max(u.used_at) INTO used_now FROM approval_uses u JOIN approvals a ON a.id = u.approval_id
  WHERE a.subject_id = asked.id;
  -- Shared: what is about to change the company waits, or has ended and is seen.
  PERFORM FROM end_users e
  JOIN kyc_checks k ON k.end_user_id = e.id AND k.round = e.kyc_round AND k.id = asked.kyc_check_id
  WHERE e.customer_id = 'cus_platform' AND e.environment = 'live' AND e.external_id = NEW.id
    AND e.id = asked.company_id AND e.identity_version = asked.company_version
    AND e.type = 'BUSINESS' AND e.status = 'ACTIVE'
    AND e.kyc_status = 'APPROVED' AND (e.kyc_expires_at IS NULL OR e.kyc_expires_at > used_now)
    AND e.screening_status NOT IN ('HIT', 'REFUSED')
  FOR SHARE OF e;
  IF NOT FOUND
     OR asked.terms_version IS DISTINCT FROM (SELECT max(t.version) FROM live_terms t)
     OR NOT EXISTS (SELECT FROM users u WHERE u.customer_id = NEW.id AND u.role = 'OWNER'
                    AND u.status = 'ACTIVE') THEN
    RAISE EXCEPTION 'live access request %: what it was about has changed', asked.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'what_was_asked_still_holds';
  END IF;
  NEW.live_approval_id := (approval_in_use('LIVE_ACCESS', asked.id, asked.company_version)).id;
  RETURN NEW;
END $$;

-- A copy of an approved address names the same approval.
ALTER TABLE api_key_addresses DISABLE TRIGGER guard_key_address;
WITH RECURSIVE named AS (
  SELECT a.id, a.approval_id FROM api_key_addresses a WHERE a.approval_id IS NOT NULL
  UNION
  SELECT a.id, n.approval_id FROM named n JOIN api_key_addresses a ON a.copied_from = n.id)
UPDATE api_key_addresses a SET approval_id = n.approval_id FROM named n
WHERE n.id = a.id AND a.approval_id IS NULL;
ALTER TABLE api_key_addresses ENABLE TRIGGER guard_key_address;

CREATE OR REPLACE FUNCTION guard_new_key_address() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  source record;
BEGIN
  IF NEW.version <> 1 OR NEW.approval_id IS NOT NULL OR NEW.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'address %: it begins undecided', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.copied_from IS NOT NULL THEN
    -- A key that takes another one's place, and may do the same, has its addresses.
    SELECT a.decided_by, a.decided_at, a.approval_id INTO source
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
    NEW.approval_id := source.approval_id;
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

DROP FUNCTION find_api_keys;
-- `range_approvals`: of each approved range its approval, in the same order; '' where it has none.
CREATE FUNCTION find_api_keys(wanted text[])
RETURNS TABLE (
  public_id text, id text, customer_id text, environment text, token_hmac bytea, scopes text[],
  open_to_any_address boolean, expires_at timestamptz, revoked_at timestamptz,
  customer_status text, live_access boolean, live_approval text, approved_ranges text[], range_approvals text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT k.public_id, k.id, k.customer_id, k.environment, k.token_hmac, k.scopes,
         k.open_to_any_address, k.expires_at, k.revoked_at, c.status, c.live_access, c.live_approval_id,
         coalesce(a.ranges, '{}'), coalesce(a.approvals, '{}')
  FROM api_keys k JOIN customers c ON c.id = k.customer_id
  CROSS JOIN LATERAL (
    SELECT array_agg(a.range::text ORDER BY a.seq) AS ranges,
           array_agg(coalesce(a.approval_id, '') ORDER BY a.seq) AS approvals
    FROM api_key_addresses a WHERE a.api_key_id = k.id AND a.status = 'APPROVED') a
  WHERE k.public_id = ANY (wanted)
$$;
REVOKE ALL ON FUNCTION find_api_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_keys TO causeway_app, causeway_system;
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION find_api_keys OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
