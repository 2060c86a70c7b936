-- Mails to people: written in the transaction of what they tell of, sent afterwards. Each ends SENT, FAILED
-- or EXPIRED, and its contents go with that: they may hold a code or a link that lets somebody in.
CREATE TABLE mails (
  id text PRIMARY KEY CHECK (id ~ '^mai_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  -- Whose user it goes to; null where it goes to an operator, or to somebody who is no user yet.
  customer_id text REFERENCES customers,
  kind text NOT NULL CHECK (kind ~ '^[A-Z_]{1,40}$'),
  -- The keyed hash of the address: mails to it are found, it cannot be read.
  address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
  -- Sealed for the row `mails/<id>/address` and `mails/<id>/contents`.
  address bytea NOT NULL,
  contents bytea,
  status text NOT NULL DEFAULT 'WAITING' CHECK (status IN ('WAITING', 'SENT', 'FAILED', 'EXPIRED')),
  -- Tries that were begun. A try is recorded only while no later one has begun.
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  -- A code of ours: why the last try did not succeed.
  failure text CHECK (failure ~ '^[A-Z0-9_]{1,40}$'),
  created_at timestamptz NOT NULL,
  -- When it is to be tried next, and until when whoever tries has it alone.
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz,
  CHECK ((status = 'WAITING') = (contents IS NOT NULL)),
  CHECK ((status = 'WAITING') = (ended_at IS NULL))
);
CREATE INDEX mails_waiting ON mails (id) WHERE status = 'WAITING';
CREATE INDEX mails_not_sent ON mails (ended_at) WHERE status IN ('FAILED', 'EXPIRED');
CREATE INDEX mails_by_end ON mails (ended_at) WHERE status <> 'WAITING';
CREATE INDEX mails_by_address ON mails (address_hash, kind, created_at);

ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE mails FORCE ROW LEVEL SECURITY;
-- Whoever works for one customer may write to its users and to operators, and reads no mail at all.
CREATE POLICY own_mails_are_written ON mails FOR INSERT TO causeway_app, causeway_dashboard
  WITH CHECK (customer_id IS NULL OR customer_id = current_setting('causeway.customer', true));
CREATE POLICY mails_are_written ON mails FOR INSERT TO causeway_system, causeway_console
  WITH CHECK (true);
CREATE POLICY mails_are_seen ON mails FOR SELECT TO causeway_system, causeway_console USING (true);
CREATE POLICY mails_are_sent ON mails FOR UPDATE TO causeway_system, causeway_console
  USING (status = 'WAITING') WITH CHECK (true);
CREATE POLICY old_mails_go ON mails FOR DELETE TO causeway_system, causeway_console
  USING (ended_at < clock_timestamp() - interval '30 days');
GRANT INSERT ON mails TO causeway_app, causeway_dashboard;
GRANT SELECT, INSERT, DELETE ON mails TO causeway_system, causeway_console;
GRANT UPDATE (status, contents, tries, failure, due_at, leased_until, ended_at) ON mails
  TO causeway_system, causeway_console;

-- For the owner of the table as well, whom no grant binds.
CREATE FUNCTION guard_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'WAITING' OR NEW.tries <> 0 THEN
      RAISE EXCEPTION 'mail %: a new mail waits', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.status <> 'WAITING' THEN
    RAISE EXCEPTION 'mail %: it is over', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.id, NEW.customer_id, NEW.kind, NEW.address_hash, NEW.address, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM
    (OLD.id, OLD.customer_id, OLD.kind, OLD.address_hash, OLD.address, OLD.created_at, OLD.expires_at)
    OR NEW.tries < OLD.tries
    OR (NEW.contents IS NOT NULL AND NEW.contents IS DISTINCT FROM OLD.contents) THEN
    RAISE EXCEPTION 'mail %: a mail does not change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_mail BEFORE INSERT OR UPDATE ON mails FOR EACH ROW EXECUTE FUNCTION guard_mail();
