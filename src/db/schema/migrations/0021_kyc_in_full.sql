-- Until when an approval holds; null: without an end. A process of the version before leaves it as it is,
-- which at worst ends an approval early.
ALTER TABLE kyc_checks ADD COLUMN expires_at timestamptz;
ALTER TABLE end_users ADD COLUMN kyc_expires_at timestamptz;
-- Approvals by their end: what the expiry schedule pages through.
CREATE INDEX kyc_checks_expiring ON kyc_checks (expires_at, id) WHERE status = 'APPROVED';

-- What the provider said of an approval's end.
ALTER TABLE kyc_reports ADD COLUMN expires_at timestamptz;

-- The approval by which two operators gave a check its state, until anything else changes it.
ALTER TABLE kyc_checks ADD COLUMN override_id text REFERENCES approvals;

-- An override needs the row of two operators, used in the transaction that does it and made about this
-- version. And nobody is approved without a word of the provider that is being judged, or such a row.
CREATE FUNCTION guard_kyc_approval() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_new_override boolean :=
    NEW.override_id IS NOT NULL AND NEW.override_id IS DISTINCT FROM OLD.override_id;
BEGIN
  IF is_new_override AND NEW.override_id IS DISTINCT FROM
      (approval_in_use('KYC_OVERRIDE', NEW.id, OLD.version)).id THEN
    RAISE EXCEPTION 'kyc check %: no two operators have approved this override', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'APPROVED' AND OLD.status <> 'APPROVED'
    AND NOT EXISTS (
      SELECT FROM kyc_reports r
      WHERE r.customer_id = NEW.customer_id AND r.environment = NEW.environment
        AND r.kyc_check_id = NEW.id AND r.processed_at IS NULL
        AND r.status IN ('APPROVED', 'EXPIRED', 'REVOKED'))
    AND NOT EXISTS (
      SELECT FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
      WHERE a.id = NEW.override_id AND a.content ->> 'to' = 'APPROVED'
        AND u.used_by_transaction = pg_current_xact_id_if_assigned()) THEN
    RAISE EXCEPTION 'kyc check %: neither provider nor two operators approve it', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER require_word_of_kyc_approval BEFORE UPDATE ON kyc_checks
  FOR EACH ROW EXECUTE FUNCTION guard_kyc_approval();

-- Documents that an end-user gave for a check, until the provider has them. `content` is sealed, and gone
-- (null) once it was handed on or nobody needs it any more.
CREATE TABLE kyc_documents (
  id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  kyc_check_id text NOT NULL,
  type text NOT NULL,
  content_type text NOT NULL,
  -- Of the plain content, keyed: equal ones are found, none is recognised.
  fingerprint bytea NOT NULL,
  content bytea,
  created_at timestamptz NOT NULL,
  handed_on_at timestamptz,
  erased_at timestamptz,
  UNIQUE (kyc_check_id, type, fingerprint),
  CHECK ((content IS NULL) = (erased_at IS NOT NULL)),
  CHECK (handed_on_at IS NULL OR content IS NULL),
  FOREIGN KEY (customer_id, environment, kyc_check_id)
    REFERENCES kyc_checks (customer_id, environment, id)
);
-- Sealed bytes do not get smaller.
ALTER TABLE kyc_documents ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX kyc_documents_waiting ON kyc_documents (kyc_check_id, id) WHERE content IS NOT NULL;
CALL secure_scoped_table('kyc_documents');
GRANT INSERT, UPDATE ON kyc_documents TO causeway_app;
