-- no transaction
-- GET /end-users?type=: businesses may be few among many.
CREATE INDEX CONCURRENTLY end_users_by_type ON end_users (customer_id, environment, type, seq DESC);
