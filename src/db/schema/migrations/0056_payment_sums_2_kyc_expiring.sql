-- no transaction
-- Whose approval ends soon, of one customer.
CREATE INDEX CONCURRENTLY kyc_checks_expiring_by_customer
  ON kyc_checks (customer_id, environment, expires_at) WHERE status = 'APPROVED';
