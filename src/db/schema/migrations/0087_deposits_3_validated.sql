-- Keeps no writer waiting.
ALTER TABLE ledger_transactions VALIDATE CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE ledger_transactions VALIDATE CONSTRAINT deposits_move_by_their_kinds;
ALTER TABLE ledger_transactions VALIDATE CONSTRAINT ledger_transactions_deposit_fkey;
