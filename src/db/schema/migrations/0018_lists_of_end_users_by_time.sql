-- no transaction
-- Finds the sequence at which a moment lies.
CREATE INDEX CONCURRENTLY end_users_by_time ON end_users (customer_id, environment, created_at, seq);
