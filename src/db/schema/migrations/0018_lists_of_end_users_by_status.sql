-- no transaction
-- GET /end-users?status=: the closed may be few among many.
CREATE INDEX CONCURRENTLY end_users_by_status ON end_users (customer_id, environment, status, seq DESC);
