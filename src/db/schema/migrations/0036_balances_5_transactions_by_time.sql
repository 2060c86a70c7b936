-- no transaction
-- Finds the sequence at which a moment lies.
CREATE INDEX CONCURRENTLY ledger_transactions_by_time
  ON ledger_transactions (customer_id, environment, created_at, seq);
