-- Keeps no writer waiting.
ALTER TABLE deposits VALIDATE CONSTRAINT deposits_status_check;
ALTER TABLE deposits VALIDATE CONSTRAINT blocked_is_in_suspense;
ALTER TABLE ledger_transactions VALIDATE CONSTRAINT ledger_transactions_kind_check;
