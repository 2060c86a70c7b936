-- Which list of sanctioned names is in force, and how far the look through all subjects has come.
CREATE TABLE screening_lists (
  environment text PRIMARY KEY CHECK (environment IN ('test', 'live')),
  version text NOT NULL CHECK (length(version) BETWEEN 1 AND 200),
  since timestamptz NOT NULL,
  -- When every subject had last been looked up in some list, and in which.
  completed_version text,
  completed_at timestamptz
);
GRANT SELECT ON screening_lists TO causeway_app, causeway_system;
GRANT INSERT, UPDATE ON screening_lists TO causeway_system;

-- The checks are not validated: what is there already has the defaults, and a look at every row would keep
-- writers waiting.
ALTER TABLE end_users
  ADD COLUMN screening_status text NOT NULL DEFAULT 'UNSCREENED',
  ADD COLUMN screening_list text,
  ADD COLUMN screened_at timestamptz;
ALTER TABLE end_users ADD CONSTRAINT end_users_screening_check CHECK
  (screening_status IN ('UNSCREENED', 'CLEAR', 'HIT', 'RELEASED', 'REFUSED')) NOT VALID;
ALTER TABLE bank_accounts
  ADD COLUMN screening_status text NOT NULL DEFAULT 'UNSCREENED',
  ADD COLUMN screening_list text,
  ADD COLUMN screened_at timestamptz;
ALTER TABLE bank_accounts ADD CONSTRAINT bank_accounts_screening_check CHECK
  (screening_status IN ('UNSCREENED', 'CLEAR', 'HIT', 'RELEASED', 'REFUSED')) NOT VALID;
-- What operators decide they write on the subject as well, in the same transaction.
GRANT UPDATE (screening_status, screening_list, screened_at) ON end_users, bank_accounts
  TO causeway_system;

-- A subject that may be on a list. A row is written once and completed once: by operators, or by the
-- case that takes its place. Open while it has no outcome.
CREATE TABLE screening_cases (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text,
  bank_account_id text,
  list_version text NOT NULL,
  names_hash bytea NOT NULL CHECK (octet_length(names_hash) = 32),
  entry_hashes bytea[] NOT NULL,
  -- Sealed: the names that were looked up and the entries that they hit.
  personal bytea NOT NULL,
  opened_at timestamptz NOT NULL,
  outcome text CHECK (outcome IN ('RELEASED', 'REFUSED', 'SUPERSEDED')),
  decided_by text,
  decided_at timestamptz,
  reason text,
  UNIQUE (customer_id, environment, id),
  CHECK (num_nulls(end_user_id, bank_account_id) = 1),
  CHECK (num_nulls(outcome, decided_by, decided_at, reason) IN (0, 4)),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, bank_account_id)
    REFERENCES bank_accounts (customer_id, environment, id)
);
CREATE UNIQUE INDEX one_open_case_an_end_user ON screening_cases (end_user_id) WHERE outcome IS NULL;
CREATE UNIQUE INDEX one_open_case_a_bank_account ON screening_cases (bank_account_id)
  WHERE outcome IS NULL;
CREATE INDEX screening_cases_of_end_user ON screening_cases (end_user_id, seq);
CREATE INDEX screening_cases_of_bank_account ON screening_cases (bank_account_id, seq);
CREATE INDEX screening_cases_open ON screening_cases (environment, seq) WHERE outcome IS NULL;
CALL secure_scoped_table('screening_cases');
GRANT INSERT ON screening_cases TO causeway_app;
GRANT UPDATE (outcome, decided_by, decided_at, reason) ON screening_cases
  TO causeway_app, causeway_system;
-- But what a case says of an erased end-user, or of an account of theirs, is blanked: names, and hashes that
-- would confirm a guess of them.
GRANT UPDATE (personal) ON screening_cases TO causeway_app;
CREATE FUNCTION guard_screening_case_blanking() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  blanked text[] := ARRAY['personal', 'names_hash', 'entry_hashes'];
BEGIN
  IF to_jsonb(NEW) - blanked = to_jsonb(OLD) - blanked AND EXISTS (
    SELECT FROM end_user_keys k WHERE k.wrapped_key IS NULL AND k.end_user_id = coalesce(
      OLD.end_user_id, (SELECT a.end_user_id FROM bank_accounts a WHERE a.id = OLD.bank_account_id))) THEN
    NEW.names_hash := decode(repeat('00', 32), 'hex');
    NEW.entry_hashes := '{}';
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'screening case %: only of an erased end-user, and nothing else', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER screening_case_stays BEFORE DELETE ON screening_cases
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion();
CREATE TRIGGER screening_case_is_only_decided BEFORE UPDATE ON screening_cases FOR EACH ROW
  WHEN (octet_length(NEW.personal) > 0 OR octet_length(OLD.personal) = 0)
  EXECUTE FUNCTION refuse_all_but_completion('outcome', 'decided_by', 'decided_at', 'reason');
CREATE TRIGGER guard_screening_case_blanking BEFORE UPDATE ON screening_cases FOR EACH ROW
  WHEN (octet_length(NEW.personal) = 0 AND octet_length(OLD.personal) > 0)
  EXECUTE FUNCTION guard_screening_case_blanking();

-- What api and worker are may replace a case by a newer one; a release takes the approval that the running
-- transaction uses; a refusal is the operators' own role's to write.
CREATE FUNCTION guard_screening_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.outcome = 'REFUSED' AND current_user = 'causeway_app' THEN
    RAISE EXCEPTION 'screening case %: only operators refuse', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'RELEASED' AND (approval_in_use('SCREENING_RELEASE', NEW.id, 1)).id IS NULL THEN
    RAISE EXCEPTION 'screening case %: a release takes two operators', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_screening_decision BEFORE UPDATE ON screening_cases
  FOR EACH ROW WHEN (NEW.outcome IS DISTINCT FROM OLD.outcome) EXECUTE FUNCTION guard_screening_decision();

-- The database judges again what a subject is called: nothing clears one while a case of it is open, a
-- release needs its row, and a refusal stays. Sealed names that change are names that nobody looked up.
CREATE FUNCTION guard_screening_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outcomes text[];
BEGIN
  IF OLD.personal IS DISTINCT FROM NEW.personal THEN
    NEW.screening_status := CASE OLD.screening_status WHEN 'REFUSED' THEN 'REFUSED' ELSE 'UNSCREENED' END;
    RETURN NEW;
  END IF;
  IF NEW.screening_status IS NOT DISTINCT FROM OLD.screening_status
     OR NEW.screening_status = 'UNSCREENED' AND OLD.screening_status <> 'REFUSED' THEN
    RETURN NEW;
  END IF;
  IF TG_TABLE_NAME = 'end_users' THEN
    outcomes := ARRAY(SELECT coalesce(outcome, 'OPEN') FROM screening_cases WHERE end_user_id = NEW.id);
  ELSE
    outcomes := ARRAY(SELECT coalesce(outcome, 'OPEN') FROM screening_cases WHERE bank_account_id = NEW.id);
  END IF;
  IF OLD.screening_status = 'REFUSED'
     OR NEW.screening_status IN ('CLEAR', 'RELEASED') AND outcomes && ARRAY['OPEN', 'REFUSED']
     OR NEW.screening_status = 'RELEASED' AND NOT 'RELEASED' = ANY (outcomes)
     OR NEW.screening_status = 'REFUSED' AND NOT 'REFUSED' = ANY (outcomes) THEN
    RAISE EXCEPTION '% % cannot be % after %', TG_TABLE_NAME, NEW.id, NEW.screening_status,
      OLD.screening_status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_screening_status BEFORE UPDATE OF personal, screening_status ON end_users
  FOR EACH ROW EXECUTE FUNCTION guard_screening_status();
CREATE TRIGGER guard_screening_status BEFORE UPDATE OF personal, screening_status ON bank_accounts
  FOR EACH ROW EXECUTE FUNCTION guard_screening_status();
