-- The sweep pages by id through the checks that are not decided; the old index served its first page only.
DROP INDEX kyc_checks_unopened;
CREATE INDEX kyc_checks_undecided ON kyc_checks (id)
  WHERE status IN ('PENDING', 'IN_REVIEW', 'RESUBMISSION_REQUIRED');

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
