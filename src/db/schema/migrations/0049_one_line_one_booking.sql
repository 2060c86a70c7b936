-- Which lines of a bank's reports show one booking: two lines of one report never do, and of an entry's transactions
-- each is its own.

-- The place of a line among those of its statement that show equal bookings. Transactions of one entry share its
-- reference: those with another reference of the payment are other bookings.
CREATE FUNCTION number_of_booking(in_statement bigint, in_line integer) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER COST 100000 SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN l.direction = 'CRDT' AND l.booking_key IS NOT NULL
    -- A credit's key is of its reference, amount and currency.
    THEN (SELECT count(*) FROM statement_lines n
      WHERE n.statement_id = l.statement_id AND n.booking_key = l.booking_key AND n.line <= l.line
        AND n.booked AND n.direction = l.direction
        AND (NOT l.is_entry_reference OR upper(n.reference) IS NOT DISTINCT FROM upper(l.reference)))
    ELSE (SELECT count(*) FROM statement_lines n
      WHERE n.statement_id = l.statement_id AND n.line <= l.line AND n.direction = l.direction
        AND n.booked AND n.currency = l.currency AND n.amount = l.amount
        AND coalesce(n.bank_reference, encode(n.booking_key, 'hex'))
          = coalesce(l.bank_reference, encode(l.booking_key, 'hex'))
        AND (NOT l.is_entry_reference OR upper(n.reference) IS NOT DISTINCT FROM upper(l.reference))) END
  FROM statement_lines l WHERE l.statement_id = in_statement AND l.line = in_line
$$;
REVOKE ALL ON FUNCTION number_of_booking FROM PUBLIC;

-- As before. Transactions of one entry are told apart by the reference of the payment. Only credits that a debit may
-- concern are looked at: many have one amount.
CREATE OR REPLACE FUNCTION booking_moved_by(in_statement bigint, in_line integer, but_credit text DEFAULT NULL) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH wanted AS (
    SELECT l.statement_id, l.line, l.environment, s.connector, l.direction, l.currency, l.amount, l.bank_reference,
      coalesce(l.bank_reference, encode(l.booking_key, 'hex')) AS booking,
      ARRAY(SELECT booking_keys(l, false)) AS keys, l.booked_at, l.is_entry_reference, upper(l.reference) AS reference
    FROM statement_lines l JOIN statements s ON s.id = l.statement_id
    WHERE l.statement_id = in_statement AND l.line = in_line
  ), credits AS (
    -- A debit closes a credit, takes one back, or came before the credit that it takes back.
    SELECT c.* FROM wanted w JOIN incoming_credits c ON c.id IN (
        SELECT x.id FROM incoming_credits x WHERE x.closing_statement_id IS NOT NULL
          AND x.environment = w.environment AND x.connector = w.connector AND x.currency = w.currency AND x.amount = w.amount
        UNION SELECT r.credit_id FROM credit_reversals r
          WHERE r.environment = w.environment AND r.connector = w.connector AND r.booking_key = ANY (w.keys)
        UNION SELECT x.id FROM incoming_credits x
          WHERE x.unmatched_reason = 'REVERSED_FIRST'
            AND x.environment = w.environment AND x.connector = w.connector AND x.currency = w.currency
            -- The index has minor units: those of a currency with so many digits.
            AND x.minor = ANY (ARRAY(SELECT (w.amount * 10::numeric ^ digits)::bigint FROM generate_series(0, 4) digits
              WHERE w.amount < 10::numeric ^ 14)))
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
        AND NOT EXISTS (SELECT FROM incoming_credits c
          WHERE c.id = but_credit AND c.statement_id = l.statement_id AND c.line = l.line)
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
  )
  SELECT 'Line ' || o.line || ' of statement ' || s.bank_statement_id
      || ' shows the same booking, and ' || t.how || '.'
  FROM wanted w CROSS JOIN taken t
    JOIN statement_lines o ON o.statement_id = t.statement_id AND o.line = t.line
    JOIN statements s ON s.id = o.statement_id
  WHERE (o.statement_id, o.line) <> (w.statement_id, w.line) AND s.connector = w.connector
    AND o.direction = w.direction AND o.currency = w.currency AND o.amount = w.amount
    AND coalesce(o.bank_reference, encode(o.booking_key, 'hex')) = w.booking
    -- Transactions of one entry share its reference.
    AND (NOT (o.is_entry_reference OR w.is_entry_reference) OR (upper(o.reference) = w.reference) IS NOT FALSE)
    AND (o.booked_at BETWEEN w.booked_at - interval '36 hours' AND w.booked_at + interval '36 hours') IS NOT FALSE
    AND number_of_booking(o.statement_id, o.line) = number_of_booking(w.statement_id, w.line)
  ORDER BY o.statement_id, o.line LIMIT 1
$$;

-- As before. Each credit is one line's of this report: a second return with its key is another booking, and so is one
-- beside a line that repeats the credit.
CREATE OR REPLACE FUNCTION take_return(in_statement bigint, in_line integer) RETURNS text
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
  SELECT known.id INTO taken FROM (
    SELECT c.id, c.seq, payer.creditors, row_number() OVER (PARTITION BY payer.creditors ORDER BY c.seq) AS place
    FROM booking_keys(shown, true) AS own (key)
    JOIN booking_references r ON r.environment = shown.environment AND r.connector = bank.connector
      AND r.key = own.key AND r.kind <> 'EntryAcctSvcrRef'
    JOIN incoming_credits c ON c.id = r.credit_id
    JOIN statements s ON s.id = c.statement_id
    CROSS JOIN LATERAL (SELECT ARRAY(SELECT DISTINCT unnest(f.creditor_references) ORDER BY 1) AS creditors
      FROM statement_lines f WHERE f.statement_id = c.statement_id AND f.line = c.line) payer
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
    GROUP BY c.id, c.seq, payer.creditors
  ) known
  -- Lines of this report that show the booking and name no payment repeat a credit, each its own, before the return does.
  WHERE known.place > (SELECT count(*) FROM statement_lines n
    WHERE n.statement_id = in_statement AND n.booking_key = shown.booking_key AND n.line <> in_line
      AND n.outcome = 'CREDIT' AND n.credit_id IS NULL AND NOT n.is_entry_reference AND NOT shown.is_entry_reference
      AND ARRAY(SELECT DISTINCT unnest(n.creditor_references) ORDER BY 1) = known.creditors)
  ORDER BY known.seq LIMIT 1;
  -- At once: the next line of this report sees that it is another booking.
  UPDATE statement_lines l SET credit_id = taken WHERE l.statement_id = in_statement AND l.line = in_line
    AND l.processed_at IS NULL AND l.credit_id IS DISTINCT FROM taken;
  INSERT INTO booked_returns (environment, connector, key, statement_id, line, payment_id)
    SELECT shown.environment, bank.connector, own.key, in_statement, in_line, shown.payment_id
    FROM booking_keys(shown, true) AS own (key) ON CONFLICT DO NOTHING;
  RETURN taken;
END $$;

-- As before. A line whose booking somebody has is a booking of its own where the operators say that both came.
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
  ELSIF NEW.act <> 'ACKNOWLEDGE' AND NEW.content ->> 'bothCame' IS DISTINCT FROM 'yes' AND EXISTS (SELECT FROM statement_lines l
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
    -- No credit has the empty id: credits that came in do not count.
    moved := booking_moved_by(in_statement, in_line, coalesce((SELECT coalesce(l.credit_id, '') FROM statement_lines l
        WHERE NEW.content ->> 'bothCame' = 'yes' AND l.statement_id = in_statement AND l.line = in_line
          AND l.exception = 'DUPLICATE_AT_BANK' AND l.direction = 'CRDT' AND (l.credit_id IS NOT NULL OR l.payment_id IS NULL)),
      credit_closed_by(in_statement, in_line)));
    IF moved IS NOT NULL THEN
      RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
    END IF;
  END IF;
  RETURN NEW;
END $$;

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION number_of_booking OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
