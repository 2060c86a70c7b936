-- Each version of a deposit is kept once a statement, not once a row: a statement changes many.
CREATE OR REPLACE FUNCTION keep_deposit_version() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO deposit_history (deposit_id, version, customer_id, environment, status, applied_to, reason, to_payment,
    round, block_number, block_hash, at)
  SELECT id, version, customer_id, environment, status, applied_to, reason, to_payment, round, block_number, block_hash,
    updated_at
  FROM added;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER keep_deposit_version AFTER INSERT ON deposits REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_deposit_version();
CREATE TRIGGER keep_moved_deposit_version AFTER UPDATE ON deposits REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_deposit_version();

-- Whether the books show a deposit is checked where a change says something else of them: one that becomes final does not.
-- What is written in the books is checked as before.
DROP TRIGGER deposit_is_in_books ON deposits;
CREATE CONSTRAINT TRIGGER deposit_is_in_books AFTER UPDATE ON deposits
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.applied_to IS NULL) <> (NEW.applied_to IS NULL)
    OR (OLD.status IN ('BLOCKED', 'KEPT')) <> (NEW.status IN ('BLOCKED', 'KEPT'))
    OR (OLD.network, OLD.asset, OLD.amount) IS DISTINCT FROM (NEW.network, NEW.asset, NEW.amount))
  EXECUTE FUNCTION check_deposit_in_books();
