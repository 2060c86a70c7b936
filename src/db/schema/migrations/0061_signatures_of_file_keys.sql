-- A file key signs a decision where no browser is at hand: there is no authenticator then.
ALTER TABLE approval_signatures
  ALTER COLUMN authenticator_data DROP NOT NULL,
  ALTER COLUMN client_data DROP NOT NULL,
  ADD CONSTRAINT file_keys_have_no_authenticator
    CHECK (num_nulls(authenticator_data, client_data) IN (0, 2));
COMMENT ON TABLE approval_signatures IS
  'What one operator signed of what they proposed or approved: a WebAuthn assertion, or the signature of a file key. '
  'Rows never change and are never deleted.';
