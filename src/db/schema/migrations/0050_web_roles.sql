-- What people work as. causeway_dashboard is the application bound to one scope, causeway_console sees
-- every scope; both are groups without a login, and only they write keys and addresses. SET FALSE: a
-- login of theirs cannot put on the role of api and worker. Looked for first: CREATE ROLE asks for CREATEROLE
-- before it looks whether the role is there.
DO $$
BEGIN
  IF to_regrole('causeway_dashboard') IS NULL THEN
    CREATE ROLE causeway_dashboard NOLOGIN NOBYPASSRLS;
  END IF;
END $$;

DO $$
BEGIN
  IF to_regrole('causeway_console') IS NULL THEN
    CREATE ROLE causeway_console NOLOGIN NOBYPASSRLS;
  END IF;
END $$;

GRANT causeway_app TO causeway_dashboard WITH INHERIT TRUE, SET FALSE;
GRANT causeway_system TO causeway_console WITH INHERIT TRUE, SET FALSE;
GRANT causeway_dashboard, causeway_console TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO causeway_dashboard, causeway_console;

-- Neither api nor worker can make a key, widen one, or let an address in.
REVOKE INSERT, UPDATE ON api_keys, api_key_addresses FROM causeway_system;
GRANT INSERT, UPDATE ON api_keys, api_key_addresses TO causeway_console;
-- The status is left out: what a customer proposes is PENDING.
GRANT INSERT (id, customer_id, environment, public_id, name, token_hmac, last4, scopes,
  open_to_any_address, expires_at, created_at) ON api_keys TO causeway_dashboard;
GRANT INSERT (customer_id, environment, api_key_id, range, created_at) ON api_key_addresses
  TO causeway_dashboard;

-- The last use of a key is the one thing about it that the API writes.
GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION touch_api_keys(jsonb) OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;

-- A role that inherits causeway_app's rights is refused what causeway_app is refused by name.
CREATE FUNCTION guard_screening_refusal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_has_role(current_user, 'causeway_system', 'USAGE') THEN
    RAISE EXCEPTION 'screening case %: only operators refuse', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_screening_refusal BEFORE UPDATE ON screening_cases FOR EACH ROW
  WHEN (NEW.outcome = 'REFUSED' AND NEW.outcome IS DISTINCT FROM OLD.outcome)
  EXECUTE FUNCTION guard_screening_refusal();

-- Forms that were sent. A form's id is drawn at random when its page is made and is good for one insert;
-- it may be forgotten once the form has expired, which its own text says.
CREATE TABLE form_uses (
  form_id bytea PRIMARY KEY CHECK (octet_length(form_id) = 16),
  expires_at timestamptz NOT NULL
);
CREATE INDEX form_uses_by_expiry ON form_uses (expires_at);
ALTER TABLE form_uses ENABLE ROW LEVEL SECURITY;
ALTER TABLE form_uses FORCE ROW LEVEL SECURITY;
CREATE POLICY forms_are_used ON form_uses FOR INSERT TO causeway_dashboard, causeway_console
  WITH CHECK (true);
CREATE POLICY uses_are_seen ON form_uses FOR SELECT TO causeway_dashboard, causeway_console
  USING (true);
CREATE POLICY expired_ones_go ON form_uses FOR DELETE TO causeway_dashboard, causeway_console
  USING (expires_at < clock_timestamp());
GRANT SELECT, INSERT, DELETE ON form_uses TO causeway_dashboard, causeway_console;
