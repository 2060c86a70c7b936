-- A bank may show one debit on several statements, each a line of its own: an intraday statement and that of the
-- day. However many lines show it, it explains one credit.

-- Whether a debit, on whichever line of whichever statement, has closed, taken back or answered another credit. Of the
-- credits of one amount, only those can be another's. Lines of one bank show one debit where they bear the same
-- reference of the bank and amount, are the same in number of such lines on their statements, and were booked
-- within the 36 hours of its days; a line without a reference is a debit of its own.
CREATE FUNCTION is_debit_of_another_credit(wanted text, in_statement bigint, in_line integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  WITH others AS (
    SELECT o.id, o.closing_statement_id, o.closing_line FROM incoming_credits c
      JOIN incoming_credits o USING (environment, connector, currency, minor)
    WHERE c.id = wanted AND o.id <> wanted
  ), taken AS (
    SELECT o.closing_statement_id AS statement_id, o.closing_line AS line FROM others o
      WHERE o.closing_line IS NOT NULL
    UNION SELECT r.statement_id, r.line FROM credit_reversals r JOIN others o ON o.id = r.credit_id
    UNION SELECT l.statement_id, l.line FROM statement_lines l JOIN others o ON o.id = l.credit_id
      WHERE l.exception = 'UNEXPECTED_AT_BANK'
  ), shown AS (
    SELECT l.statement_id, l.line, l.booked_at, b.booking, (
        SELECT count(*) FROM statement_lines n
        WHERE n.statement_id = l.statement_id AND n.line <= l.line AND n.direction = 'DBIT'
          AND n.booked AND n.currency = l.currency AND n.amount = l.amount
          AND coalesce(n.bank_reference, encode(n.booking_key, 'hex')) = b.booking) AS number
    FROM (SELECT in_statement AS statement_id, in_line AS line UNION SELECT statement_id, line FROM taken) place
      JOIN statement_lines l USING (statement_id, line)
      CROSS JOIN LATERAL (SELECT coalesce(l.bank_reference, encode(l.booking_key, 'hex')) AS booking) b
  )
  SELECT EXISTS (SELECT FROM shown one
    JOIN shown other ON (other.statement_id, other.line) = (one.statement_id, one.line)
      OR other.booking = one.booking AND other.number = one.number
        AND (other.booked_at BETWEEN one.booked_at - interval '36 hours'
          AND one.booked_at + interval '36 hours') IS NOT FALSE
    JOIN taken t ON (t.statement_id, t.line) = (other.statement_id, other.line)
    WHERE (one.statement_id, one.line) = (in_statement, in_line))
$$;

-- As 0046_lines_of_other_credits has it, and two rules more. What was shown before is told from what is
-- new by the booking. And money leaves after it came: a debit from before the credit is another one's.
CREATE OR REPLACE FUNCTION take_unmatched_credit(wanted text, wanted_outcome text, closing_statement bigint,
  closing_at_line integer, decided timestamptz)
RETURNS TABLE (currency text, minor bigint, connector text, booked_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  action text := CASE wanted_outcome WHEN 'ASSIGNED' THEN 'CREDIT_ASSIGNMENT' WHEN 'CLOSED' THEN 'CREDIT_CLOSING' END;
  approval approvals := approval_in_use(action, wanted, 1);
BEGIN
  IF approval.id IS NULL OR approval.customer_id <> scope_customer()
     OR approval.environment <> scope_environment() THEN
    RAISE EXCEPTION 'credit %: this takes two operators', wanted USING ERRCODE = 'check_violation';
  END IF;
  IF wanted_outcome = 'CLOSED' THEN
    -- The lock of src/db/ledger/early-reversal-store.ts. What was committed before it was given is seen below.
    PERFORM pg_advisory_xact_lock(hashtextextended('credits:' || c.environment || ':' || c.connector, 0))
      FROM incoming_credits c WHERE c.id = wanted;
  END IF;
  RETURN QUERY
    UPDATE incoming_credits c SET outcome = wanted_outcome, decided_at = decided,
      customer_id = CASE wanted_outcome WHEN 'ASSIGNED' THEN approval.customer_id END,
      closing_statement_id = closing_statement, closing_line = closing_at_line
    WHERE c.id = wanted AND c.environment = approval.environment AND c.outcome IS NULL
      AND c.minor IS NOT NULL
      AND (wanted_outcome = 'ASSIGNED' OR EXISTS (
        SELECT FROM statement_lines l JOIN statements s ON s.id = l.statement_id
        WHERE l.statement_id = closing_statement AND l.line = closing_at_line
          AND l.exception = 'UNEXPECTED_AT_BANK' AND l.payment_id IS NULL AND l.direction = 'DBIT'
          AND (l.credit_id IS NULL OR l.credit_id = c.id)
          AND l.environment = c.environment AND s.connector = c.connector
          AND l.currency = c.currency AND l.amount = c.amount
          AND (l.booked_at >= c.booked_at - interval '36 hours') IS NOT FALSE
          AND NOT is_debit_of_another_credit(c.id, l.statement_id, l.line)))
    RETURNING c.currency, c.minor, c.connector, c.booked_at;
END $$;
