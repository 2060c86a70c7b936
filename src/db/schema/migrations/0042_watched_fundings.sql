-- no transaction
-- The reader of deposits watches what waits and what changed lately, of however many that were ever given out.
CREATE INDEX CONCURRENTLY payment_fundings_changed ON payment_fundings (environment, updated_at);
