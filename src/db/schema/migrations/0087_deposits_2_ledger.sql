-- Movements of deposits, at most one of each kind a deposit and round: `0087_deposits_4_once_a_round`. The payment is
-- the deposit's: a payment has one movement of each kind, and any number of deposits.
LOCK TABLE ledger_transactions IN ACCESS EXCLUSIVE MODE;
ALTER TABLE ledger_transactions ADD COLUMN deposit_id text, ADD COLUMN deposit_round integer;
DO $$
DECLARE
  known text := (SELECT string_agg(quote_literal(kind[1]), ', ') FROM regexp_matches(
    (SELECT pg_get_constraintdef(oid) FROM pg_constraint
     WHERE conrelid = 'ledger_transactions'::regclass AND conname = 'ledger_transactions_kind_check'),
    '''([A-Z_]+)''', 'g') AS kind);
BEGIN
  ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check;
  EXECUTE format('ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_kind_check CHECK
    (kind IN (%s, ''DEPOSIT'', ''DEPOSIT_HOLD'', ''DEPOSIT_UNHOLD'', ''DEPOSIT_RELEASE'', ''DEPOSIT_ORPHAN'',
      ''DEPOSIT_BLOCK'')) NOT VALID', known);
END $$;
ALTER TABLE ledger_transactions
  ADD CONSTRAINT deposits_move_by_their_kinds CHECK ((kind LIKE 'DEPOSIT%') = (deposit_id IS NOT NULL)
    AND num_nulls(deposit_id, deposit_round) IN (0, 2)
    AND (deposit_id IS NULL OR payment_id IS NULL)) NOT VALID,
  ADD CONSTRAINT ledger_transactions_deposit_fkey FOREIGN KEY (customer_id, environment, deposit_id)
    REFERENCES deposits (customer_id, environment, id) NOT VALID;

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
      OR books.suspended <> CASE d.status WHEN 'BLOCKED' THEN d.amount ELSE 0 END)) THEN
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
