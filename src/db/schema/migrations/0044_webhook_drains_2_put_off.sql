-- no transaction
-- What failed, by its sequence: it is sent at once when the endpoint is back.
CREATE INDEX CONCURRENTLY webhook_deliveries_put_off ON webhook_deliveries (endpoint_id, seq, last_attempt_at)
  WHERE status = 'PENDING' AND attempts > 0;
