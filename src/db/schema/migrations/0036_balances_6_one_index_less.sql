-- The one by kind begins with the same columns.
DROP INDEX ledger_entries_by_account;
