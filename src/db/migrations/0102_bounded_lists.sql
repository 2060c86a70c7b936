-- Every list of payments is read status by status, newest first, from an index that ends in (status, seq):
-- the page then costs what it shows, whatever else there is. So no index without the status is needed.
DROP INDEX payments_newest_first, payments_by_end_user, payments_by_bank_account,
  payments_by_external_id;
CREATE INDEX payments_by_end_user
  ON payments (customer_id, environment, end_user_id, status, seq);
CREATE INDEX payments_by_bank_account
  ON payments (customer_id, environment, bank_account_id, status, seq);
CREATE INDEX payments_by_external_id
  ON payments (customer_id, environment, external_id, status, seq) WHERE external_id IS NOT NULL;
-- A partner may number the payments of each end-user anew: then neither id alone is selective.
CREATE INDEX payments_by_end_user_and_external_id
  ON payments (customer_id, environment, end_user_id, external_id, status, seq)
  WHERE external_id IS NOT NULL;
CREATE INDEX payments_by_bank_account_and_external_id
  ON payments (customer_id, environment, bank_account_id, external_id, status, seq)
  WHERE external_id IS NOT NULL;
-- Finds the sequence at which a moment lies.
CREATE INDEX payments_by_time ON payments (customer_id, environment, created_at, seq);

-- The operators' list: what waits for a human or has not moved, and what contradicts the bank.
CREATE INDEX payments_waiting
  ON payments (environment, status, (coalesce(held_since, updated_at)))
  WHERE status IN ('PROCESSING', 'ON_HOLD', 'SENT');
CREATE INDEX payments_contradicted ON payments (environment, (coalesce(held_since, updated_at)))
  WHERE reconciliation_status = 'EXCEPTION';

-- Payments bind their key for ever; the others are pruned once their time is over.
CREATE INDEX idempotency_keys_expiring ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
