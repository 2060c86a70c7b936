-- no transaction
-- What a customer may still use, for the limit of our position.
CREATE INDEX CONCURRENTLY quotes_unused_by_customer ON quotes (customer_id, environment, expires_at)
  WHERE consumed_at IS NULL;
