-- Keeps no writer waiting.
ALTER TABLE chain_transactions VALIDATE CONSTRAINT chain_transactions_kind_check;
ALTER TABLE chain_transactions VALIDATE CONSTRAINT chain_transactions_value;
