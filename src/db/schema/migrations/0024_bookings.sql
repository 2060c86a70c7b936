-- One booking of a bank may be on several of its reports: it has one effect. What does not add up waits for operators.

-- Every statement so far was a camt.053.
ALTER TABLE statements ADD COLUMN report text NOT NULL DEFAULT 'DAY'
  CHECK (report IN ('DAY', 'INTRADAY', 'ADVICE'));

ALTER TABLE statement_lines
  -- Of a credit, or of what takes one back: "<kind>:<SHA-256 in base64url>" of each reference that a bank gave it.
  ADD COLUMN booking_references text[] NOT NULL DEFAULT '{}',
  -- bank_reference is of an entry with several transactions: it tells none of them.
  ADD COLUMN is_entry_reference boolean NOT NULL DEFAULT false,
  -- It is of an entry or statement whose sums do not add up, and operators have not accepted them.
  ADD COLUMN unproven boolean NOT NULL DEFAULT false,
  -- The line of another statement that shows the same movement of a payment.
  ADD COLUMN repeats_statement_id bigint,
  ADD COLUMN repeats_line integer,
  ADD CONSTRAINT a_repeated_line_has_a_place CHECK (num_nulls(repeats_statement_id, repeats_line) IN (0, 2)) NOT VALID;
ALTER TABLE statement_lines DROP CONSTRAINT statement_lines_outcome_check;
ALTER TABLE statement_lines ADD CONSTRAINT statement_lines_outcome_check
  CHECK (outcome IN ('RECONCILED', 'RETURN', 'OFFSET', 'EXCEPTION', 'IGNORED', 'CREDIT', 'CREDIT_REVERSAL',
    'REPEATED')) NOT VALID;
ALTER TABLE statement_lines DROP CONSTRAINT statement_lines_exception_check;
ALTER TABLE statement_lines ADD CONSTRAINT statement_lines_exception_check
  CHECK (exception IN ('AMOUNT_MISMATCH', 'UNEXPECTED_AT_BANK', 'DUPLICATE_AT_BANK', 'UNKNOWN_RETURN', 'LATE',
    'LATE_RETURN', 'POSSIBLE_DUPLICATE', 'UNPROVEN_SUM')) NOT VALID;
-- All lines that show a credit, those that answered it too.
CREATE INDEX statement_lines_of_credit ON statement_lines (credit_id) WHERE credit_id IS NOT NULL;
DROP INDEX statement_lines_answered;

ALTER TABLE incoming_credits
  -- Which kinds of references a bank gave its first line, as bits: 1 AcctSvcrRef, 2 TxId, 4 AcctSvcrRef of an entry
  -- with several transactions.
  ADD COLUMN reference_kinds smallint CHECK (reference_kinds BETWEEN 0 AND 7),
  -- The credit that it may be the same as, where it waits because of that.
  ADD COLUMN resembles_credit_id text REFERENCES incoming_credits,
  ADD CONSTRAINT a_possible_duplicate_resembles_one
    CHECK ((unmatched_reason IS NOT DISTINCT FROM 'POSSIBLE_DUPLICATE') = (resembles_credit_id IS NOT NULL));
ALTER TABLE incoming_credits DISABLE TRIGGER USER;
UPDATE incoming_credits SET reference_kinds = CASE WHEN bank_reference IS NULL THEN 0 ELSE 1 END;
ALTER TABLE incoming_credits ENABLE TRIGGER USER;
CREATE INDEX incoming_credits_alike ON incoming_credits
  (environment, connector, currency, minor, reference_kinds, booked_at);
DROP INDEX incoming_credits_by_amount;
CREATE INDEX incoming_credits_resembling ON incoming_credits (resembles_credit_id)
  WHERE resembles_credit_id IS NOT NULL;

CREATE TABLE booking_references (
  credit_id text NOT NULL REFERENCES incoming_credits,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  connector text NOT NULL,
  -- SHA-256 of direction, kind, reference, amount and currency, as statement_lines.booking_key.
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  -- UNKNOWN: the release before this one stored it, and does not say.
  kind text NOT NULL CHECK (kind IN ('AcctSvcrRef', 'EntryAcctSvcrRef', 'TxId', 'UNKNOWN')),
  PRIMARY KEY (credit_id, key)
);
COMMENT ON TABLE booking_references IS
  'One reference that a bank gave the booking of an incoming credit, on any statement that shows it. Rows never change '
  'and are never deleted.';
CREATE INDEX booking_references_by_key ON booking_references (environment, connector, key);
GRANT SELECT, INSERT ON booking_references TO causeway_system;
CREATE TRIGGER booking_references_are_append_only BEFORE UPDATE OR DELETE ON booking_references
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
INSERT INTO booking_references (credit_id, environment, connector, key, kind)
  SELECT id, environment, connector, booking_key,
    CASE WHEN bank_reference IS NULL THEN 'UNKNOWN' ELSE 'AcctSvcrRef' END
  FROM incoming_credits;

-- The release before this one knows one reference of a booking. It is refused a credit of which this release knows
-- another one, and leaves the line to this release; what it stores is given the reference that it knows.
CREATE FUNCTION keep_booking_of_release_before() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_WHEN = 'BEFORE' THEN
    IF EXISTS (SELECT FROM booking_references r JOIN incoming_credits c ON c.id = r.credit_id
        WHERE r.environment = NEW.environment AND r.connector = NEW.connector AND r.key = NEW.booking_key
          AND c.booking_key <> NEW.booking_key)
       AND NOT EXISTS (SELECT FROM incoming_credits c
        WHERE c.environment = NEW.environment AND c.connector = NEW.connector
          AND c.booking_key = NEW.booking_key AND c.occurrence = NEW.occurrence) THEN
      RAISE EXCEPTION 'incoming credit %: its booking is known by another reference', NEW.id
        USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END IF;
  INSERT INTO booking_references (credit_id, environment, connector, key, kind)
    VALUES (NEW.id, NEW.environment, NEW.connector, NEW.booking_key,
      CASE WHEN NEW.bank_reference IS NULL THEN 'UNKNOWN' ELSE 'AcctSvcrRef' END);
  RETURN NULL;
END $$;
CREATE TRIGGER booking_is_known_once BEFORE INSERT ON incoming_credits
  FOR EACH ROW WHEN (NEW.reference_kinds IS NULL) EXECUTE FUNCTION keep_booking_of_release_before();
CREATE TRIGGER booking_keeps_its_reference AFTER INSERT ON incoming_credits
  FOR EACH ROW WHEN (NEW.reference_kinds IS NULL) EXECUTE FUNCTION keep_booking_of_release_before();

-- As before. A credit that is closed as the same booking as another one is closed by its own line, which is no debit.
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

-- As before. A possible duplicate may also be closed by its own line: it is the same booking as the credit that it
-- resembles, and never came.
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

-- Lets the lines of a statement, or of one of its entries, have their effect although the sums do not add up. By the
-- approval that the running transaction uses. Such lines are judged anew, but for those that an act has ended: their
-- money is booked. Answers how many there were.
CREATE FUNCTION accept_statement_sums(wanted text, in_statement bigint, in_entry integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  approval approvals := approval_in_use('STATEMENT_SUMS', wanted, 1);
  accepted bigint;
BEGIN
  IF approval.id IS NULL OR approval.content ->> 'statementId' <> in_statement::text
     OR approval.content ->> 'entry' IS DISTINCT FROM in_entry::text THEN
    RAISE EXCEPTION 'statement %: this takes two operators', in_statement USING ERRCODE = 'check_violation';
  END IF;
  -- The lock of src/db/reconciliation/statement-match-store.ts: nobody judges lines of the bank meanwhile.
  PERFORM pg_advisory_xact_lock(hashtextextended('statements:' || s.environment || ':' || s.connector, 0))
    FROM statements s WHERE s.id = in_statement AND s.environment = approval.environment;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  -- An act that ends such a line locks it: what was committed before is seen below.
  PERFORM FROM statement_lines l WHERE l.statement_id = in_statement AND l.unproven FOR UPDATE;
  UPDATE statement_lines l SET unproven = false,
      outcome = CASE WHEN w.waits THEN NULL ELSE l.outcome END,
      exception = CASE WHEN w.waits THEN NULL ELSE l.exception END,
      judged_at = CASE WHEN w.waits THEN NULL ELSE l.judged_at END,
      processed_at = CASE WHEN w.waits THEN NULL ELSE l.processed_at END,
      alarmed_at = CASE WHEN w.waits THEN NULL ELSE l.alarmed_at END
    FROM (SELECT o.line, o.exception IS NOT DISTINCT FROM 'UNPROVEN_SUM' AS waits FROM statement_lines o
      WHERE o.statement_id = in_statement AND o.unproven AND (in_entry IS NULL OR o.entry = in_entry)
        AND NOT is_exception_ended(in_statement::text || '/' || o.line::text)) w
    WHERE l.statement_id = in_statement AND l.line = w.line;
  GET DIAGNOSTICS accepted = ROW_COUNT;
  UPDATE statements SET status = 'READ', reconciled_at = NULL
    WHERE id = in_statement AND status = 'RECONCILED' AND accepted > 0;
  RETURN accepted;
END $$;
REVOKE ALL ON FUNCTION accept_statement_sums FROM PUBLIC;
GRANT EXECUTE ON FUNCTION accept_statement_sums TO causeway_app, causeway_system;
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION accept_statement_sums OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;

ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('STATEMENT_SUMS', '{OPERATIONS}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
