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
CREATE TRIGGER approval_signatures_is_append_only BEFORE UPDATE OR DELETE ON approval_signatures
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
