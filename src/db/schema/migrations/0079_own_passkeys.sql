-- An owner asks for the removal of a user's lost passkeys. It is handed in, as by a command: one operator takes it up,
-- another one approves it. Whoever writes `user:` into a proposal is an owner who asks about a user of the same customer.
CREATE FUNCTION guard_handed_in_by_user() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.action = 'REMOVE_PASSKEYS' AND NEW.environment = 'live' AND EXISTS (
       SELECT FROM public.users o JOIN public.users u USING (customer_id)
       WHERE 'user:' || o.id = NEW.submitted_by AND o.role = 'OWNER' AND o.status = 'ACTIVE'
         AND o.customer_id = NEW.customer_id
         AND u.id = NEW.subject_id AND u.role <> 'OWNER' AND u.status = 'ACTIVE') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'approval %: an owner asks about a user of theirs', NEW.id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'owners_ask_about_their_users';
END $$;
CREATE TRIGGER guard_handed_in_by_user BEFORE INSERT ON approvals FOR EACH ROW
  WHEN (NEW.submitted_by ILIKE 'user:%') EXECUTE FUNCTION guard_handed_in_by_user();

-- Operators are mailed of it as of all that customers ask for.
ALTER TABLE operator_notices DROP CONSTRAINT operator_notices_kind_check,
  ADD CONSTRAINT operator_notices_kind_check
    CHECK (kind IN ('ADDRESS_PENDING', 'LIVE_REQUEST', 'PASSKEYS_LOST', 'PAYMENT_STUCK'));
