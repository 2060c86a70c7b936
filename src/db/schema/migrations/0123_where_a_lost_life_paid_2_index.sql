-- no transaction
-- Restored attempts that are kept from being sent: operators look at them.
CREATE INDEX CONCURRENTLY settlement_attempts_held ON settlement_attempts (payment_id)
  WHERE is_open AND held_by IS NOT NULL;
