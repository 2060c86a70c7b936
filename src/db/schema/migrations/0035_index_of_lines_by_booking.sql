-- no transaction
-- The other lines of one booking: a credit and what takes it back.
CREATE INDEX CONCURRENTLY statement_lines_by_booking ON statement_lines (statement_id, booking_key, line)
  WHERE booking_key IS NOT NULL;
