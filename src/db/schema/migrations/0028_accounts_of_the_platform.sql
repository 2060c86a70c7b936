-- Where the platform books differences that an operator accepts.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_account_check,
  ADD CONSTRAINT ledger_entries_account_check CHECK (account ~
    '^(available|reserved|pending|receivable|fx|fees|rounding|suspense|bank_charges|fx_difference|goodwill|nostro:[A-Z_]+)$')
    NOT VALID;
