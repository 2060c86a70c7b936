-- no transaction
-- Finds the sequence at which a moment lies, and a scope's oldest events.
CREATE INDEX CONCURRENTLY events_by_time ON events (customer_id, environment, created_at, seq);
