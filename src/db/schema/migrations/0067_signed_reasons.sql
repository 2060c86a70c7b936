-- The reason of a decision is signed with it. Signatures from before have none and count for nothing: their approvals are
-- judged as unsigned.
ALTER TABLE approval_signatures
  ADD COLUMN reason text CHECK (length(reason) <= 500),
  ADD CONSTRAINT signatures_have_a_reason CHECK (reason IS NOT NULL) NOT VALID;
COMMENT ON COLUMN approval_signatures.reason IS
  'Why the operator decided it, as it was signed. NULL only in rows from before reasons were signed: they count for nothing.';
