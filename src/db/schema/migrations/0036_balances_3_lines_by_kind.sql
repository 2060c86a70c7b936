-- no transaction
-- A list of balance transactions, a statement and a closing balance are walks along it, one of each kind.
CREATE INDEX CONCURRENTLY ledger_entries_by_kind
  ON ledger_entries (customer_id, environment, currency, account, kind, seq, line);
