-- The index of 0023 takes its place.
DO $$
DECLARE
  found text := (SELECT conname FROM pg_constraint
    WHERE conrelid = 'bank_accounts'::regclass AND contype = 'u'
      AND pg_get_constraintdef(oid) = 'UNIQUE (customer_id, environment, end_user_id, fingerprint)');
BEGIN
  EXECUTE format('ALTER TABLE bank_accounts DROP CONSTRAINT %I', found);
END $$;
