-- What the roles that people work as need about people, and no more.

-- A session is opened, and a code judged, by the surface that it is for: no request of a customer's scope does.
REVOKE EXECUTE ON FUNCTION open_session, open_login_challenge, judge_login_code, find_login_people, is_known_device
  FROM causeway_dashboard;
-- By these functions alone: no statement beside them stores a session or a code, or reads what one is found by.
REVOKE ALL ON login_challenges, access_counters FROM causeway_console;
GRANT SELECT, INSERT, UPDATE, DELETE ON login_challenges, access_counters TO causeway_console_definer;
REVOKE SELECT, INSERT ON sessions FROM causeway_dashboard, causeway_console;
GRANT SELECT, INSERT ON sessions TO causeway_console_definer;
GRANT SELECT (id, surface, user_id, customer_id, operator_id, browser, idle, created_at, last_used_at,
  expires_at, ended_at) ON sessions TO causeway_dashboard, causeway_console;

-- A customer's users write links and end them; that one was used is written where its token was shown.
REVOKE SELECT, INSERT, UPDATE ON invitations FROM causeway_dashboard;
GRANT SELECT (id, customer_id, user_id, created_at, expires_at, used_at, ended_at),
  INSERT (id, customer_id, user_id, token_hash, created_at, expires_at), UPDATE (ended_at)
  ON invitations TO causeway_dashboard;

-- The worker adds customers, and changes none.
REVOKE INSERT, UPDATE ON customers FROM causeway_system;
GRANT INSERT (id, name, status, live_access, created_at) ON customers TO causeway_system;
GRANT UPDATE (status, live_access, requires_passkeys) ON customers TO causeway_console;

-- The transaction that uses a link is the one that makes its user ACTIVE: that there was a link once is not enough.
ALTER TABLE invitations ADD COLUMN used_by_transaction xid8;
CREATE OR REPLACE FUNCTION guard_invitation() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  ending constant text[] := ARRAY['used_at', 'ended_at', 'used_by_transaction'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF num_nonnulls(NEW.used_at, NEW.ended_at, NEW.used_by_transaction) > 0 THEN
      RAISE EXCEPTION 'invitation %: it begins unused', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF num_nonnulls(OLD.used_at, OLD.ended_at) > 0
    OR to_jsonb(NEW) - ending IS DISTINCT FROM to_jsonb(OLD) - ending THEN
    RAISE EXCEPTION 'invitation %: it is over, or not to be changed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  NEW.used_by_transaction := CASE WHEN NEW.used_at IS NOT NULL THEN pg_current_xact_id() END;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_new_invitation BEFORE INSERT ON invitations
  FOR EACH ROW EXECUTE FUNCTION guard_invitation();

CREATE OR REPLACE FUNCTION guard_user_status() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    RAISE EXCEPTION 'user %: a new user is invited', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  -- The link went to the address of then.
  IF NEW.address_hash <> OLD.address_hash AND OLD.status <> 'ACTIVE' THEN
    RAISE EXCEPTION 'user %: only who is ACTIVE has another address', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'ACTIVE' AND OLD.status <> 'ACTIVE' AND (OLD.status <> 'INVITED'
    OR NOT EXISTS (SELECT FROM invitations i WHERE i.user_id = NEW.id
                   AND i.used_by_transaction = pg_current_xact_id_if_assigned())
    OR EXISTS (SELECT FROM invitations i
               WHERE i.user_id = NEW.id AND i.used_at IS NULL AND i.ended_at IS NULL)) THEN
    RAISE EXCEPTION 'user %: the address is not verified', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'INVITED' AND OLD.status = 'ACTIVE' THEN
    RAISE EXCEPTION 'user %: it is in use', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_new_user BEFORE INSERT ON users FOR EACH ROW
  WHEN (NEW.status <> 'INVITED') EXECUTE FUNCTION guard_user_status();
DROP TRIGGER guard_user_status ON users;
CREATE TRIGGER guard_user_status BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.status IS DISTINCT FROM OLD.status OR NEW.address_hash IS DISTINCT FROM OLD.address_hash)
  EXECUTE FUNCTION guard_user_status();
