CREATE TABLE audit_log (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  customer_id text,
  environment text,
  subject text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'
);
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE POLICY in_scope ON audit_log FOR INSERT TO causeway_app
  WITH CHECK (customer_id = scope_customer() AND environment = scope_environment());
CREATE POLICY system_sees_all ON audit_log TO causeway_system USING (true) WITH CHECK (true);
GRANT INSERT ON audit_log TO causeway_app, causeway_system;
GRANT SELECT ON audit_log TO causeway_system;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What operators decided about payments, and why. Their words stay here: Temporal is told the id alone.
CREATE TABLE operator_decisions (
  id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  action text NOT NULL CHECK (action IN ('RETRY')),
  operator text NOT NULL CHECK (length(operator) BETWEEN 1 AND 100),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  decided_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
CREATE INDEX operator_decisions_of_payment ON operator_decisions (payment_id);
CALL secure_scoped_table('operator_decisions');
GRANT INSERT ON operator_decisions TO causeway_system;
CREATE TRIGGER operator_decisions_is_append_only BEFORE UPDATE OR DELETE ON operator_decisions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A decision that was acted upon. The key makes it good for once.
CREATE TABLE operator_decision_uses (
  decision_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  used_at timestamptz NOT NULL,
  FOREIGN KEY (customer_id, environment, decision_id)
    REFERENCES operator_decisions (customer_id, environment, id)
);
CALL secure_scoped_table('operator_decision_uses');
GRANT INSERT ON operator_decision_uses TO causeway_app;
CREATE TRIGGER operator_decision_uses_is_append_only BEFORE UPDATE OR DELETE
  ON operator_decision_uses FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What operators have stopped from leaving. A column that is null stands for all: both environments,
-- every rail, every customer. A row is written once and completed once, by its resume.
CREATE TABLE release_stops (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  environment text CHECK (environment IN ('test', 'live')),
  rail text,
  customer_id text REFERENCES customers,
  reason text NOT NULL,
  stopped_by text NOT NULL,
  stopped_at timestamptz NOT NULL,
  resumed_by text,
  resumed_at timestamptz,
  resume_reason text,
  CHECK (num_nulls(resumed_by, resumed_at, resume_reason) IN (0, 3))
);
CREATE INDEX release_stops_active ON release_stops (id) WHERE resumed_at IS NULL;
ALTER TABLE release_stops ENABLE ROW LEVEL SECURITY;
ALTER TABLE release_stops FORCE ROW LEVEL SECURITY;
CREATE POLICY concerns_scope ON release_stops FOR SELECT TO causeway_app
  USING ((customer_id IS NULL OR customer_id = scope_customer())
    AND (environment IS NULL OR environment = scope_environment()));
CREATE POLICY system_sees_all ON release_stops TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT ON release_stops TO causeway_app, causeway_system;
GRANT INSERT, UPDATE ON release_stops TO causeway_system;

-- Between `begin` and `end` the database is taken for an older copy of itself: the bank may know
-- transfers that it does not.
CREATE TABLE restore_mode (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  reason text NOT NULL,
  begun_by text NOT NULL,
  begun_at timestamptz NOT NULL,
  ended_by text,
  ended_at timestamptz,
  end_reason text,
  CHECK (num_nulls(ended_by, ended_at, end_reason) IN (0, 3))
);
CREATE UNIQUE INDEX restore_mode_is_begun_once ON restore_mode ((true)) WHERE ended_at IS NULL;
GRANT SELECT ON restore_mode TO causeway_app, causeway_system;
GRANT INSERT, UPDATE ON restore_mode TO causeway_system;

-- Refuses every change but the one that completes a row: the columns named are null before and set
-- after it, and nothing else differs.
CREATE FUNCTION refuse_all_but_completion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  becomes jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    becomes := to_jsonb(NEW);
    IF was - TG_ARGV = becomes - TG_ARGV
       AND NOT EXISTS (SELECT FROM unnest(TG_ARGV) AS named (name)
                       WHERE was -> name <> 'null' OR becomes -> name = 'null') THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'a row of % is only ever completed', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER release_stop_is_only_resumed BEFORE UPDATE OR DELETE ON release_stops
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('resumed_by', 'resumed_at', 'resume_reason');
CREATE TRIGGER restore_mode_is_only_ended BEFORE UPDATE OR DELETE ON restore_mode
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion('ended_by', 'ended_at', 'end_reason');

-- A callback whose reference is no attempt's: evidence that no payment's row can show. Its alarm is
-- marked here once it was raised.
ALTER TABLE transfer_reports ADD COLUMN alarmed_at timestamptz;
CREATE INDEX transfer_reports_unknown ON transfer_reports (id) WHERE payment_id IS NULL;
CREATE INDEX transfer_reports_to_alarm ON transfer_reports (id)
  WHERE payment_id IS NULL AND alarmed_at IS NULL;
CREATE INDEX transfer_reports_without_effect ON transfer_reports (id)
  WHERE effect IN ('CONTRADICTION', 'UNKNOWN_REFERENCE', 'AWAIT_STATEMENT',
    'COMPLETE_AND_AWAIT_STATEMENT');
