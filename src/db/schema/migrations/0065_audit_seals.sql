-- The audit log is sealed every few seconds: each seal has the hash of the rows since the seal before, and of that
-- seal's hash. A row that is changed, removed or added afterwards no longer matches its seal.

CREATE TABLE audit_seals (
  number bigint PRIMARY KEY CHECK (number > 0),
  -- The rows of the audit log that it seals: the first and the last one, and how many.
  first_id bigint NOT NULL,
  last_id bigint NOT NULL CHECK (last_id >= first_id),
  row_count integer NOT NULL CHECK (row_count > 0),
  -- Of the seal before; of the first seal 32 zero bytes.
  previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
  -- SHA-256 over the previous hash, the rows, and what stands here.
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  -- HMAC-SHA-256 of the hash under a key that is not in the database.
  mac bytea NOT NULL CHECK (octet_length(mac) = 32),
  sealed_at timestamptz NOT NULL
);
COMMENT ON TABLE audit_seals IS
  'One seal over consecutive rows of the audit log, chained to the seal before. Rows never change and are never deleted.';
ALTER TABLE audit_seals ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_seals FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON audit_seals FOR SELECT TO causeway_system USING (true);
-- Roles that inherit from causeway_system seal nothing.
CREATE POLICY the_worker_seals ON audit_seals FOR INSERT TO causeway_system
  WITH CHECK (current_user = 'causeway_system');
GRANT SELECT, INSERT ON audit_seals TO causeway_system;
-- A seal follows the newest one, over rows that are there: one that was made up elsewhere would stop those that follow.
CREATE FUNCTION guard_audit_seal() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  newest audit_seals;
BEGIN
  SELECT * INTO newest FROM audit_seals ORDER BY number DESC LIMIT 1;
  IF NEW.number <> coalesce(newest.number, 0) + 1 OR NEW.first_id <= coalesce(newest.last_id, 0)
    OR NEW.previous_hash <> coalesce(newest.hash, decode(repeat('00', 32), 'hex'))
    OR NOT EXISTS (SELECT FROM audit_log WHERE id = NEW.first_id)
    OR NOT EXISTS (SELECT FROM audit_log WHERE id = NEW.last_id) THEN
    RAISE EXCEPTION 'audit seal %: it does not follow the newest seal', NEW.number USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_audit_seal BEFORE INSERT ON audit_seals FOR EACH ROW EXECUTE FUNCTION guard_audit_seal();
CREATE TRIGGER audit_seals_is_append_only BEFORE UPDATE OR DELETE ON audit_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Who writes a row does not choose its id, which could put it among sealed rows.
REVOKE INSERT ON audit_log FROM causeway_app, causeway_system, causeway_entry;
GRANT INSERT (at, actor, action, customer_id, environment, subject, details) ON audit_log
  TO causeway_app, causeway_system, causeway_entry;
