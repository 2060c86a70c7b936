-- no transaction
-- Lines that still have to credit somebody, or to take a credit back.
CREATE INDEX CONCURRENTLY statement_lines_crediting ON statement_lines (environment, statement_id, line)
  WHERE outcome IN ('CREDIT', 'CREDIT_REVERSAL') AND credit_id IS NULL;
