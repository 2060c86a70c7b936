-- no transaction
-- READY counts too: a second attempt can never stand beside one that may still be sent.
CREATE UNIQUE INDEX CONCURRENTLY one_unended_attempt_a_payment ON settlement_attempts (payment_id)
  WHERE phase IN ('READY', 'SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED');
