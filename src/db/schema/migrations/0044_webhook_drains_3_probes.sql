-- no transaction
-- What failed, by its last attempt: the next probe comes behind the one that was sent last.
CREATE INDEX CONCURRENTLY webhook_deliveries_probed ON webhook_deliveries (endpoint_id, last_attempt_at, seq)
  WHERE status = 'PENDING' AND attempts > 0;
