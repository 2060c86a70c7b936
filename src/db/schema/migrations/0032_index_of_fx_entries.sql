-- no transaction
-- Our position in foreign currencies since its last checkpoint.
CREATE INDEX CONCURRENTLY fx_entries ON ledger_entries (environment, transaction_id COLLATE "C")
  INCLUDE (currency, amount) WHERE account = 'fx';
