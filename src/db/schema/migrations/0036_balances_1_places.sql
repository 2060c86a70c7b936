-- All at once, in the order of the transactions that move money: what waits for one holds no other.
LOCK TABLE balances, ledger_entries IN ACCESS EXCLUSIVE MODE;

-- A line knows its place by itself: the number of its transaction, and what it is for. `kind` is the
-- transaction's, and FEE for the two lines of a move to or from `fees`: lines stand in pairs, 1 and 2,
-- 3 and 4, what is taken and where it goes. Numbers are drawn behind the lock of the balances that move:
-- per customer, environment and currency they are in the order of the commits, without late ones.
ALTER TABLE ledger_entries ADD COLUMN seq bigint, ADD COLUMN kind text;

DROP TRIGGER ledger_entries_are_append_only ON ledger_entries;
CREATE TRIGGER ledger_entries_are_append_only BEFORE DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_stay_as_they_are BEFORE UPDATE ON ledger_entries
  FOR EACH ROW WHEN (OLD.seq IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_are_only_placed BEFORE UPDATE ON ledger_entries
  FOR EACH ROW WHEN (OLD.seq IS NULL) EXECUTE FUNCTION refuse_all_but_completion('seq', 'kind');

-- The version before writes lines without a place; they get it before they can be seen.
CREATE FUNCTION place_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE ledger_entries e SET seq = t.seq,
    kind = CASE WHEN EXISTS (
      SELECT FROM ledger_entries pair WHERE pair.transaction_id = e.transaction_id
        AND (pair.line - 1) / 2 = (e.line - 1) / 2 AND pair.account = 'fees')
      THEN 'FEE' ELSE t.kind END
  FROM ledger_transactions t
  WHERE t.id = NEW.transaction_id AND e.transaction_id = NEW.transaction_id
    AND e.line = NEW.line AND e.seq IS NULL;
  RETURN NULL;
END $$;
GRANT UPDATE (seq, kind) ON ledger_entries TO causeway_system;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION place_entry() OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION place_entry() FROM PUBLIC;
CREATE CONSTRAINT TRIGGER place_entry AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq IS NULL) EXECUTE FUNCTION place_entry();

-- Where a day ends in the ledger of one currency, decided once: its last transaction, and the balances
-- behind it in minor units. A statement runs from the row of the day before to that of its own day.
CREATE TABLE balance_days (
  customer_id text NOT NULL,
  environment text NOT NULL,
  currency text NOT NULL,
  -- By UTC.
  day date NOT NULL,
  -- 0 where there was none yet.
  last_seq bigint NOT NULL CHECK (last_seq >= 0),
  available bigint NOT NULL,
  reserved bigint NOT NULL,
  pending bigint NOT NULL,
  receivable bigint NOT NULL,
  closed_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment, currency, day),
  FOREIGN KEY (customer_id, environment, currency) REFERENCES balances,
  CONSTRAINT closed_when_over CHECK (closed_at >= (day + 1)::timestamp AT TIME ZONE 'UTC')
);
CALL secure_scoped_table('balance_days');
GRANT INSERT ON balance_days TO causeway_app;
CREATE TRIGGER balance_days_are_append_only BEFORE UPDATE OR DELETE ON balance_days
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Days end one after the other, whatever the software above says.
CREATE FUNCTION guard_balance_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM balance_days d
    WHERE d.customer_id = NEW.customer_id AND d.environment = NEW.environment
      AND d.currency = NEW.currency
      AND (d.day < NEW.day AND d.last_seq > NEW.last_seq
        OR d.day > NEW.day AND d.last_seq < NEW.last_seq)) THEN
    RAISE EXCEPTION 'day % of % does not end between its neighbours', NEW.day, NEW.currency
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_balance_day BEFORE INSERT ON balance_days
  FOR EACH ROW EXECUTE FUNCTION guard_balance_day();
