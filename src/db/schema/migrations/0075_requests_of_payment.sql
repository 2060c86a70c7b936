-- no transaction
-- The requests that were about one payment, newest first.
CREATE INDEX CONCURRENTLY api_requests_of_payment
  ON api_requests (customer_id, environment, payment_id, seq DESC) WHERE payment_id IS NOT NULL;
