-- A credit is the return of a payout only where the bank marks it as one. What the bank does not mark is
-- a payment that another party made to us, whatever reference it carries.
ALTER TABLE statement_lines DROP COLUMN is_incoming_payment;
ALTER TABLE statement_lines ADD COLUMN is_return boolean NOT NULL DEFAULT false;

-- OFFSET: cancels out with another line of its payment on the same statement.
ALTER TABLE statement_lines DROP CONSTRAINT statement_lines_outcome_check;
ALTER TABLE statement_lines ADD CONSTRAINT statement_lines_outcome_check
  CHECK (outcome IN ('RECONCILED', 'RETURN', 'OFFSET', 'EXCEPTION', 'IGNORED'));
-- A payment's lines are counted over the whole statement before the first of them is judged.
CREATE INDEX statement_lines_named ON statement_lines (statement_id, upper(reference))
  WHERE booked AND reference IS NOT NULL;

-- What speaks to the bank is a connector; a rail is SEPA, ACH, ...
ALTER TABLE statements RENAME COLUMN rail TO connector;

-- When the alarm was given: it follows a commit, so what is unmarked is given (again) by the next run.
ALTER TABLE statement_lines ADD COLUMN alarmed_at timestamptz;
CREATE INDEX statement_lines_to_alarm ON statement_lines (statement_id, line)
  WHERE outcome = 'EXCEPTION' AND alarmed_at IS NULL;
CREATE INDEX statement_lines_without_payment ON statement_lines (statement_id DESC, line)
  WHERE outcome = 'EXCEPTION' AND payment_id IS NULL;
-- The same for what is wrong with the statement itself.
ALTER TABLE statements ADD COLUMN alarmed_at timestamptz;
CREATE INDEX statements_with_problems ON statements (id DESC) WHERE problems <> '[]';
CREATE INDEX statements_to_alarm ON statements (environment, connector, id)
  WHERE alarmed_at IS NULL AND problems <> '[]';

-- A bank may count anew (at 1 in a new year): that is a new series, and (series, sequence) is the order.
-- REFUSED: its number is not credible; kept for an operator, and in nobody's way.
ALTER TABLE statements ADD COLUMN series integer NOT NULL DEFAULT 1;
ALTER TABLE statements DROP CONSTRAINT statements_environment_rail_sequence_key;
CREATE UNIQUE INDEX statements_by_sequence ON statements (environment, connector, series, sequence)
  WHERE status <> 'REFUSED';
ALTER TABLE statements DROP CONSTRAINT statements_status_check;
ALTER TABLE statements ADD CONSTRAINT statements_status_check
  CHECK (status IN ('LISTED', 'READ', 'RECONCILED', 'UNREADABLE', 'REFUSED'));
DROP INDEX statements_unfinished;
CREATE INDEX statements_unfinished ON statements (environment, connector, series, sequence)
  WHERE status NOT IN ('RECONCILED', 'REFUSED');
