-- no transaction
-- Debits that took back a credit which was not known yet.
CREATE INDEX CONCURRENTLY statement_lines_taken_back ON statement_lines (environment, currency, amount)
  WHERE exception = 'UNEXPECTED_AT_BANK' AND is_return AND credit_id IS NULL;
