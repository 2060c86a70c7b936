-- no transaction
-- Lists of a wallet's payments, status by status, newest first.
CREATE INDEX CONCURRENTLY payments_by_wallet
  ON payments (customer_id, environment, wallet_id, status, seq) WHERE wallet_id IS NOT NULL;
