-- A return that the bank marks, and that names no payment of ours, is in suspense at once. An act takes it out as the
-- return of a payment; the reversal of the act puts it back.

-- The outcomes that were there, and one. TIED: an act ties it to a cover trade.
ALTER TABLE incoming_credits DROP CONSTRAINT incoming_credits_outcome_check,
  ADD CONSTRAINT incoming_credits_outcome_check CHECK
    (outcome IN ('CREDITED', 'ASSIGNED', 'CLOSED', 'REVERSED', 'TIED', 'RETURNED')) NOT VALID;

-- Whether the bank marks a credit as a return, on any report that shows it.
CREATE FUNCTION is_marked_return(wanted text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM incoming_credits c
      JOIN statement_lines l ON l.statement_id = c.statement_id AND l.line = c.line
      WHERE c.id = wanted AND l.direction = 'CRDT' AND l.is_return)
    OR EXISTS (SELECT FROM statement_lines l
      WHERE l.credit_id = wanted AND l.direction = 'CRDT' AND l.is_return)
$$;
REVOKE ALL ON FUNCTION is_marked_return FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_marked_return TO causeway_system;

-- The unmatched credit that a line was the first to show. No row where there is none.
CREATE FUNCTION credit_first_shown_by(in_statement bigint, in_line integer) RETURNS SETOF incoming_credits
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.* FROM statement_lines l JOIN incoming_credits c ON c.id = l.credit_id
  WHERE l.statement_id = in_statement AND l.line = in_line
    AND c.statement_id = l.statement_id AND c.line = l.line AND c.unmatched_reason IS NOT NULL
$$;
REVOKE ALL ON FUNCTION credit_first_shown_by FROM PUBLIC;

-- No reference credits a customer with a marked return. The release before this one does not know that: it leaves the
-- line to this release.
CREATE FUNCTION guard_marked_return() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM statement_lines l WHERE l.statement_id = NEW.statement_id AND l.line = NEW.line
      AND l.direction = 'CRDT' AND l.is_return) THEN
    RAISE EXCEPTION 'incoming credit %: the bank marks it as a return', NEW.id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_marked_return BEFORE INSERT ON incoming_credits FOR EACH ROW
  WHEN (NEW.unmatched_reason IS NULL
    OR NEW.unmatched_reason NOT IN ('MARKED_RETURN', 'POSSIBLE_DUPLICATE', 'AMOUNT_UNUSABLE'))
  EXECUTE FUNCTION guard_marked_return();

-- A credit is returned by an act that stands, and waits again once that act was reversed.
CREATE FUNCTION guard_returned_credit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  decided text[] := ARRAY['outcome', 'decided_at'];
BEGIN
  IF to_jsonb(NEW) - decided = to_jsonb(OLD) - decided
     AND (CASE WHEN OLD.outcome IS NULL THEN NEW.outcome = 'RETURNED' ELSE NEW.outcome IS NULL END)
     AND is_exception_ended(NEW.statement_id::text || '/' || NEW.line::text) = (NEW.outcome IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'incoming credit % is only returned by an act', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER incoming_credit_is_decided_once ON incoming_credits;
CREATE TRIGGER incoming_credit_is_decided_once BEFORE UPDATE ON incoming_credits FOR EACH ROW
  WHEN (OLD.outcome IS DISTINCT FROM 'RETURNED' AND NEW.outcome IS DISTINCT FROM 'RETURNED')
  EXECUTE FUNCTION guard_incoming_credit();
CREATE TRIGGER incoming_credit_stays BEFORE DELETE ON incoming_credits
  FOR EACH ROW EXECUTE FUNCTION guard_incoming_credit();
CREATE TRIGGER guard_returned_credit BEFORE UPDATE ON incoming_credits FOR EACH ROW
  WHEN (OLD.outcome = 'RETURNED' OR NEW.outcome = 'RETURNED') EXECUTE FUNCTION guard_returned_credit();

-- As before. And a marked return that waits in suspense ends as the return of a payment, whole: nothing else of it.
CREATE OR REPLACE FUNCTION guard_exception_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  in_statement bigint := substring(NEW.exception_id FROM '^([0-9]+)/[0-9]+$')::bigint;
  in_line integer := substring(NEW.exception_id FROM '^[0-9]+/([0-9]+)$')::integer;
  credit incoming_credits;
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
    WHERE l.statement_id = in_statement AND l.line = in_line FOR UPDATE;
  SELECT c.* INTO credit FROM credit_first_shown_by(in_statement, in_line) c;
  IF NEW.act = 'REVERSE' THEN
    IF NOT EXISTS (SELECT FROM exception_acts was WHERE was.id = NEW.reverses AND was.act <> 'REVERSE'
        AND was.exception_id = NEW.exception_id AND was.round = NEW.round
        AND was.customer_id = NEW.customer_id AND was.environment = NEW.environment) THEN
      RAISE EXCEPTION 'exception %: only an act that ended it is reversed', NEW.exception_id
        USING ERRCODE = 'check_violation';
    END IF;
  ELSIF in_line IS NOT NULL AND NOT EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id = in_statement AND l.line = in_line
        AND l.outcome = 'EXCEPTION' AND l.exception = NEW.exception) THEN
    RAISE EXCEPTION 'exception %: its line is none any more', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  ELSIF NEW.round <> 1 + (SELECT count(*) FROM exception_acts r
        WHERE r.exception_id = NEW.exception_id
          AND (r.act = 'REVERSE') = (NEW.exception_id !~ '^pay_')) THEN
    RAISE EXCEPTION 'exception %: an act has ended it', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
  ELSIF NEW.act = 'CREDIT_RETURN' AND credit.outcome IS NULL AND is_marked_return(credit.id)
      AND NEW.content ->> 'at' = 'suspense' AND NEW.content ->> 'currency' = credit.currency
      AND NEW.content ->> 'open' = credit.minor::text
      AND NEW.payment_id IS NOT NULL AND NEW.ledger_transaction_id IS NOT NULL THEN
    SELECT min(m.moved) INTO moved FROM (
      SELECT l.statement_id, l.line FROM statement_lines l WHERE l.credit_id = credit.id AND l.direction = 'CRDT'
      UNION SELECT in_statement, in_line) AS own (statement_id, line)
      CROSS JOIN LATERAL booking_moved_by(own.statement_id, own.line, credit.id) AS m (moved);
    moved := coalesce(moved, return_shown_of(credit.id));
    IF moved IS NOT NULL THEN
      RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
    END IF;
  ELSIF EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id = in_statement AND l.line = in_line
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
    moved := booking_moved_by(in_statement, in_line);
    IF moved IS NOT NULL THEN
      RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
    END IF;
  END IF;
  RETURN NEW;
END $$;

-- What an act does to the credit of its line.
CREATE FUNCTION return_credit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE incoming_credits c SET outcome = CASE NEW.act WHEN 'CREDIT_RETURN' THEN 'RETURNED' END,
      decided_at = CASE NEW.act WHEN 'CREDIT_RETURN' THEN NEW.acted_at END
    WHERE c.id IN (SELECT f.id FROM credit_first_shown_by(split_part(NEW.exception_id, '/', 1)::bigint,
        split_part(NEW.exception_id, '/', 2)::integer) f)
      AND c.outcome IS NOT DISTINCT FROM CASE NEW.act WHEN 'REVERSE' THEN 'RETURNED' END;
  RETURN NULL;
END $$;
CREATE TRIGGER return_credit AFTER INSERT ON exception_acts FOR EACH ROW
  WHEN (NEW.act IN ('CREDIT_RETURN', 'REVERSE') AND NEW.exception_id ~ '^[0-9]+/[0-9]+$')
  EXECUTE FUNCTION return_credit();

-- As check_suspense_exit, for acts, when all is written: just the credit leaves suspense, and comes back to it.
CREATE FUNCTION check_returned_credit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  credit incoming_credits;
BEGIN
  SELECT f.* INTO credit FROM credit_first_shown_by(split_part(NEW.exception_id, '/', 1)::bigint,
    split_part(NEW.exception_id, '/', 2)::integer) f;
  IF credit.id IS NOT NULL AND (CASE NEW.act WHEN 'REVERSE' THEN 1 ELSE -1 END) * credit.minor IS DISTINCT FROM
      (SELECT sum(e.amount) FROM ledger_entries e WHERE e.transaction_id = NEW.ledger_transaction_id
        AND e.account = 'suspense' AND e.currency = credit.currency) THEN
    RAISE EXCEPTION 'act %: it is not what became of credit %', NEW.id, credit.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER suspense_is_left_by_a_returned_credit AFTER INSERT ON exception_acts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.act IN ('CREDIT_RETURN', 'REVERSE') AND NEW.exception_id ~ '^[0-9]+/[0-9]+$')
  EXECUTE FUNCTION check_returned_credit();

-- What is tied to a cover trade or is the return of a payment is not in suspense, so the bank does not take it out of
-- there. The release before this one does not know that, and leaves the line to this release.
DROP TRIGGER refuse_reversal_of_tied ON credit_reversals;
DROP FUNCTION refuse_reversal_of_tied;
CREATE FUNCTION refuse_reversal_of_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM incoming_credits c WHERE c.id = NEW.credit_id AND c.outcome IN ('TIED', 'RETURNED')) THEN
    RAISE EXCEPTION 'incoming credit % is tied to a cover trade or is the return of a payment', NEW.credit_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_reversal_of_decided BEFORE INSERT ON credit_reversals
  FOR EACH ROW EXECUTE FUNCTION refuse_reversal_of_decided();

-- As before. And such a line closes the credit.
CREATE OR REPLACE FUNCTION return_shown_of(wanted text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'Line ' || o.line || ' of statement ' || s.bank_statement_id || ' shows the same booking as the return of payment '
      || o.payment_id || '. Close the credit by that line.'
  FROM incoming_credits c
    JOIN statement_lines l ON l.statement_id = c.statement_id AND l.line = c.line
    JOIN statements s ON s.environment = c.environment AND s.connector = c.connector AND s.id <> c.statement_id
      AND coalesce(s.to_at, s.listed_at) >= coalesce(c.booked_at, c.received_at) - interval '36 hours'
      AND coalesce(s.from_at, s.listed_at) <= coalesce(c.booked_at, c.received_at) + interval '36 hours'
    -- Lines that the release before this one stored have no key where the bank marks them as a return.
    JOIN statement_lines o ON o.statement_id = s.id AND o.currency = l.currency AND o.amount = l.amount
      AND (o.booking_key = l.booking_key OR o.booking_key IS NULL AND o.bank_reference = l.bank_reference)
  WHERE c.id = wanted AND o.payment_id IS NOT NULL AND o.direction = 'CRDT'
    AND (o.outcome = 'RETURN' OR o.exception = 'LATE_RETURN')
    AND NOT l.is_entry_reference AND NOT o.is_entry_reference
    AND (o.booked_at BETWEEN c.booked_at - interval '36 hours' AND c.booked_at + interval '36 hours') IS NOT FALSE
    AND NOT EXISTS (SELECT FROM incoming_credits x
      WHERE x.closing_statement_id = o.statement_id AND x.closing_line = o.line)
  ORDER BY o.statement_id, o.line LIMIT 1
$$;

-- As before. Only lines that show the same booking are counted: many bookings of a bank have one amount.
CREATE OR REPLACE FUNCTION is_debit_of_another_credit(wanted text, in_statement bigint, in_line integer)
RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  WITH others AS (
    SELECT o.id, o.closing_statement_id, o.closing_line, o.statement_id, o.line FROM incoming_credits c
      JOIN incoming_credits o USING (environment, connector, currency, minor)
    WHERE c.id = wanted AND o.id <> wanted
  ), taken AS (
    SELECT o.closing_statement_id AS statement_id, o.closing_line AS line FROM others o
      WHERE o.closing_line IS NOT NULL AND (o.closing_statement_id, o.closing_line) <> (o.statement_id, o.line)
    UNION SELECT r.statement_id, r.line FROM credit_reversals r JOIN others o ON o.id = r.credit_id
    UNION SELECT l.statement_id, l.line FROM statement_lines l JOIN others o ON o.id = l.credit_id
      WHERE l.exception = 'UNEXPECTED_AT_BANK'
  ), own AS (
    SELECT coalesce(l.bank_reference, encode(l.booking_key, 'hex')) AS booking FROM statement_lines l
    WHERE l.statement_id = in_statement AND l.line = in_line
  ), shown AS (
    SELECT l.statement_id, l.line, l.booked_at, (
        SELECT count(*) FROM statement_lines n
        WHERE n.statement_id = l.statement_id AND n.line <= l.line AND n.direction = 'DBIT'
          AND n.booked AND n.currency = l.currency AND n.amount = l.amount
          AND coalesce(n.bank_reference, encode(n.booking_key, 'hex')) = own.booking) AS number
    FROM (SELECT in_statement AS statement_id, in_line AS line UNION SELECT statement_id, line FROM taken) place
      JOIN statement_lines l USING (statement_id, line)
      JOIN own ON own.booking IS NOT DISTINCT FROM coalesce(l.bank_reference, encode(l.booking_key, 'hex'))
  )
  SELECT EXISTS (SELECT FROM shown one
    JOIN shown other ON (other.statement_id, other.line) = (one.statement_id, one.line)
      OR other.number = one.number AND (SELECT booking IS NOT NULL FROM own)
        AND (other.booked_at BETWEEN one.booked_at - interval '36 hours'
          AND one.booked_at + interval '36 hours') IS NOT FALSE
    JOIN taken t ON (t.statement_id, t.line) = (other.statement_id, other.line)
    WHERE (one.statement_id, one.line) = (in_statement, in_line))
$$;

-- As before. A marked return is a customer's deposit only where the operators say that it is no return, and no credit is
-- one that another report shows as the return of a payment. A credit is closed too by such a line of another report: both
-- are one booking.
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
  IF wanted_outcome = 'ASSIGNED' AND is_marked_return(wanted)
     AND approval.content ->> 'notReturn' IS DISTINCT FROM 'yes' THEN
    RAISE EXCEPTION 'The bank marks this credit as a return. Propose again with the statement that it is none.'
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
  END IF;
  IF wanted_outcome = 'ASSIGNED' AND return_shown_of(wanted) IS NOT NULL THEN
    RAISE EXCEPTION '%', return_shown_of(wanted)
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
  END IF;
  RETURN QUERY
    UPDATE incoming_credits c SET outcome = wanted_outcome, decided_at = decided,
      customer_id = CASE wanted_outcome WHEN 'ASSIGNED' THEN approval.customer_id END,
      closing_statement_id = closing_statement, closing_line = closing_at_line
    WHERE c.id = wanted AND c.environment = approval.environment AND c.outcome IS NULL
      AND c.minor IS NOT NULL
      AND (wanted_outcome = 'ASSIGNED'
        OR c.unmatched_reason = 'POSSIBLE_DUPLICATE'
          AND (closing_statement, closing_at_line) = (c.statement_id, c.line)
        OR (is_marked_return(c.id) OR return_shown_of(c.id) IS NOT NULL) AND EXISTS (
        SELECT FROM statement_lines l JOIN statements s ON s.id = l.statement_id
        WHERE l.statement_id = closing_statement AND l.line = closing_at_line
          AND l.statement_id <> c.statement_id AND l.payment_id IS NOT NULL
          AND l.direction = 'CRDT' AND l.is_return AND l.processed_at IS NOT NULL
          AND (l.outcome = 'RETURN' OR l.exception = 'LATE_RETURN')
          AND l.environment = c.environment AND s.connector = c.connector
          AND l.currency = c.currency AND l.amount = c.amount
          AND (l.bank_reference = c.bank_reference) IS NOT FALSE
          AND (l.booked_at BETWEEN c.booked_at - interval '36 hours'
            AND c.booked_at + interval '36 hours') IS NOT FALSE)
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

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION is_marked_return OWNER TO causeway_system_definer;
ALTER FUNCTION credit_first_shown_by OWNER TO causeway_system_definer;
ALTER FUNCTION return_credit OWNER TO causeway_system_definer;
ALTER FUNCTION check_returned_credit OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
