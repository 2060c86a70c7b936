-- no transaction
-- Counts the addresses in use of a customer and of each of its end-users.
CREATE INDEX CONCURRENTLY deposit_addresses_in_use ON deposit_addresses (customer_id, environment, end_user_id)
  WHERE status = 'ACTIVE';
