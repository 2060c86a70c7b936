-- no transaction
-- The wallets of refused reviews that have still to be rejected.
CREATE INDEX CONCURRENTLY wallets_by_review
  ON wallets (environment, review_id) WHERE review_id IS NOT NULL AND status IN ('PENDING', 'ACTIVE');
