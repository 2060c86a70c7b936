-- The end-user that stands for the customer itself, and its own accounts: a payment there is a withdrawal.
-- The checks are not validated here: what is there already has the defaults, and a look at every row would
-- keep writers waiting.
ALTER TABLE end_users ADD COLUMN relationship text NOT NULL DEFAULT 'CLIENT';
ALTER TABLE end_users ADD CONSTRAINT end_users_relationship_check CHECK
  (relationship = 'CLIENT' OR relationship = 'SELF' AND type = 'BUSINESS') NOT VALID;

-- A proposed own account of a customer is PENDING until a second operator approves it.
ALTER TABLE bank_accounts DROP CONSTRAINT bank_accounts_status_check;
ALTER TABLE bank_accounts ADD CONSTRAINT bank_accounts_status_check CHECK
  (status IN ('PENDING', 'ACTIVE', 'DISABLED')) NOT VALID;

ALTER TABLE payments ADD COLUMN kind text NOT NULL DEFAULT 'PAYOUT';
ALTER TABLE payments ADD CONSTRAINT payments_kind_check CHECK
  (kind IN ('PAYOUT', 'WITHDRAWAL')) NOT VALID;

CREATE FUNCTION refuse_change_of_own_entity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'end-user %: whose it is never changes, and a customer''s own is not closed', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER own_entity_stays BEFORE UPDATE OF relationship, status ON end_users FOR EACH ROW
  WHEN (NEW.relationship <> OLD.relationship
    OR NEW.relationship = 'SELF' AND NEW.status = 'CLOSED')
  EXECUTE FUNCTION refuse_change_of_own_entity();

-- In live a customer's own account may be paid to once two operators have approved just this account, and
-- is never another one's or another account afterwards: who has stolen a key must not send all the money
-- to an account of theirs.
CREATE FUNCTION guard_own_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  approved jsonb;
BEGIN
  IF NOT EXISTS (SELECT FROM end_users e
                 WHERE e.id = NEW.end_user_id AND e.relationship = 'SELF') THEN
    -- An account that moved to somebody else would still be the customer's own to those who approved it.
    IF TG_OP = 'INSERT' OR OLD.end_user_id = NEW.end_user_id THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'UPDATE' AND to_jsonb(NEW) - ARRAY['status', 'version', 'updated_at']
      = to_jsonb(OLD) - ARRAY['status', 'version', 'updated_at'] THEN
    IF NEW.status <> 'ACTIVE' OR OLD.status = 'ACTIVE' THEN
      RETURN NEW;
    END IF;
    approved := (approval_in_use('OWN_ACCOUNT', OLD.id, OLD.version)).content;
    IF OLD.status = 'PENDING' AND NEW.version = OLD.version + 1
        AND approved ->> 'fingerprint' = OLD.fingerprint THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'bank account %: a customer''s own account takes two operators', NEW.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER own_account_is_not_made_active BEFORE INSERT ON bank_accounts FOR EACH ROW
  WHEN (NEW.environment = 'live' AND NEW.status = 'ACTIVE')
  EXECUTE FUNCTION guard_own_account();
CREATE TRIGGER own_account_takes_two_operators
  BEFORE UPDATE OF status, customer_id, environment, end_user_id, country, currency, rail, holder_type,
    fingerprint, personal ON bank_accounts FOR EACH ROW
  WHEN (NEW.environment = 'live' OR OLD.environment = 'live')
  EXECUTE FUNCTION guard_own_account();

CREATE FUNCTION guard_payment_kind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR NOT EXISTS (SELECT FROM end_users e
      WHERE e.id = NEW.end_user_id AND e.relationship = 'SELF') THEN
    RAISE EXCEPTION 'payment % is no withdrawal, or was said to be another kind', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawal_is_of_own_entity BEFORE INSERT ON payments FOR EACH ROW
  WHEN (NEW.kind = 'WITHDRAWAL') EXECUTE FUNCTION guard_payment_kind();
CREATE TRIGGER kind_of_payment_is_kept BEFORE UPDATE OF kind ON payments FOR EACH ROW
  WHEN (NEW.kind <> OLD.kind) EXECUTE FUNCTION guard_payment_kind();
