-- Keeps no writer waiting.
ALTER TABLE balances VALIDATE CONSTRAINT pending_is_never_negative;
