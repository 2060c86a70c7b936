-- no transaction
-- Counts the addresses of a customer that were disabled lately: they are looked at for 30 days more.
CREATE INDEX CONCURRENTLY deposit_addresses_disabled ON deposit_addresses (customer_id, environment, updated_at)
  WHERE status = 'DISABLED';
