-- no transaction
-- One ACTIVE row an account: one that was disabled, a wrong holder name for example, can be given anew.
CREATE UNIQUE INDEX CONCURRENTLY one_active_bank_account ON bank_accounts
  (customer_id, environment, end_user_id, fingerprint) WHERE status = 'ACTIVE';
