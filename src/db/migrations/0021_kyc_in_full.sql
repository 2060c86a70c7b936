-- Until when an approval holds; null: without an end. A process of the version before leaves it as it is,
-- which at worst ends an approval early.
ALTER TABLE kyc_checks ADD COLUMN expires_at timestamptz;
ALTER TABLE end_users ADD COLUMN kyc_expires_at timestamptz;
-- Approvals by their end: what the expiry schedule pages through.
CREATE INDEX kyc_checks_expiring ON kyc_checks (expires_at, id) WHERE status = 'APPROVED';

-- What the provider said of an approval's end.
ALTER TABLE kyc_reports ADD COLUMN expires_at timestamptz;
