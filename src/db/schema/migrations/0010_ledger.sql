-- The ledger and the balances.

-- Double entry in minor units. Credits are positive: a positive amount raises what we owe a customer, or leaves our
-- nostro account at the bank.
CREATE TABLE ledger_transactions (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  kind text NOT NULL CHECK (kind IN
    ('FUND', 'HOLD', 'SETTLE', 'RELEASE', 'RETURN', 'RETURN_DIFFERENCE', 'COVER', 'LATE_RETURN',
      'LATE_RETURN_CREDIT', 'SUSPEND', 'ASSIGN', 'CLOSE', 'FUND_REVERSAL', 'DEPOSIT', 'DEPOSIT_HOLD',
      'DEPOSIT_UNHOLD', 'DEPOSIT_RELEASE', 'DEPOSIT_ORPHAN', 'DEPOSIT_BLOCK', 'DEPOSIT_UNBLOCK')),
  payment_id text,
  -- Movements of deposits, at most one of each kind a deposit and round. The payment is the deposit's: a
  -- payment has one movement of each kind, and any number of deposits.
  deposit_id text,
  deposit_round integer,
  created_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE NULLS DISTINCT (payment_id, kind),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT deposits_move_by_their_kinds CHECK ((kind LIKE 'DEPOSIT%') = (deposit_id IS NOT NULL)
    AND num_nulls(deposit_id, deposit_round) IN (0, 2)
    AND (deposit_id IS NULL OR payment_id IS NULL)),
  CONSTRAINT ledger_transactions_deposit_fkey FOREIGN KEY (customer_id, environment, deposit_id)
    REFERENCES deposits (customer_id, environment, id)
);
COMMENT ON TABLE ledger_transactions IS
  'One transaction of the ledger, whose postings sum to zero per currency. Rows never change and are never '
  'deleted: a mistake is reversed by another transaction.';
-- What was reserved leaves once: to the bank, or back to the customer.
CREATE UNIQUE INDEX a_hold_ends_once ON ledger_transactions (payment_id)
  WHERE kind IN ('SETTLE', 'RELEASE');
-- Finds the sequence at which a moment lies.
CREATE INDEX ledger_transactions_by_time
  ON ledger_transactions (customer_id, environment, created_at, seq);
-- Nothing of a deposit moves twice, whoever reads the chain at the same time.
CREATE UNIQUE INDEX a_deposit_moves_once_a_round
  ON ledger_transactions (deposit_id, deposit_round, kind) WHERE deposit_id IS NOT NULL;
CALL secure_scoped_table('ledger_transactions');
GRANT INSERT ON ledger_transactions TO causeway_app;
CREATE TRIGGER ledger_transactions_are_append_only BEFORE UPDATE OR DELETE ON ledger_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Money leaves suspense by the decision of two operators.
CREATE FUNCTION guard_late_return_credit() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF late_return_decision_in_use(NEW.payment_id) IS DISTINCT FROM 'CREDIT' THEN
    RAISE EXCEPTION 'payment %: money leaves suspense by two operators', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_late_return_credit BEFORE INSERT ON ledger_transactions FOR EACH ROW
  WHEN (NEW.kind = 'LATE_RETURN_CREDIT') EXECUTE FUNCTION guard_late_return_credit();

-- `kind` is the transaction's, and FEE for the two postings of a move to or from `fees`. Postings come in pairs, 1 and
-- 2, 3 and 4: the account that pays and the account that receives. Numbers are drawn behind the lock of the balances
-- that move: per customer, environment and currency they are in the order of the commits, with none added later.
CREATE TABLE ledger_entries (
  transaction_id text NOT NULL,
  line integer NOT NULL,
  seq bigint,
  kind text,
  customer_id text NOT NULL,
  environment text NOT NULL,
  -- customer: available, reserved, pending, receivable; ours: nostro:<rail>, fx, fees, rounding, suspense
  account text NOT NULL CHECK (account ~
    '^(available|reserved|pending|receivable|fx|fees|rounding|suspense|nostro:[A-Z_]+)$'),
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  balance_after bigint,
  PRIMARY KEY (transaction_id, line),
  FOREIGN KEY (customer_id, environment, transaction_id)
    REFERENCES ledger_transactions (customer_id, environment, id)
);
COMMENT ON TABLE ledger_entries IS
  'One posting of a ledger transaction to one account. Rows are never deleted, and change at most once, when '
  '`seq` and `kind` are filled in.';
-- Our position in foreign currencies since its last checkpoint.
CREATE INDEX fx_entries ON ledger_entries (environment, transaction_id COLLATE "C")
  INCLUDE (currency, amount) WHERE account = 'fx';
-- A list of balance transactions, a statement and a closing balance are walks along it, one of each kind.
CREATE INDEX ledger_entries_by_kind
  ON ledger_entries (customer_id, environment, currency, account, kind, seq, line);
-- The customer's own lines of every currency, newest first.
CREATE INDEX ledger_entries_of_customers ON ledger_entries (customer_id, environment, seq, line)
  WHERE account IN ('available', 'reserved', 'pending', 'receivable');
CALL secure_scoped_table('ledger_entries');
GRANT INSERT ON ledger_entries TO causeway_app;
GRANT UPDATE (seq, kind) ON ledger_entries TO causeway_system;
CREATE TRIGGER ledger_entries_are_append_only BEFORE DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_stay_as_they_are BEFORE UPDATE ON ledger_entries
  FOR EACH ROW WHEN (OLD.seq IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_are_only_placed BEFORE UPDATE ON ledger_entries
  FOR EACH ROW WHEN (OLD.seq IS NULL) EXECUTE FUNCTION refuse_all_but_completion('seq', 'kind');

-- When all lines are written.
CREATE FUNCTION check_transaction_sums_to_zero() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_entries WHERE transaction_id = NEW.transaction_id
             GROUP BY currency HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW.transaction_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER transaction_sums_to_zero AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_transaction_sums_to_zero();

-- A line that is written without its place gets it before it can be seen.
CREATE FUNCTION place_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
REVOKE ALL ON FUNCTION place_entry FROM PUBLIC;
GRANT EXECUTE ON FUNCTION place_entry TO causeway_system;
CREATE CONSTRAINT TRIGGER place_entry AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq IS NULL) EXECUTE FUNCTION place_entry();

-- When all is written: what is in the books of a deposit is all of it, or nothing, as its status says.
CREATE FUNCTION check_deposit_in_books() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted text := CASE TG_TABLE_NAME WHEN 'deposits' THEN to_jsonb(NEW) ->> 'id'
    ELSE to_jsonb(NEW) ->> 'deposit_id' END;
BEGIN
  IF EXISTS (
    SELECT FROM deposits d CROSS JOIN LATERAL (
      SELECT coalesce(-sum(e.amount) FILTER (WHERE e.account = 'nostro:' || d.network), 0) AS arrived,
        coalesce(sum(e.amount) FILTER (WHERE e.account = 'suspense'), 0) AS suspended,
        count(*) FILTER (WHERE e.currency <> d.asset OR e.account NOT IN ('available', 'reserved', 'pending',
          'receivable', 'suspense', 'nostro:' || d.network)) AS stray
      FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
      WHERE t.deposit_id = d.id
    ) AS books
    WHERE d.id = wanted AND (books.stray > 0
      OR books.arrived <> CASE WHEN d.applied_to IS NULL THEN 0 ELSE d.amount END
      OR books.suspended <> CASE WHEN d.status IN ('BLOCKED', 'KEPT') THEN d.amount ELSE 0 END)) THEN
    RAISE EXCEPTION 'deposit %: the books do not show what it is', wanted
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER deposit_is_in_books AFTER UPDATE ON deposits
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_deposit_in_books();
CREATE CONSTRAINT TRIGGER deposit_moves_as_it_is AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.deposit_id IS NOT NULL)
  EXECUTE FUNCTION check_deposit_in_books();

-- Customer accounts only. Ours are sums, or every payment would wait for one row.
CREATE TABLE balances (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  currency text NOT NULL,
  available bigint NOT NULL DEFAULT 0 CONSTRAINT available_is_never_negative CHECK (available >= 0),
  reserved bigint NOT NULL DEFAULT 0 CONSTRAINT reserved_is_never_negative CHECK (reserved >= 0),
  -- On its way to the customer, and counts for nothing yet: it moves with the ledger's lines, as the others do.
  pending bigint NOT NULL DEFAULT 0,
  receivable bigint NOT NULL DEFAULT 0 CONSTRAINT receivable_is_owed_to_us CHECK (receivable <= 0),
  PRIMARY KEY (customer_id, environment, currency),
  -- Who owes us has nothing to pay with: each credit repays first, so the one of the two is always zero.
  CONSTRAINT debts_are_repaid_first CHECK (receivable = 0 OR available = 0),
  CONSTRAINT pending_is_never_negative CHECK (pending >= 0)
);
COMMENT ON TABLE balances IS
  'The balance of one customer in one currency and environment, moved with the postings. No role may delete it.';
CALL secure_scoped_table('balances');
GRANT INSERT, UPDATE ON balances TO causeway_app;

-- Minor units. A statement runs from the row of the day before to the row of its own day.
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
COMMENT ON TABLE balance_days IS
  'The end of one day in the ledger of one customer and currency: its last transaction, and the balances after '
  'it. Written once, never changed or deleted.';
CALL secure_scoped_table('balance_days');
GRANT INSERT ON balance_days TO causeway_app;
CREATE TRIGGER balance_days_are_append_only BEFORE UPDATE OR DELETE ON balance_days
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Days end one after the other, whatever the software above says.
CREATE FUNCTION guard_balance_day() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION check_transaction_sums_to_zero OWNER TO causeway_system_definer;
ALTER FUNCTION place_entry OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
