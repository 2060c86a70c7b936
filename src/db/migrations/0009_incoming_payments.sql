-- The bank calls the line a credit transfer that somebody else made, whatever reference it carries.
ALTER TABLE statement_lines ADD COLUMN is_incoming_payment boolean NOT NULL DEFAULT false;
