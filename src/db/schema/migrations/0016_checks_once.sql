-- Each rule is checked once, and a young database plans as a grown one.

-- The entries of a ledger transaction are written by the database transaction that writes it, in statements that each
-- sum to zero: each is judged where it ends, once, and not at every entry.
DROP TRIGGER transaction_sums_to_zero ON ledger_entries;
DROP FUNCTION check_transaction_sums_to_zero;
CREATE FUNCTION check_added_entries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wrong text;
BEGIN
  SELECT a.transaction_id INTO wrong FROM added a
  GROUP BY a.transaction_id, a.currency HAVING sum(a.amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', wrong USING ERRCODE = 'check_violation';
  END IF;
  SELECT a.transaction_id INTO wrong FROM (SELECT DISTINCT e.transaction_id, e.seq, e.kind FROM added e) a
  WHERE NOT EXISTS (
    SELECT FROM ledger_transactions t
    WHERE t.id = a.transaction_id AND t.seq = a.seq AND a.kind IN (t.kind, 'FEE', 'REPAYMENT')
      AND t.xmin = pg_current_xact_id()::xid)
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: its entries are written with it, with its number and kind', wrong
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_come_with_their_transaction';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER added_entries_sum_to_zero AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_added_entries();

-- An entry has its place from the beginning, so it never changes.
DROP TRIGGER place_entry ON ledger_entries;
DROP FUNCTION place_entry;
DROP TRIGGER ledger_entries_stay_as_they_are ON ledger_entries;
DROP TRIGGER ledger_entries_are_only_placed ON ledger_entries;
DROP TRIGGER ledger_entries_are_append_only ON ledger_entries;
CREATE TRIGGER ledger_entries_are_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
REVOKE UPDATE (seq, kind) ON ledger_entries FROM causeway_system;
COMMENT ON TABLE ledger_entries IS
  'One posting of a ledger transaction to one account. Rows never change and are never deleted.';

-- Only transfers over a network have a record of the travel rule, and a network's process takes only attempts whose rail
-- is that network: an attempt over a bank's rail does not look for a record.
DROP TRIGGER travel_rule_is_kept_by_first ON settlement_attempts;
CREATE TRIGGER travel_rule_is_kept_by_first BEFORE INSERT ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase = 'SENDING' AND NEW.rail IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON'))
  EXECUTE FUNCTION travel_rule_is_kept();
DROP TRIGGER travel_rule_is_kept_by_next ON settlement_attempts;
CREATE TRIGGER travel_rule_is_kept_by_next BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.phase = 'SENDING' AND (OLD.phase <> 'SENDING' OR OLD.rail <> NEW.rail)
    AND NEW.rail IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON'))
  EXECUTE FUNCTION travel_rule_is_kept();

-- Requests arrive in batches, of many keys. Whose they are is what their key says. One that was written
-- before is left out, and uses up no number: a batch whose answer got lost is sent again. The lock puts batches of
-- several processes in order, so that no two count the same.
CREATE OR REPLACE FUNCTION write_api_requests(entries jsonb, moment timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('api-requests', 0));
  WITH given AS MATERIALIZED (
    SELECT e.*, row_number() OVER () AS place
    FROM jsonb_to_recordset(entries) AS e (key_id text, request_id text, at timestamptz, method text,
      route text, status smallint, error_code text, duration_ms integer, address inet, payment_id text)
  ), entry AS MATERIALIZED (
    SELECT g.* FROM given g WHERE g.request_id <> ALL (ARRAY(
      SELECT r.request_id FROM api_requests r WHERE r.request_id = ANY (ARRAY(SELECT request_id FROM given))))
  ), last AS MATERIALIZED (
    SELECT k.id, k.customer_id, k.environment,
      coalesce((SELECT max(r.nr) FROM api_requests r WHERE r.api_key_id = k.id), 0) AS nr
    FROM api_keys k WHERE k.id = ANY (ARRAY(SELECT DISTINCT key_id FROM entry))
  )
  INSERT INTO api_requests (customer_id, environment, api_key_id, nr, request_id, at, method, route,
    status, error_code, duration_ms, address, payment_id)
  SELECT l.customer_id, l.environment, l.id,
    l.nr + row_number() OVER (PARTITION BY l.id ORDER BY e.place), e.request_id, e.at, e.method,
    e.route, e.status, e.error_code, e.duration_ms, e.address, e.payment_id
  FROM entry e JOIN last l ON l.id = e.key_id ORDER BY e.place
  ON CONFLICT (request_id) DO NOTHING;
  WITH ring AS MATERIALIZED (
    SELECT k.id, (SELECT max(n.nr) FROM api_requests n WHERE n.api_key_id = k.id) AS last
    FROM (SELECT DISTINCT e ->> 'key_id' AS id FROM jsonb_array_elements(entries) e) k
  )
  DELETE FROM api_requests r USING ring WHERE r.api_key_id = ring.id AND r.nr <= ring.last - 2000;
  -- Of keys that are not used any more, a few at a time: the oldest rows are the first. Where none of the first fifty
  -- is too old, the others are not looked at.
  DELETE FROM api_requests r WHERE r.at < moment - interval '90 days'
    AND (SELECT min(o.at) FROM (SELECT at FROM api_requests ORDER BY seq LIMIT 50) o)
      < moment - interval '90 days'
    AND r.seq IN (SELECT o.seq FROM api_requests o ORDER BY o.seq LIMIT 500);
$$;

-- What was paid to a wallet in the last days, whatever was paid before.
CREATE INDEX payments_of_wallet_by_time ON payments (customer_id, environment, wallet_id, created_at)
  WHERE wallet_id IS NOT NULL;

-- Until autovacuum has read these tables, the planner takes a page of them for many rows, and all rows for one
-- customer's: a young table is read as a grown one, by its own key, and not by whose rows they are. Autovacuum waits for
-- a tenth of the rows to change, so their number is small. Before PostgreSQL 18 nobody can say so, and the first minute
-- of a new database is slower.
DO $$
DECLARE
  target text;
  shared text;
BEGIN
  IF to_regproc('pg_catalog.pg_restore_attribute_stats') IS NOT NULL THEN
    FOREACH target IN ARRAY ARRAY['end_users', 'bank_accounts', 'payments', 'payment_history', 'settlement_attempts',
      'ledger_transactions', 'ledger_entries', 'events', 'webhook_deliveries'] LOOP
      CONTINUE WHEN pg_relation_size(('public.' || target)::regclass) > 0;
      PERFORM pg_restore_relation_stats('schemaname', 'public', 'relname', target, 'relpages', 1,
        'reltuples', 3000::real);
      FOREACH shared IN ARRAY ARRAY['customer_id', 'environment'] LOOP
        PERFORM pg_restore_attribute_stats('schemaname', 'public', 'relname', target, 'attname', shared,
          'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real);
      END LOOP;
    END LOOP;
  END IF;
END $$;

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION check_added_entries OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
