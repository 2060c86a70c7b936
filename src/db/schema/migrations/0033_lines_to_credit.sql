-- Credits of a bank that wait for their booking are found by themselves: each statement looked through every line that
-- there ever was, twice.
CREATE INDEX statement_lines_to_credit ON statement_lines (statement_id, line)
  WHERE credit_id IS NULL AND outcome IN ('CREDIT', 'CREDIT_REVERSAL');
