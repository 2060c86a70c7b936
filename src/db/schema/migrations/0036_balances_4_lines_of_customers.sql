-- no transaction
-- The customer's own lines of every currency, newest first.
CREATE INDEX CONCURRENTLY ledger_entries_of_customers ON ledger_entries (customer_id, environment, seq, line)
  WHERE account IN ('available', 'reserved', 'pending', 'receivable');
