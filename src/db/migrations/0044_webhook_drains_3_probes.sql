-- no transaction
-- What failed, by its last attempt: the one sent the longest time ago asks whether the endpoint is back.
CREATE INDEX CONCURRENTLY webhook_deliveries_probed ON webhook_deliveries (endpoint_id, last_attempt_at, seq)
  WHERE status = 'PENDING' AND attempts > 0;
