-- Keeps no writer waiting.
ALTER TABLE ledger_transactions VALIDATE CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE statement_lines VALIDATE CONSTRAINT statement_lines_exception_check;
