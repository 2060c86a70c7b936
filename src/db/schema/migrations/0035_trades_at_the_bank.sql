-- Lines of statements that show a cover trade are tied to it, so that its money is in the books once.

-- The acts that were there, and one.
ALTER TABLE exception_acts DROP CONSTRAINT exception_acts_act_check,
  ADD CONSTRAINT exception_acts_act_check CHECK
    (act IN ('ACKNOWLEDGE', 'WRITE_OFF', 'CREDIT_RETURN', 'RECOVER', 'TIE_TRADE', 'REVERSE')) NOT VALID,
  DROP CONSTRAINT exception_acts_exception_id_check,
  -- A line (`12/3`), a problem of a statement (`12/SEQUENCE_GAP`), a payment without a line (`pay_...`), or an unmatched
  -- credit that shows a cover trade (`fc_...`).
  ADD CONSTRAINT exception_acts_exception_id_check CHECK
    (exception_id ~ '^([0-9]+/([0-9]+|[A-Z_]+)|(pay|fc)_[0-9a-z]+)$') NOT VALID,
  ADD CONSTRAINT a_credit_is_only_tied CHECK
    (exception_id !~ '^fc_' OR act IN ('TIE_TRADE', 'REVERSE')) NOT VALID;
-- A part of a trade is shown by one line. Once that act was reversed, it is shown by the line of the next round.
CREATE UNIQUE INDEX one_line_shows_a_part_of_a_trade ON exception_acts
  ((content ->> 'tradeId'), (content ->> 'side'), (content ->> 'tradeRound')) WHERE act = 'TIE_TRADE';

-- The outcomes that were there, and one.
ALTER TABLE incoming_credits DROP CONSTRAINT incoming_credits_outcome_check,
  ADD CONSTRAINT incoming_credits_outcome_check CHECK
    (outcome IN ('CREDITED', 'ASSIGNED', 'CLOSED', 'REVERSED', 'TIED')) NOT VALID;

-- As before. And an act of two operators ties a credit to a cover trade, and its reversal lets it wait again.
CREATE OR REPLACE FUNCTION guard_incoming_credit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  decided text[] := ARRAY['customer_id', 'outcome', 'decided_at', 'closing_statement_id', 'closing_line'];
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - decided = to_jsonb(OLD) - decided THEN
    IF OLD.outcome IS NULL AND NEW.outcome IN ('ASSIGNED', 'CLOSED', 'REVERSED') THEN
      RETURN NEW;
    ELSIF (OLD.outcome IS NULL AND NEW.outcome = 'TIED' OR OLD.outcome = 'TIED' AND NEW.outcome IS NULL)
      AND EXISTS (SELECT FROM exception_acts a JOIN approval_uses u ON u.approval_id = a.approval_id
        WHERE a.exception_id = NEW.id AND a.environment = NEW.environment
          AND u.used_by_transaction = pg_current_xact_id_if_assigned()
          AND a.act = CASE WHEN NEW.outcome IS NULL THEN 'REVERSE' ELSE 'TIE_TRADE' END) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'incoming credit % is only decided, and once', OLD.id USING ERRCODE = 'restrict_violation';
END $$;

-- As before. A line that is tied to a cover trade has moved the money of its booking too. Only lines that show the same booking
-- are counted: many bookings of a bank have one amount.
CREATE OR REPLACE FUNCTION booking_moved_by(in_statement bigint, in_line integer, but_credit text DEFAULT NULL) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH wanted AS (
    SELECT l.statement_id, l.line, l.environment, s.connector, l.direction, l.currency, l.amount,
      coalesce(l.bank_reference, encode(l.booking_key, 'hex')) AS booking
    FROM statement_lines l JOIN statements s ON s.id = l.statement_id
    WHERE l.statement_id = in_statement AND l.line = in_line
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
        AND a.act IN ('WRITE_OFF', 'CREDIT_RETURN', 'RECOVER', 'TIE_TRADE') AND a.exception_id ~ '^[0-9]+/[0-9]+$'
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

-- The trade that undoes another one: the same amounts and accounts in the other direction, recorded after it. Null where there
-- is none. Of several alike, the newest is undone first, so one that is recorded again afterwards stands. A trade is never
-- changed, so that operators correct one in this way.
CREATE FUNCTION cover_trade_undone_by(wanted text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH later AS (
    SELECT o.reference, o.seq, sum(CASE WHEN o.is_opposite THEN 1 ELSE -1 END) OVER (ORDER BY o.seq) AS undone
    FROM cover_trades t CROSS JOIN LATERAL (
      SELECT x.reference, x.seq, (x.sold_currency, x.sold_amount, x.sold_rail)
          = (t.bought_currency, t.bought_amount, t.bought_rail) AS is_opposite
      FROM cover_trades x WHERE x.environment = t.environment AND x.seq > t.seq
        AND ((x.sold_currency, x.sold_amount, x.sold_rail, x.bought_currency, x.bought_amount, x.bought_rail)
            = (t.bought_currency, t.bought_amount, t.bought_rail, t.sold_currency, t.sold_amount, t.sold_rail)
          OR (x.sold_currency, x.sold_amount, x.sold_rail, x.bought_currency, x.bought_amount, x.bought_rail)
            = (t.sold_currency, t.sold_amount, t.sold_rail, t.bought_currency, t.bought_amount, t.bought_rail))) o
    WHERE t.id = wanted
  )
  SELECT reference FROM later WHERE undone = 1 ORDER BY seq LIMIT 1
$$;
REVOKE ALL ON FUNCTION cover_trade_undone_by FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cover_trade_undone_by TO causeway_system;

-- In words, which line of another report shows a credit as the return of a payment, under the same reference of the
-- bank; null where none does. Transactions of one entry share its reference, which proves nothing.
CREATE FUNCTION return_shown_of(wanted text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT 'Line ' || o.line || ' of statement ' || s.bank_statement_id || ' shows the same booking as the return of payment '
      || o.payment_id || '.'
  FROM incoming_credits c
    JOIN statement_lines l ON l.statement_id = c.statement_id AND l.line = c.line
    JOIN statements s ON s.environment = c.environment AND s.connector = c.connector AND s.id <> c.statement_id
      AND coalesce(s.to_at, s.listed_at) >= coalesce(c.booked_at, c.received_at) - interval '36 hours'
      AND coalesce(s.from_at, s.listed_at) <= coalesce(c.booked_at, c.received_at) + interval '36 hours'
    -- Lines that the bank marks as a return have no key.
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
REVOKE ALL ON FUNCTION return_shown_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION return_shown_of TO causeway_system;

-- A tie is of a trade of the platform and the environment, of the part that the line shows, and the first that stands. The
-- line is no other booking's and explains nothing else; a credit leaves those that wait. The reversal lets it wait again.
CREATE FUNCTION guard_trade_tie() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_credit boolean := NEW.exception_id ~ '^fc_';
  side text := NEW.content ->> 'side';
  trade cover_trades;
  moved text;
BEGIN
  IF NEW.act = 'REVERSE' THEN
    UPDATE incoming_credits SET outcome = NULL, decided_at = NULL
      WHERE id = NEW.exception_id AND outcome = 'TIED';
    IF NOT FOUND THEN
      RAISE EXCEPTION 'credit % is not tied', NEW.exception_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END IF;
  SELECT t.* INTO trade FROM cover_trades t WHERE t.id = NEW.content ->> 'tradeId'
    AND t.customer_id = NEW.customer_id AND t.environment = NEW.environment;
  IF trade.id IS NULL THEN
    RAISE EXCEPTION 'exception %: there is no such cover trade', NEW.exception_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.content ->> 'tradeRound' IS DISTINCT FROM (1 + (SELECT count(*) FROM exception_acts a
      JOIN exception_acts r ON r.reverses = a.id
      WHERE a.act = 'TIE_TRADE' AND a.content ->> 'tradeId' = trade.id AND a.content ->> 'side' = side))::text THEN
    RAISE EXCEPTION 'exception %: another line shows this part of the trade', NEW.exception_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_line_shows_a_part_of_a_trade';
  END IF;
  IF is_credit THEN
    -- The lock of src/db/ledger/early-reversal-store.ts: nobody takes the credit back meanwhile.
    PERFORM pg_advisory_xact_lock(hashtextextended('credits:' || c.environment || ':' || c.connector, 0))
      FROM incoming_credits c WHERE c.id = NEW.exception_id;
    UPDATE incoming_credits c SET outcome = 'TIED', decided_at = NEW.acted_at
      WHERE c.id = NEW.exception_id AND c.environment = NEW.environment AND c.outcome IS NULL
        AND side = 'BOUGHT' AND c.currency = trade.bought_currency AND c.minor <= trade.bought_amount
        AND c.minor::text = NEW.content ->> 'freed'
        AND NOT EXISTS (SELECT FROM statement_lines l
          WHERE l.credit_id = c.id AND (l.direction = 'DBIT' OR l.is_return));
    IF NOT FOUND THEN
      RAISE EXCEPTION 'credit % is decided', NEW.exception_id
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'one_act_ends_an_exception_a_round';
    END IF;
    SELECT min(m.moved) INTO moved FROM (
      SELECT l.statement_id, l.line FROM statement_lines l WHERE l.credit_id = NEW.exception_id AND l.direction = 'CRDT'
      UNION SELECT c.statement_id, c.line FROM incoming_credits c WHERE c.id = NEW.exception_id) AS own (statement_id, line)
      CROSS JOIN LATERAL booking_moved_by(own.statement_id, own.line, NEW.exception_id) AS m (moved);
    moved := coalesce(moved, return_shown_of(NEW.exception_id));
  ELSE
    -- guard_exception_act has locked the line, and knows that it is an exception that nothing has ended.
    IF NOT EXISTS (SELECT FROM statement_lines l
        WHERE l.statement_id = substring(NEW.exception_id FROM '^[0-9]+')::bigint
          AND l.line = substring(NEW.exception_id FROM '/([0-9]+)$')::integer
          AND l.exception = 'UNEXPECTED_AT_BANK' AND l.direction = 'DBIT' AND l.payment_id IS NULL
          AND NOT l.is_return AND l.environment = trade.environment
          AND l.currency = CASE WHEN side IN ('SOLD', 'SOLD_CHARGE') THEN trade.sold_currency
            WHEN side = 'BOUGHT_CHARGE' THEN trade.bought_currency END) THEN
      RAISE EXCEPTION 'exception %: its line shows no part of the trade', NEW.exception_id
        USING ERRCODE = 'check_violation';
    END IF;
    moved := booking_moved_by(substring(NEW.exception_id FROM '^[0-9]+')::bigint,
      substring(NEW.exception_id FROM '/([0-9]+)$')::integer);
  END IF;
  moved := coalesce(moved, 'Trade ' || cover_trade_undone_by(trade.id) || ' has undone this one.');
  IF moved IS NOT NULL THEN
    RAISE EXCEPTION '%', moved USING ERRCODE = 'unique_violation', CONSTRAINT = 'a_booking_ends_once';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER guard_trade_tie AFTER INSERT ON exception_acts FOR EACH ROW
  WHEN (NEW.act = 'TIE_TRADE' OR NEW.act = 'REVERSE' AND NEW.exception_id ~ '^fc_')
  EXECUTE FUNCTION guard_trade_tie();

-- What is tied is not in suspense, so the bank does not take it out of there: operators reverse the tie first. The release
-- before this one does not know that, and leaves the line to this release.
CREATE FUNCTION refuse_reversal_of_tied() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM incoming_credits c WHERE c.id = NEW.credit_id AND c.outcome = 'TIED') THEN
    RAISE EXCEPTION 'incoming credit % is tied to a cover trade', NEW.credit_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_reversal_of_tied BEFORE INSERT ON credit_reversals
  FOR EACH ROW EXECUTE FUNCTION refuse_reversal_of_tied();

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION return_shown_of OWNER TO causeway_system_definer;
ALTER FUNCTION cover_trade_undone_by OWNER TO causeway_system_definer;
ALTER FUNCTION guard_trade_tie OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
