-- What one operator proposed and another decided. `content` holds ids and codes, nothing personal.
CREATE FUNCTION operator_identity(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
-- "Ada", " ada " and "A.da" are one person: letters and digits alone count.
AS $$ SELECT regexp_replace(lower(normalize(name, NFKC)), '[^[:alnum:]]', '', 'g') $$;

CREATE TABLE approvals (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  action text NOT NULL CHECK (action ~ '^[A-Z][A-Z_]{1,39}$'),
  -- The resource that the effect changes, and its version when the proposal was made.
  subject_id text NOT NULL,
  subject_version integer NOT NULL,
  content jsonb NOT NULL,
  content_hash bytea NOT NULL,
  proposed_by text NOT NULL CHECK (operator_identity(proposed_by) <> ''),
  proposed_at timestamptz NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  expires_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('APPROVED', 'REFUSED')),
  decided_by text CHECK (operator_identity(decided_by) <> ''),
  decided_at timestamptz,
  decision_reason text CHECK (length(decision_reason) BETWEEN 1 AND 500),
  UNIQUE (customer_id, environment, id),
  CHECK (num_nulls(decision, decided_by, decided_at, decision_reason) IN (0, 4)),
  CONSTRAINT two_operators_approve CHECK (decision <> 'APPROVED'
    OR operator_identity(decided_by) <> operator_identity(proposed_by)),
  CONSTRAINT decided_in_time CHECK (decision <> 'APPROVED' OR decided_at < expires_at)
);
CREATE INDEX approvals_waiting ON approvals (seq) WHERE decision IS NULL;
-- One question at a time about one thing.
CREATE UNIQUE INDEX one_waiting_approval_a_subject ON approvals (subject_id, action)
  WHERE decision IS NULL;
CALL secure_scoped_table('approvals');
GRANT INSERT, UPDATE ON approvals TO causeway_system;
-- SHA-256 over all that is approved. The database makes it, so that it is never another one's.
CREATE FUNCTION hash_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.content_hash := sha256(convert_to(jsonb_build_array(
    NEW.action, NEW.subject_id, NEW.subject_version, NEW.content)::text, 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER hash_approval BEFORE INSERT ON approvals
  FOR EACH ROW EXECUTE FUNCTION hash_approval();
CREATE TRIGGER approval_is_only_decided BEFORE UPDATE OR DELETE ON approvals
  FOR EACH ROW EXECUTE FUNCTION
    refuse_all_but_completion('decision', 'decided_by', 'decided_at', 'decision_reason');

-- An approval that was acted upon. The key makes it good for once; the transaction's number lets the
-- guards of what it changes see that it is being used.
CREATE TABLE approval_uses (
  approval_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  used_at timestamptz NOT NULL,
  used_by_transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  FOREIGN KEY (customer_id, environment, approval_id)
    REFERENCES approvals (customer_id, environment, id)
);
CALL secure_scoped_table('approval_uses');
GRANT INSERT (approval_id, customer_id, environment, used_at) ON approval_uses TO causeway_app;
CREATE TRIGGER approval_uses_is_append_only BEFORE UPDATE OR DELETE ON approval_uses
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_approval_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM approvals a
                 WHERE a.id = NEW.approval_id AND a.decision = 'APPROVED'
                   AND NEW.used_at < a.expires_at) THEN
    RAISE EXCEPTION 'approval % was not approved, or ran out', NEW.approval_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_approval_use BEFORE INSERT ON approval_uses
  FOR EACH ROW EXECUTE FUNCTION guard_approval_use();

-- For the guards of what approvals change: the approval of this action on this subject, at this version,
-- that the running transaction uses; NULL where it uses none.
CREATE FUNCTION approval_in_use(wanted_action text, wanted_subject text, wanted_version integer)
RETURNS approvals LANGUAGE sql STABLE AS $$
  SELECT a.* FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
  WHERE a.action = wanted_action AND a.subject_id = wanted_subject
    AND a.subject_version = wanted_version AND a.decision = 'APPROVED'
    AND u.used_by_transaction = pg_current_xact_id_if_assigned()
$$;
