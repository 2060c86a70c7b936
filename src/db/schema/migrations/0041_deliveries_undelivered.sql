-- no transaction
-- The same of those that wait or are out of attempts: few, where an endpoint is well.
CREATE INDEX CONCURRENTLY webhook_deliveries_undelivered ON webhook_deliveries (endpoint_id, seq DESC)
  WHERE status <> 'DELIVERED';
