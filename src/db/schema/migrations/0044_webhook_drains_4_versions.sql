-- no transaction
-- What failed, by its resource: whether an earlier version of it still waits.
CREATE INDEX CONCURRENTLY webhook_deliveries_put_off_versions
  ON webhook_deliveries (endpoint_id, resource_id, seq) WHERE status = 'PENDING' AND attempts > 0;
