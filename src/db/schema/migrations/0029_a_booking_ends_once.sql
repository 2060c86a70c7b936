-- Two lines that show one booking move its money once, whether acts end them or credits are made of them.

-- Which other line that shows the same booking has moved its money, in words: an act that stands has ended it, it closes
-- or takes back a credit, or it shows one that is in the books. Null where there is none. As in
-- is_debit_of_another_credit, a booking is a reference of the bank, amount, direction, and place among equal ones,
-- within 36 hours. `but_credit`: what this credit explains does not count, nor do other credits that came in: whether
-- they are the same one was judged when they arrived. Lines are of any customer, so the function sees all.
CREATE FUNCTION booking_moved_by(in_statement bigint, in_line integer, but_credit text DEFAULT NULL) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH wanted AS (
    SELECT l.statement_id, l.line, l.environment, s.connector, l.direction, l.currency, l.amount
    FROM statement_lines l JOIN statements s ON s.id = l.statement_id
    WHERE l.statement_id = in_statement AND l.line = in_line
      AND coalesce(l.bank_reference, encode(l.booking_key, 'hex')) IS NOT NULL
  ), credits AS (
    SELECT c.* FROM wanted w JOIN incoming_credits c ON c.environment = w.environment
      AND c.connector = w.connector AND c.currency = w.currency AND c.amount = w.amount
      -- The index has minor units: those of a currency with so many digits.
      AND c.minor IN (SELECT (w.amount * 10::numeric ^ digits)::bigint FROM generate_series(0, 4) digits
        WHERE w.amount < 10::numeric ^ 14)
    WHERE c.id IS DISTINCT FROM but_credit
  ), taken AS (
    SELECT l.statement_id, l.line, 'act ' || a.id || ' has ended it' AS how FROM wanted w
      JOIN exception_acts a ON a.environment = w.environment
        AND a.act IN ('WRITE_OFF', 'CREDIT_RETURN', 'RECOVER') AND a.exception_id ~ '^[0-9]+/[0-9]+$'
        AND a.content ->> 'direction' = w.direction AND (a.content ->> 'amount')::numeric = w.amount
        AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id)
      JOIN statement_lines l ON l.statement_id = split_part(a.exception_id, '/', 1)::bigint
        AND l.line = split_part(a.exception_id, '/', 2)::integer
    UNION ALL SELECT c.closing_statement_id, c.closing_line, 'it closed credit ' || c.id FROM credits c
      WHERE c.closing_line IS NOT NULL AND (c.closing_statement_id, c.closing_line) <> (c.statement_id, c.line)
    UNION ALL SELECT r.statement_id, r.line, 'it took back credit ' || r.credit_id
      FROM credits c JOIN credit_reversals r ON r.credit_id = c.id
    UNION ALL SELECT l.statement_id, l.line, 'it belongs to credit ' || c.id
      FROM credits c JOIN statement_lines l ON l.credit_id = c.id
      WHERE l.exception = 'UNEXPECTED_AT_BANK' OR l.direction = 'CRDT' AND but_credit IS NULL
        -- One that operators found to be the same as another one never came.
        AND (c.closing_statement_id, c.closing_line) IS DISTINCT FROM (c.statement_id, c.line)
  ), places AS (
    SELECT statement_id, line FROM wanted UNION SELECT statement_id, line FROM taken
  ), shown AS (
    SELECT l.statement_id, l.line, l.booked_at, s.bank_statement_id, b.booking, (
        SELECT count(*) FROM statement_lines n
        WHERE n.statement_id = l.statement_id AND n.line <= l.line AND n.direction = l.direction
          AND n.booked AND n.currency = l.currency AND n.amount = l.amount
          AND coalesce(n.bank_reference, encode(n.booking_key, 'hex')) = b.booking) AS number
    FROM places JOIN statement_lines l USING (statement_id, line)
      JOIN wanted w ON w.direction = l.direction AND w.currency = l.currency AND w.amount = l.amount
      JOIN statements s ON s.id = l.statement_id AND s.connector = w.connector
      CROSS JOIN LATERAL (SELECT coalesce(l.bank_reference, encode(l.booking_key, 'hex')) AS booking) b
  )
  SELECT 'Line ' || other.line || ' of statement ' || other.bank_statement_id
      || ' shows the same booking, and ' || t.how || '.'
  FROM shown one
    JOIN shown other ON (other.statement_id, other.line) <> (one.statement_id, one.line)
      AND other.booking = one.booking AND other.number = one.number
      AND (other.booked_at BETWEEN one.booked_at - interval '36 hours'
        AND one.booked_at + interval '36 hours') IS NOT FALSE
    JOIN taken t ON (t.statement_id, t.line) = (other.statement_id, other.line)
  WHERE (one.statement_id, one.line) = (in_statement, in_line)
  ORDER BY other.statement_id, other.line LIMIT 1
$$;
REVOKE ALL ON FUNCTION booking_moved_by FROM PUBLIC;
GRANT EXECUTE ON FUNCTION booking_moved_by TO causeway_system;

-- In words, which line of a statement shows a debit of a payment, under the reference of any of its attempts; also one
-- that is not judged yet. Null where none does. Lines are of any customer, so the function sees all.
CREATE FUNCTION debit_shown_of(wanted_payment text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'Line ' || l.line || ' of statement ' || s.bank_statement_id || ' shows that the bank paid it.'
  FROM settlement_attempts a
    JOIN statement_lines l ON l.environment = a.environment AND upper(l.reference) = a.reference
      AND l.direction = 'DBIT' AND l.booked
    JOIN statements s ON s.id = l.statement_id AND s.status <> 'UNREADABLE'
  WHERE a.payment_id = wanted_payment ORDER BY l.statement_id, l.line LIMIT 1
$$;
REVOKE ALL ON FUNCTION debit_shown_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION debit_shown_of TO causeway_system;

-- As before. No act gives back as never paid what a statement shows. No act books money of a line whose booking another line has moved.
CREATE OR REPLACE FUNCTION guard_exception_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  in_statement bigint := substring(NEW.exception_id FROM '^([0-9]+)/[0-9]+$')::bigint;
  moved text;
BEGIN
  IF NOT EXISTS (SELECT FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
      WHERE a.id = NEW.approval_id AND a.decision = 'APPROVED'
        AND u.used_by_transaction = pg_current_xact_id_if_assigned()
        AND a.customer_id = NEW.customer_id AND a.environment = NEW.environment
        AND a.content = NEW.content AND a.content ->> 'act' = NEW.act
        AND CASE NEW.act WHEN 'REVERSE' THEN a.action = 'EXCEPTION_REVERSAL' AND a.subject_id = NEW.reverses
          ELSE a.action = 'EXCEPTION_ACT' AND a.subject_id = NEW.exception_id END) THEN
    RAISE EXCEPTION 'exception %: no two operators have approved this', NEW.exception_id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.act <> 'REVERSE' AND in_statement IS NOT NULL THEN
    -- The lock of src/db/ledger/early-reversal-store.ts: of two lines that show one booking, one is ended at a time.
    PERFORM pg_advisory_xact_lock(hashtextextended('credits:' || s.environment || ':' || s.connector, 0))
      FROM statements s WHERE s.id = in_statement;
  END IF;
  -- A line explains one thing: no credit is closed by it meanwhile.
  PERFORM FROM statement_lines l
    WHERE l.statement_id::text || '/' || l.line::text = NEW.exception_id
      AND l.statement_id = substring(NEW.exception_id FROM '^[0-9]+')::bigint FOR UPDATE;
  IF NEW.act = 'REVERSE' THEN
    IF NOT EXISTS (SELECT FROM exception_acts was WHERE was.id = NEW.reverses AND was.act <> 'REVERSE'
        AND was.exception_id = NEW.exception_id AND was.round = NEW.round
        AND was.customer_id = NEW.customer_id AND was.environment = NEW.environment) THEN
      RAISE EXCEPTION 'exception %: only an act that ended it is reversed', NEW.exception_id
        USING ERRCODE = 'check_violation';
    END IF;
  ELSIF NEW.exception_id ~ '^[0-9]+/[0-9]+$' AND NOT EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id = substring(NEW.exception_id FROM '^[0-9]+')::bigint
        AND l.line = substring(NEW.exception_id FROM '[0-9]+$')::integer
        AND l.outcome = 'EXCEPTION' AND l.exception = NEW.exception) THEN
    RAISE EXCEPTION 'exception %: its line is none any more', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  ELSIF NEW.round <> 1 + (SELECT count(*) FROM exception_acts r
        WHERE r.exception_id = NEW.exception_id
          AND (r.act = 'REVERSE') = (NEW.exception_id !~ '^pay_')) THEN
    RAISE EXCEPTION 'exception %: an act has ended it', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  ELSIF EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id::text || '/' || l.line::text = NEW.exception_id
        AND l.statement_id = substring(NEW.exception_id FROM '^[0-9]+')::bigint
        AND (l.credit_id IS NOT NULL AND l.exception <> 'DUPLICATE_AT_BANK' OR EXISTS (SELECT FROM incoming_credits c
          WHERE c.closing_statement_id = l.statement_id AND c.closing_line = l.line))) THEN
    RAISE EXCEPTION 'exception %: a credit explains it', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  ELSIF NEW.act = 'CREDIT_RETURN' AND NEW.exception = 'MISSING_AT_BANK' THEN
    moved := debit_shown_of(NEW.payment_id);
    IF moved IS NOT NULL OR NEW.exception_id IS DISTINCT FROM NEW.payment_id OR NOT EXISTS (SELECT FROM payments p
        WHERE p.id = NEW.payment_id AND p.reconciliation_status = 'EXCEPTION'
          AND p.reconciliation_evidence ->> 'exception' = 'MISSING_AT_BANK') THEN
      RAISE EXCEPTION '%', coalesce(moved, 'The payment is not missing at the bank any more.')
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
    END IF;
  ELSIF NEW.act IN ('WRITE_OFF', 'CREDIT_RETURN', 'RECOVER') AND in_statement IS NOT NULL THEN
    moved := booking_moved_by(in_statement, substring(NEW.exception_id FROM '[0-9]+$')::integer);
    IF moved IS NOT NULL THEN
      RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
    END IF;
  END IF;
  RETURN NEW;
END $$;

-- As before. And no credit leaves suspense whose booking an act has moved, by another line that shows it: the credit's
-- or the debit's that closes it. One that never came may be dismissed.
CREATE OR REPLACE FUNCTION refuse_closing_by_ended_line() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text;
BEGIN
  IF NEW.closing_line IS NOT NULL THEN
    PERFORM FROM statement_lines l
      WHERE l.statement_id = NEW.closing_statement_id AND l.line = NEW.closing_line FOR UPDATE;
    IF is_exception_ended(NEW.closing_statement_id::text || '/' || NEW.closing_line::text) THEN
      RAISE EXCEPTION 'incoming credit %: an act has ended the line that closes it', NEW.id
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_line_explains_one_thing';
    END IF;
  END IF;
  IF (NEW.closing_statement_id, NEW.closing_line) IS DISTINCT FROM (NEW.statement_id, NEW.line) THEN
    SELECT min(m.moved) INTO moved FROM (
      SELECT NEW.closing_statement_id, NEW.closing_line WHERE NEW.closing_line IS NOT NULL
      UNION SELECT l.statement_id, l.line FROM statement_lines l WHERE l.credit_id = NEW.id AND l.direction = 'CRDT'
      UNION SELECT NEW.statement_id, NEW.line) AS own (statement_id, line)
      CROSS JOIN LATERAL booking_moved_by(own.statement_id, own.line, NEW.id) AS m (moved);
    IF moved IS NOT NULL THEN
      RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
    END IF;
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER refuse_closing_by_ended_line ON incoming_credits;
CREATE TRIGGER refuse_closing_by_ended_line BEFORE UPDATE ON incoming_credits FOR EACH ROW
  WHEN (OLD.outcome IS NULL AND NEW.outcome IN ('ASSIGNED', 'CLOSED'))
  EXECUTE FUNCTION refuse_closing_by_ended_line();

-- As before. It also waits for acts where a credit is assigned.
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
  -- The lock of src/db/ledger/early-reversal-store.ts. What was committed before it was given is seen below, also by
  -- refuse_closing_by_ended_line.
  PERFORM pg_advisory_xact_lock(hashtextextended('credits:' || c.environment || ':' || c.connector, 0))
    FROM incoming_credits c WHERE c.id = wanted;
  RETURN QUERY
    UPDATE incoming_credits c SET outcome = wanted_outcome, decided_at = decided,
      customer_id = CASE wanted_outcome WHEN 'ASSIGNED' THEN approval.customer_id END,
      closing_statement_id = closing_statement, closing_line = closing_at_line
    WHERE c.id = wanted AND c.environment = approval.environment AND c.outcome IS NULL
      AND c.minor IS NOT NULL
      AND (wanted_outcome = 'ASSIGNED'
        OR c.unmatched_reason = 'POSSIBLE_DUPLICATE'
          AND (closing_statement, closing_at_line) = (c.statement_id, c.line)
        OR EXISTS (
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

-- As before. The decision about a late return ends the line that showed it first, and no other one.
CREATE OR REPLACE FUNCTION open_exceptions_of(wanted_payment text) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT count(*) FROM statement_lines l
  WHERE l.payment_id = wanted_payment AND l.outcome = 'EXCEPTION'
    AND l.customer_id = scope_customer() AND l.environment = scope_environment()
    AND NOT is_exception_ended(l.statement_id::text || '/' || l.line::text)
    AND NOT (l.exception = 'LATE_RETURN' AND EXISTS (SELECT FROM late_returns d
      WHERE d.payment_id = l.payment_id AND d.decision IS NOT NULL)
      AND NOT EXISTS (SELECT FROM statement_lines f WHERE f.payment_id = l.payment_id
        AND f.exception = 'LATE_RETURN' AND (f.statement_id, f.line) < (l.statement_id, l.line)))
$$;

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION debit_shown_of OWNER TO causeway_system_definer;
ALTER FUNCTION booking_moved_by OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
