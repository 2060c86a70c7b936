-- no transaction
-- Customers take turns: each one's transfers that wait, oldest first.
CREATE INDEX CONCURRENTLY chain_transfers_waiting
  ON chain_transfers (environment, network, customer_id, created_at, reference)
  WHERE state = 'WAITING' AND given_up_at IS NULL;
