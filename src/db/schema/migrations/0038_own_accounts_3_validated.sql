ALTER TABLE end_users VALIDATE CONSTRAINT end_users_relationship_check;
ALTER TABLE bank_accounts VALIDATE CONSTRAINT bank_accounts_status_check;
ALTER TABLE payments VALIDATE CONSTRAINT payments_kind_check;
