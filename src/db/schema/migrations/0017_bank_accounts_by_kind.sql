-- no transaction
-- The list's filters: a rare kind of account is found without a walk through all of them.
CREATE INDEX CONCURRENTLY bank_accounts_by_kind ON bank_accounts
  (customer_id, environment, status, rail, country, currency, seq DESC);
