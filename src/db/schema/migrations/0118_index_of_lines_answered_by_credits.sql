-- no transaction
-- Debits that took back a credit which arrived later.
CREATE INDEX CONCURRENTLY statement_lines_answered ON statement_lines (credit_id)
  WHERE exception = 'UNEXPECTED_AT_BANK' AND credit_id IS NOT NULL;
