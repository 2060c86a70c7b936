-- no transaction
-- An endpoint's deliveries as they are listed.
CREATE INDEX CONCURRENTLY webhook_deliveries_newest_first ON webhook_deliveries (endpoint_id, seq DESC);
