-- no transaction
-- The returns that a debit may take back: of its amount, whatever the bank copied into them.
CREATE INDEX CONCURRENTLY statement_lines_marked_returns
  ON statement_lines (environment, currency, amount) WHERE direction = 'CRDT' AND is_return;
