-- no transaction
-- A wallet of the customer's own is paid for many end-users: then neither id alone is selective.
CREATE INDEX CONCURRENTLY payments_by_wallet_and_end_user
  ON payments (customer_id, environment, wallet_id, end_user_id, status, seq)
  WHERE wallet_id IS NOT NULL;
