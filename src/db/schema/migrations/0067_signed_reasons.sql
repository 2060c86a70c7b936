-- The reason of a decision is signed with it. Signatures from before have none.
ALTER TABLE approval_signatures
  ADD COLUMN reason text CHECK (length(reason) <= 500);
COMMENT ON COLUMN approval_signatures.reason IS
  'Why the operator decided it, as it was signed. NULL: it was signed before reasons were.';
