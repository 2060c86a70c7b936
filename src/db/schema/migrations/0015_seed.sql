-- Rows that every database has.

-- Ourselves as a customer: the owner of what belongs to no customer, as money whose owner is not known, and of cover
-- trades. It has no API keys, so that no partner acts as it.
INSERT INTO customers (id, name, created_at) VALUES ('cus_platform', 'Platform account', now());

INSERT INTO kyc_moves (from_status, to_status) VALUES
  ('NOT_STARTED', 'PENDING'), ('PENDING', 'IN_REVIEW'),
  ('IN_REVIEW', 'APPROVED'), ('IN_REVIEW', 'REJECTED'), ('IN_REVIEW', 'RESUBMISSION_REQUIRED'),
  ('APPROVED', 'EXPIRED'), ('APPROVED', 'REVOKED'), ('APPROVED', 'RESUBMISSION_REQUIRED'),
  ('RESUBMISSION_REQUIRED', 'IN_REVIEW'), ('RESUBMISSION_REQUIRED', 'REJECTED');

INSERT INTO payment_moves (from_status, to_status)
SELECT f, t FROM (VALUES
  ('PROCESSING', '{ON_HOLD,SENT,COMPLETED,FAILED,CANCELED,EXPIRED}'::text[]),
  ('ON_HOLD', '{PROCESSING,SENT,COMPLETED,FAILED,CANCELED,EXPIRED,RETURNED}'),
  ('SENT', '{ON_HOLD,COMPLETED,FAILED,RETURNED}'),
  ('COMPLETED', '{RETURNED}')) AS moves (f, targets), unnest(targets) AS t;

-- As src/domain/approvals/approval-rights.ts has them. No policy lets anybody write them, so for this moment their
-- owner is not bound by any.
ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES
  ('KYC_OVERRIDE', '{COMPLIANCE}'), ('SCREENING_RELEASE', '{COMPLIANCE}'), ('OWN_ACCOUNT', '{COMPLIANCE}'),
  ('WALLET_RELEASE', '{COMPLIANCE}'), ('DEPOSIT_CLEARANCE', '{COMPLIANCE}'), ('BLOCKED_DEPOSIT', '{COMPLIANCE}'),
  ('CUSTOMER_RESUMPTION', '{COMPLIANCE}'), ('LIVE_ACCESS', '{COMPLIANCE}'),
  -- Of live keys.
  ('ADDRESS', '{COMPLIANCE}'),
  -- Of somebody who has lost them all.
  ('REMOVE_PASSKEYS', '{COMPLIANCE}'),
  ('LATE_RETURN', '{OPERATIONS}'), ('FX_COVER', '{OPERATIONS}'),
  ('CREDIT_ASSIGNMENT', '{OPERATIONS}'), ('CREDIT_CLOSING', '{OPERATIONS}'),
  ('CONFIRM_SETTLED', '{OPERATIONS}'), ('CONFIRM_FAILED', '{OPERATIONS}'),
  ('SIGNER_ACCOUNT_THAW', '{OPERATIONS}'), ('SIGNER_ACCOUNT_RETIRE', '{OPERATIONS}'),
  ('FOREIGN_NONCE', '{OPERATIONS}'), ('FOREIGN_PAYMENT', '{OPERATIONS}'), ('CHAIN_RESUMPTION', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
