-- no transaction
-- A customer's part of the audit log, newest first.
CREATE INDEX CONCURRENTLY audit_log_of_customer ON audit_log (customer_id, id DESC)
  WHERE customer_id IS NOT NULL;
