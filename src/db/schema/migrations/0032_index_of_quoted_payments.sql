-- no transaction
-- What is promised to payments under way in another currency.
CREATE INDEX CONCURRENTLY payments_quoted_and_unfinished ON payments (environment)
  WHERE quote_id IS NOT NULL AND status IN ('PROCESSING', 'ON_HOLD', 'SENT');
