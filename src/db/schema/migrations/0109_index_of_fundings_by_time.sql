-- no transaction
-- Finds payments that deposits pay for by their request: their ids hold no time.
CREATE INDEX CONCURRENTLY payment_fundings_by_time ON payment_fundings (created_at);
