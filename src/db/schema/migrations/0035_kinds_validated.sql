-- Keeps no writer waiting.
ALTER TABLE statement_lines VALIDATE CONSTRAINT statement_lines_outcome_check;
ALTER TABLE ledger_transactions VALIDATE CONSTRAINT ledger_transactions_kind_check;
ALTER TABLE balances VALIDATE CONSTRAINT debts_are_repaid_first;
