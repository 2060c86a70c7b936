-- A return that the bank marks, and that names no payment of ours, is in suspense at once. An act takes it out as the
-- return of a payment, or writes it off; the reversal of the act puts it back.

-- The outcomes that were there, and two. TIED: an act ties it to a cover trade.
ALTER TABLE incoming_credits DROP CONSTRAINT incoming_credits_outcome_check,
  ADD CONSTRAINT incoming_credits_outcome_check CHECK
    (outcome IN ('CREDITED', 'ASSIGNED', 'CLOSED', 'REVERSED', 'TIED', 'RETURNED', 'WRITTEN_OFF')) NOT VALID;

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

-- Of a return that a line names a payment for: a key of each reference that a bank gave the booking. A later report that shows
-- it without the payment credits nobody.
CREATE TABLE booked_returns (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  connector text NOT NULL,
  -- As booking_references.key.
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  statement_id bigint NOT NULL,
  line integer NOT NULL,
  payment_id text NOT NULL,
  PRIMARY KEY (environment, connector, key, statement_id, line)
);
COMMENT ON TABLE booked_returns IS
  'One reference that a bank gave a return that names a payment, of a line that was applied. Rows never change and are '
  'never deleted.';
GRANT SELECT, INSERT ON booked_returns TO causeway_system;
CREATE TRIGGER booked_returns_are_append_only BEFORE UPDATE OR DELETE ON booked_returns
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The key of a reference in the element AcctSvcrRef: see src/modules/reconciliation/statement-line.ts.
CREATE FUNCTION bank_reference_key(direction text, reference text, amount numeric, currency text) RETURNS bytea
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT sha256(convert_to('["' || direction || '","AcctSvcrRef",' || to_json(reference)::text || ',"'
    || trim_scale(amount)::text || '",' || to_json(currency)::text || ']', 'UTF8'))
$$;
REVOKE ALL ON FUNCTION bank_reference_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bank_reference_key TO causeway_system;

-- The keys of what a line shows, also of a line that the release before this one stored without them. Transactions of one
-- entry share its reference, which proves nothing.
CREATE FUNCTION booking_keys(shown statement_lines, are_proof boolean) RETURNS SETOF bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT decode(translate(split_part(told, ':', 2), '-_', '+/') || '=', 'base64')
  FROM unnest(shown.booking_references) told
  WHERE NOT are_proof OR split_part(told, ':', 1) <> 'EntryAcctSvcrRef'
  UNION SELECT own.key FROM (VALUES (shown.booking_key), (bank_reference_key(shown.direction, shown.bank_reference,
    shown.amount, shown.currency))) AS own (key)
  WHERE own.key IS NOT NULL AND NOT (are_proof AND shown.is_entry_reference)
$$;
REVOKE ALL ON FUNCTION booking_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION booking_keys TO causeway_system;

-- As mayShowOneBooking of src/domain/reconciliation/compare-bookings.ts: day reports whose periods do not overlap show different
-- bookings, under whatever reference. Two that have one moment are one.
CREATE FUNCTION may_show_one_booking(one statements, other statements, one_at timestamptz, other_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT one.report <> 'DAY' OR other.report <> 'DAY' OR coalesce(one_at = other_at, false)
    OR one.to_at IS NULL OR other.to_at IS NULL
    OR (one.from_at = other.from_at OR one.from_at > other.from_at AND one.from_at < other.to_at
      OR other.from_at > one.from_at AND other.from_at < one.to_at) IS NOT FALSE
$$;
REVOKE ALL ON FUNCTION may_show_one_booking FROM PUBLIC;
GRANT EXECUTE ON FUNCTION may_show_one_booking TO causeway_system;

-- Before a line of a payment in the scope moves money as its return: the credit of the same booking that another report has
-- shown and that somebody has, or that left the bank again. Null where there is none. No later report of it credits anybody.
CREATE FUNCTION take_return(in_statement bigint, in_line integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  shown statement_lines;
  bank statements;
  taken text;
BEGIN
  SELECT l.* INTO shown FROM statement_lines l WHERE l.statement_id = in_statement AND l.line = in_line
    AND l.direction = 'CRDT' AND l.payment_id IS NOT NULL
    AND l.customer_id = scope_customer() AND l.environment = scope_environment();
  IF shown.line IS NULL THEN
    RAISE EXCEPTION 'line %/%: it is no return of a payment in the scope', in_statement, in_line
      USING ERRCODE = 'check_violation';
  END IF;
  SELECT s.* INTO bank FROM statements s WHERE s.id = in_statement;
  -- The lock of src/db/ledger/early-reversal-store.ts: what was decided before it was given is seen below.
  PERFORM pg_advisory_xact_lock(hashtextextended('credits:' || shown.environment || ':' || bank.connector, 0));
  SELECT c.id INTO taken FROM booking_keys(shown, true) AS own (key)
    JOIN booking_references r ON r.environment = shown.environment AND r.connector = bank.connector
      AND r.key = own.key AND r.kind <> 'EntryAcctSvcrRef'
    JOIN incoming_credits c ON c.id = r.credit_id
    JOIN statements s ON s.id = c.statement_id
    WHERE (c.outcome IN ('CREDITED', 'ASSIGNED', 'TIED', 'RETURNED', 'WRITTEN_OFF', 'REVERSED')
        OR c.outcome = 'CLOSED' AND EXISTS (SELECT FROM statement_lines o
          WHERE o.statement_id = c.closing_statement_id AND o.line = c.closing_line AND o.direction = 'DBIT'))
      -- What the bank took back before comes again, unless this report shows that once more, too.
      AND NOT EXISTS (SELECT FROM credit_reversals t WHERE t.credit_id = c.id
        AND NOT EXISTS (SELECT FROM statement_lines d WHERE d.statement_id = in_statement AND d.line > in_line
          AND d.direction = 'DBIT' AND d.booking_key = t.booking_key))
      AND (c.booked_at BETWEEN shown.booked_at - interval '36 hours'
        AND shown.booked_at + interval '36 hours') IS NOT FALSE
      AND may_show_one_booking(bank, s, shown.booked_at, c.booked_at)
      -- Two identifications of one form are of two accounts: see src/domain/reconciliation/compare-bookings.ts.
      AND (SELECT a.mine = a.theirs OR (a.mine ~ a.iban) <> (a.theirs ~ a.iban) FROM (SELECT
        upper(regexp_replace(bank.account, '\s', '', 'g')) AS mine, upper(regexp_replace(s.account, '\s', '', 'g')) AS theirs,
        '^[A-Z]{2}[0-9]{2}[0-9A-Z]{8,30}$' AS iban) a)
      -- Each line of a report is a booking of its own.
      AND c.statement_id <> in_statement AND NOT EXISTS (SELECT FROM statement_lines o
        WHERE o.credit_id = c.id AND o.statement_id = in_statement AND o.line <> in_line AND o.direction = 'CRDT')
    ORDER BY c.seq LIMIT 1;
  INSERT INTO booked_returns (environment, connector, key, statement_id, line, payment_id)
    SELECT shown.environment, bank.connector, own.key, in_statement, in_line, shown.payment_id
    FROM booking_keys(shown, true) AS own (key) ON CONFLICT DO NOTHING;
  RETURN taken;
END $$;
REVOKE ALL ON FUNCTION take_return FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_return TO causeway_app;

-- Those that the release before this one applied, as far as a later report may show them.
INSERT INTO booked_returns (environment, connector, key, statement_id, line, payment_id)
  SELECT l.environment, s.connector, own.key, l.statement_id, l.line, l.payment_id
  FROM statements s JOIN statement_lines l ON l.statement_id = s.id CROSS JOIN LATERAL booking_keys(l, true) AS own (key)
  WHERE s.listed_at > now() - interval '4 days' AND l.direction = 'CRDT' AND l.is_return AND l.payment_id IS NOT NULL
    AND l.processed_at IS NOT NULL
  ON CONFLICT DO NOTHING;

-- In words, which line of another report names another payment for the booking of a credit; null where none does, or where
-- the credit is written off and so belongs to no payment.
CREATE FUNCTION payment_named_for(wanted text, but_payment text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'Line ' || b.line || ' of statement ' || s.bank_statement_id || ' shows the same booking and names payment '
      || b.payment_id || '.'
  FROM incoming_credits c JOIN booking_references r ON r.credit_id = c.id AND r.kind <> 'EntryAcctSvcrRef'
    JOIN booked_returns b ON b.environment = r.environment AND b.connector = r.connector AND b.key = r.key
    JOIN statements s ON s.id = b.statement_id
    JOIN statements own ON own.id = c.statement_id
    JOIN statement_lines l ON l.statement_id = b.statement_id AND l.line = b.line
  WHERE c.id = wanted AND b.payment_id <> but_payment AND b.statement_id <> c.statement_id
    AND may_show_one_booking(own, s, c.booked_at, l.booked_at)
    AND (l.booked_at BETWEEN c.booked_at - interval '36 hours' AND c.booked_at + interval '36 hours') IS NOT FALSE
  ORDER BY b.statement_id, b.line LIMIT 1
$$;
REVOKE ALL ON FUNCTION payment_named_for FROM PUBLIC;

-- As before. Of credits only those are looked at that have a reference of the line, and of acts only those about a line with
-- its reference of the bank: many bookings of a bank have one amount.
CREATE INDEX exception_acts_of_booking ON exception_acts (environment, (content ->> 'bankReference'))
  WHERE act IN ('WRITE_OFF', 'CREDIT_RETURN', 'RECOVER', 'TIE_TRADE');
CREATE OR REPLACE FUNCTION booking_moved_by(in_statement bigint, in_line integer, but_credit text DEFAULT NULL) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH wanted AS (
    SELECT l.statement_id, l.line, l.environment, s.connector, l.direction, l.currency, l.amount, l.bank_reference,
      coalesce(l.bank_reference, encode(l.booking_key, 'hex')) AS booking,
      ARRAY(SELECT booking_keys(l, false)) AS keys
    FROM statement_lines l JOIN statements s ON s.id = l.statement_id
    WHERE l.statement_id = in_statement AND l.line = in_line
  ), credits AS (
    SELECT c.* FROM wanted w JOIN incoming_credits c ON c.environment = w.environment
      AND c.connector = w.connector AND c.currency = w.currency AND c.amount = w.amount
      -- The index has minor units: those of a currency with so many digits.
      AND c.minor IN (SELECT (w.amount * 10::numeric ^ digits)::bigint FROM generate_series(0, 4) digits
        WHERE w.amount < 10::numeric ^ 14)
    WHERE w.direction = 'DBIT' AND c.id IS DISTINCT FROM but_credit
    UNION ALL SELECT c.* FROM wanted w JOIN incoming_credits c ON c.id IN (
        SELECT r.credit_id FROM booking_references r
          WHERE r.environment = w.environment AND r.connector = w.connector AND r.key = ANY (w.keys)
        -- A return of a payment closes a credit that may have no reference.
        UNION SELECT x.id FROM booked_returns b
          JOIN incoming_credits x ON x.closing_statement_id = b.statement_id AND x.closing_line = b.line
          WHERE b.environment = w.environment AND b.connector = w.connector AND b.key = ANY (w.keys))
    WHERE w.direction = 'CRDT' AND c.id IS DISTINCT FROM but_credit
  ), acts AS (
    SELECT a.* FROM wanted w JOIN exception_acts a ON a.environment = w.environment
        AND a.content ->> 'bankReference' = w.bank_reference
      WHERE a.act IN ('WRITE_OFF', 'CREDIT_RETURN', 'RECOVER', 'TIE_TRADE')
    UNION ALL SELECT a.* FROM wanted w JOIN exception_acts a ON a.environment = w.environment
        AND a.content ->> 'bankReference' IS NULL
      WHERE w.bank_reference IS NULL AND a.act IN ('WRITE_OFF', 'CREDIT_RETURN', 'RECOVER', 'TIE_TRADE')
  ), taken AS (
    SELECT l.statement_id, l.line, 'act ' || a.id || ' has ended it' AS how FROM wanted w
      JOIN acts a ON a.exception_id ~ '^[0-9]+/[0-9]+$'
        AND a.content ->> 'direction' = w.direction AND (a.content ->> 'amount')::numeric = w.amount
        AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id)
      JOIN statement_lines l ON l.statement_id = split_part(a.exception_id, '/', 1)::bigint
        AND l.line = split_part(a.exception_id, '/', 2)::integer
    UNION ALL SELECT c.closing_statement_id, c.closing_line, 'it closed credit ' || c.id FROM credits c
      WHERE c.closing_line IS NOT NULL AND (c.closing_statement_id, c.closing_line) <> (c.statement_id, c.line)
    UNION ALL SELECT l.statement_id, l.line, 'its credit ' || c.id || ' is tied to a cover trade'
      FROM credits c JOIN statement_lines l ON l.credit_id = c.id
      WHERE c.outcome = 'TIED' AND l.direction = 'CRDT'
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
    SELECT l.statement_id, l.line, l.booked_at, s.bank_statement_id, (
        SELECT count(*) FROM statement_lines n
        WHERE n.statement_id = l.statement_id AND n.line <= l.line AND n.direction = l.direction
          AND n.booked AND n.currency = l.currency AND n.amount = l.amount
          AND coalesce(n.bank_reference, encode(n.booking_key, 'hex')) = w.booking) AS number
    FROM places JOIN statement_lines l USING (statement_id, line)
      JOIN wanted w ON w.direction = l.direction AND w.currency = l.currency AND w.amount = l.amount
        AND w.booking = coalesce(l.bank_reference, encode(l.booking_key, 'hex'))
      JOIN statements s ON s.id = l.statement_id AND s.connector = w.connector
  )
  SELECT 'Line ' || other.line || ' of statement ' || other.bank_statement_id
      || ' shows the same booking, and ' || t.how || '.'
  FROM shown one
    JOIN shown other ON (other.statement_id, other.line) <> (one.statement_id, one.line)
      AND other.number = one.number
      AND (other.booked_at BETWEEN one.booked_at - interval '36 hours'
        AND one.booked_at + interval '36 hours') IS NOT FALSE
    JOIN taken t ON (t.statement_id, t.line) = (other.statement_id, other.line)
  WHERE (one.statement_id, one.line) = (in_statement, in_line)
  ORDER BY other.statement_id, other.line LIMIT 1
$$;

-- No reference credits a customer with a marked return. The release before this one does not know that: it leaves the
-- line to this release.
-- One whose amount the books cannot hold is no credit.
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
  WHEN (NEW.minor IS NULL OR NEW.unmatched_reason IS NULL
    OR NEW.unmatched_reason NOT IN ('MARKED_RETURN', 'POSSIBLE_DUPLICATE'))
  EXECUTE FUNCTION guard_marked_return();

-- A credit is returned or written off by an act that stands, and waits again once that act was reversed.
CREATE FUNCTION guard_returned_credit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  decided text[] := ARRAY['outcome', 'decided_at'];
BEGIN
  IF to_jsonb(NEW) - decided = to_jsonb(OLD) - decided
     AND (CASE WHEN OLD.outcome IS NULL THEN NEW.outcome IN ('RETURNED', 'WRITTEN_OFF') ELSE NEW.outcome IS NULL END)
     AND is_exception_ended(NEW.statement_id::text || '/' || NEW.line::text) = (NEW.outcome IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'incoming credit % is only returned by an act, or written off', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER incoming_credit_is_decided_once ON incoming_credits;
CREATE TRIGGER incoming_credit_is_decided_once BEFORE UPDATE ON incoming_credits FOR EACH ROW
  WHEN ((OLD.outcome IN ('RETURNED', 'WRITTEN_OFF')) IS NOT TRUE
    AND (NEW.outcome IN ('RETURNED', 'WRITTEN_OFF')) IS NOT TRUE)
  EXECUTE FUNCTION guard_incoming_credit();
CREATE TRIGGER incoming_credit_stays BEFORE DELETE ON incoming_credits
  FOR EACH ROW EXECUTE FUNCTION guard_incoming_credit();
CREATE TRIGGER guard_returned_credit BEFORE UPDATE ON incoming_credits FOR EACH ROW
  WHEN (OLD.outcome IN ('RETURNED', 'WRITTEN_OFF') OR NEW.outcome IN ('RETURNED', 'WRITTEN_OFF'))
  EXECUTE FUNCTION guard_returned_credit();

-- A credit that may be the same booking as this one, and left suspense, and in words what became of it. No row where there is
-- none.
CREATE FUNCTION decided_alike(wanted text) RETURNS TABLE (id text, said text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH RECURSIVE alike (id) AS (
    SELECT wanted
    UNION SELECT n.id FROM alike a CROSS JOIN LATERAL (
      SELECT c.resembles_credit_id AS id FROM incoming_credits c
        WHERE c.id = a.id AND c.resembles_credit_id IS NOT NULL
      UNION ALL SELECT c.id FROM incoming_credits c WHERE c.resembles_credit_id = a.id) n
  )
  SELECT c.id, 'Credit ' || c.id || ' may be the same booking, and is ' || c.outcome || '.'
  FROM alike a JOIN incoming_credits c ON c.id = a.id
  WHERE c.id <> wanted AND c.outcome IN ('CREDITED', 'ASSIGNED', 'TIED', 'RETURNED', 'WRITTEN_OFF')
    AND NOT EXISTS (SELECT FROM credit_reversals r WHERE r.credit_id = c.id)
  ORDER BY c.seq LIMIT 1
$$;
REVOKE ALL ON FUNCTION decided_alike FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decided_alike TO causeway_system;

-- In words, which line of a statement shows the return of a payment; null where none does. One that an act has ended, and
-- that is not in the books by itself, shows it no more.
CREATE FUNCTION return_line_of(wanted_payment text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'Line ' || l.line || ' of statement ' || s.bank_statement_id || ' shows the return of payment '
      || wanted_payment || '.'
  FROM statement_lines l JOIN statements s ON s.id = l.statement_id
  WHERE l.payment_id = wanted_payment AND l.direction = 'CRDT'
    AND (l.outcome = 'RETURN' OR l.exception = 'AMOUNT_MISMATCH'
      OR l.outcome = 'EXCEPTION' AND NOT is_exception_ended(l.statement_id::text || '/' || l.line::text))
  ORDER BY l.statement_id, l.line LIMIT 1
$$;
REVOKE ALL ON FUNCTION return_line_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION return_line_of TO causeway_system;

-- Whether the money of a line that shows the return of a payment is in the books by that line, or by the line that it
-- repeats. OFFSET: a debit of its statement cancels it, and no book has either of them. Of several late returns of a
-- payment, and of several that differ from what the bank told, the first one is in suspense.
CREATE FUNCTION is_return_in_books(in_statement bigint, in_line integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM statement_lines l
      JOIN statement_lines b ON b.statement_id
          = CASE l.outcome WHEN 'REPEATED' THEN l.repeats_statement_id ELSE l.statement_id END
        AND b.line = CASE l.outcome WHEN 'REPEATED' THEN l.repeats_line ELSE l.line END
    WHERE l.statement_id = in_statement AND l.line = in_line
      AND l.payment_id IS NOT NULL AND l.direction = 'CRDT' AND b.payment_id = l.payment_id AND b.direction = 'CRDT'
      AND (b.outcome IN ('RETURN', 'OFFSET')
        OR (b.exception = 'LATE_RETURN' OR b.exception = 'AMOUNT_MISMATCH' AND EXISTS (
            SELECT FROM ledger_transactions t WHERE t.payment_id = b.payment_id AND t.kind = 'RETURN_DIFFERENCE'))
          AND NOT EXISTS (SELECT FROM statement_lines f WHERE f.payment_id = b.payment_id AND f.direction = 'CRDT'
            AND f.exception = b.exception AND (f.statement_id, f.line) < (b.statement_id, b.line))))
$$;
REVOKE ALL ON FUNCTION is_return_in_books FROM PUBLIC;

-- The credit that a line has closed; null where it has closed none.
CREATE FUNCTION credit_closed_by(in_statement bigint, in_line integer) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.id FROM incoming_credits c WHERE c.closing_statement_id = in_statement AND c.closing_line = in_line
$$;
REVOKE ALL ON FUNCTION credit_closed_by FROM PUBLIC;
GRANT EXECUTE ON FUNCTION credit_closed_by TO causeway_system;

-- As before. And a marked return that waits in suspense ends whole, as the return of a payment or written off: nothing
-- else of it. Of two credits that may be one booking the second one ends only where the operators say that both came. A line
-- of a payment that closed a credit has its own money in the books, and an act ends what differs of it.
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
  ELSIF NEW.act <> 'ACKNOWLEDGE' AND EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id = in_statement AND l.line = in_line AND l.exception = 'DUPLICATE_AT_BANK'
        AND l.direction = 'CRDT' AND (l.credit_id IS NOT NULL OR l.payment_id IS NULL)) THEN
    RAISE EXCEPTION 'exception %: its booking is in the books by another line', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
  ELSIF NEW.act IN ('CREDIT_RETURN', 'WRITE_OFF') AND credit.outcome IS NULL AND is_marked_return(credit.id)
      AND NEW.content ->> 'at' = 'suspense' AND NEW.content ->> 'currency' = credit.currency
      AND NEW.content ->> 'open' = credit.minor::text AND NEW.ledger_transaction_id IS NOT NULL
      AND (NEW.act = 'WRITE_OFF' OR NEW.payment_id IS NOT NULL) THEN
    SELECT min(m.moved) INTO moved FROM (
      SELECT l.statement_id, l.line FROM statement_lines l WHERE l.credit_id = credit.id AND l.direction = 'CRDT'
      UNION SELECT in_statement, in_line) AS own (statement_id, line)
      CROSS JOIN LATERAL booking_moved_by(own.statement_id, own.line, credit.id) AS m (moved);
    moved := coalesce(moved, return_shown_of(credit.id), payment_named_for(credit.id, NEW.payment_id),
      CASE WHEN NEW.content ->> 'as' = 'TOLD_RETURN' THEN return_line_of(NEW.payment_id) END,
      CASE WHEN NEW.content ->> 'bothCame' IS DISTINCT FROM 'yes'
        THEN (SELECT d.said FROM decided_alike(credit.id) d) END);
    IF moved IS NOT NULL THEN
      RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
    END IF;
  ELSIF EXISTS (SELECT FROM statement_lines l
      WHERE l.statement_id = in_statement AND l.line = in_line
        AND (l.credit_id IS NOT NULL AND l.exception <> 'DUPLICATE_AT_BANK'
          OR l.payment_id IS NULL AND credit_closed_by(l.statement_id, l.line) IS NOT NULL)) THEN
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
    moved := booking_moved_by(in_statement, in_line, credit_closed_by(in_statement, in_line));
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
  UPDATE incoming_credits c SET
      outcome = CASE NEW.act WHEN 'CREDIT_RETURN' THEN 'RETURNED' WHEN 'WRITE_OFF' THEN 'WRITTEN_OFF' END,
      decided_at = CASE WHEN NEW.act <> 'REVERSE' THEN NEW.acted_at END
    WHERE c.id IN (SELECT f.id FROM credit_first_shown_by(split_part(NEW.exception_id, '/', 1)::bigint,
        split_part(NEW.exception_id, '/', 2)::integer) f)
      AND CASE NEW.act WHEN 'REVERSE' THEN c.outcome IN ('RETURNED', 'WRITTEN_OFF') ELSE c.outcome IS NULL END;
  RETURN NULL;
END $$;
CREATE TRIGGER return_credit AFTER INSERT ON exception_acts FOR EACH ROW
  WHEN (NEW.act IN ('CREDIT_RETURN', 'WRITE_OFF', 'REVERSE') AND NEW.exception_id ~ '^[0-9]+/[0-9]+$')
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
  WHEN (NEW.act IN ('CREDIT_RETURN', 'WRITE_OFF', 'REVERSE') AND NEW.exception_id ~ '^[0-9]+/[0-9]+$')
  EXECUTE FUNCTION check_returned_credit();

-- The same of a credit that an act ties to a cover trade.
CREATE FUNCTION check_tied_credit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM incoming_credits c WHERE c.id = NEW.exception_id
      AND (CASE NEW.act WHEN 'REVERSE' THEN 1 ELSE -1 END) * c.minor
        = (SELECT sum(e.amount) FROM ledger_entries e WHERE e.transaction_id = NEW.ledger_transaction_id
          AND e.account = 'suspense' AND e.currency = c.currency)) THEN
    RAISE EXCEPTION 'act %: it is not what became of credit %', NEW.id, NEW.exception_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER suspense_is_left_by_a_tied_credit AFTER INSERT ON exception_acts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.exception_id ~ '^fc_') EXECUTE FUNCTION check_tied_credit();

-- What is tied to a cover trade, is the return of a payment, or is written off, is not in suspense, so the bank does not
-- take it out of there. The release before this one does not know that, and leaves the line to this release.
DROP TRIGGER refuse_reversal_of_tied ON credit_reversals;
DROP FUNCTION refuse_reversal_of_tied;
CREATE FUNCTION refuse_reversal_of_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM incoming_credits c WHERE c.id = NEW.credit_id AND c.outcome IN ('TIED', 'RETURNED', 'WRITTEN_OFF')) THEN
    RAISE EXCEPTION 'incoming credit % is tied to a cover trade, is the return of a payment, or is written off', NEW.credit_id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_reversal_of_decided BEFORE INSERT ON credit_reversals
  FOR EACH ROW EXECUTE FUNCTION refuse_reversal_of_decided();

-- As before. And such a line closes the credit, whatever it came to, if its money is in the books.
CREATE OR REPLACE FUNCTION return_shown_of(wanted text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'Line ' || o.line || ' of statement ' || s.bank_statement_id || ' shows the same booking as the return of payment '
      || o.payment_id || '. Close the credit by that line.'
  FROM incoming_credits c
    JOIN statement_lines l ON l.statement_id = c.statement_id AND l.line = c.line
    JOIN statements own ON own.id = c.statement_id
    JOIN statements s ON s.environment = c.environment AND s.connector = c.connector AND s.id <> c.statement_id
      AND coalesce(s.to_at, s.listed_at) >= coalesce(c.booked_at, c.received_at) - interval '36 hours'
      AND coalesce(s.from_at, s.listed_at) <= coalesce(c.booked_at, c.received_at) + interval '36 hours'
    -- Lines that the release before this one stored have no key where the bank marks them as a return.
    JOIN statement_lines o ON o.statement_id = s.id AND o.currency = l.currency AND o.amount = l.amount
      AND (o.booking_key = l.booking_key OR o.booking_key IS NULL AND o.bank_reference = l.bank_reference)
  WHERE c.id = wanted AND o.payment_id IS NOT NULL AND o.direction = 'CRDT'
    AND is_return_in_books(o.statement_id, o.line) AND may_show_one_booking(own, s, c.booked_at, o.booked_at)
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
-- are one booking. Of two credits that may be one booking, the earlier one never came either, if the later one is decided.
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
        -- One of both came: where the earlier one was dismissed, the later one is not.
        OR (EXISTS (SELECT FROM decided_alike(c.id)) OR c.unmatched_reason = 'POSSIBLE_DUPLICATE'
            AND NOT EXISTS (SELECT FROM incoming_credits r WHERE r.id = c.resembles_credit_id
              AND r.resembles_credit_id IS NULL
              AND (r.closing_statement_id, r.closing_line) = (r.statement_id, r.line)))
          AND (closing_statement, closing_at_line) = (c.statement_id, c.line)
        OR EXISTS (
        SELECT FROM statement_lines l JOIN statements s ON s.id = l.statement_id
          JOIN statement_lines o ON o.statement_id = c.statement_id AND o.line = c.line
        WHERE l.statement_id = closing_statement AND l.line = closing_at_line
          AND l.statement_id <> c.statement_id AND l.processed_at IS NOT NULL
          AND is_return_in_books(l.statement_id, l.line)
          AND l.environment = c.environment AND s.connector = c.connector
          AND l.currency = c.currency AND l.amount = c.amount
          -- The same reference of the bank, which is not its entry's alone, or two returns and no other reference.
          AND (NOT l.is_entry_reference AND NOT o.is_entry_reference
              AND (l.booking_key = o.booking_key OR l.booking_key IS NULL AND l.bank_reference = o.bank_reference)
            OR l.outcome IN ('RETURN', 'EXCEPTION') AND l.exception IS DISTINCT FROM 'AMOUNT_MISMATCH'
              AND l.is_return AND is_marked_return(c.id) AND (l.bank_reference = c.bank_reference) IS NOT FALSE)
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

-- As before. A line of a payment that closes a credit is in the books by itself, and an act ends only what differs of it.
CREATE OR REPLACE FUNCTION refuse_closing_by_ended_line() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text;
BEGIN
  IF NEW.closing_line IS NOT NULL THEN
    PERFORM FROM statement_lines l
      WHERE l.statement_id = NEW.closing_statement_id AND l.line = NEW.closing_line FOR UPDATE;
    IF is_return_in_books(NEW.closing_statement_id, NEW.closing_line) THEN
      moved := booking_moved_by(NEW.closing_statement_id, NEW.closing_line, NEW.id);
      IF moved IS NOT NULL THEN
        RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
      END IF;
      RETURN NEW;
    END IF;
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

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION is_marked_return OWNER TO causeway_system_definer;
ALTER FUNCTION decided_alike OWNER TO causeway_system_definer;
ALTER FUNCTION return_line_of OWNER TO causeway_system_definer;
ALTER FUNCTION is_return_in_books OWNER TO causeway_system_definer;
ALTER FUNCTION credit_closed_by OWNER TO causeway_system_definer;
ALTER FUNCTION credit_first_shown_by OWNER TO causeway_system_definer;
ALTER FUNCTION return_credit OWNER TO causeway_system_definer;
ALTER FUNCTION check_returned_credit OWNER TO causeway_system_definer;
ALTER FUNCTION take_return OWNER TO causeway_system_definer;
ALTER FUNCTION payment_named_for OWNER TO causeway_system_definer;
ALTER FUNCTION check_tied_credit OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
