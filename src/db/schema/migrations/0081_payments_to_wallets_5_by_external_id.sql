-- no transaction
-- Payments to one wallet may all have one external id, and those of one external id go to many wallets.
CREATE INDEX CONCURRENTLY payments_by_wallet_and_external_id
  ON payments (customer_id, environment, wallet_id, external_id, status, seq)
  WHERE wallet_id IS NOT NULL AND external_id IS NOT NULL;
