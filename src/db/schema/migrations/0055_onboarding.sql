-- Requests for access, and the links that make an invited address a user's. What somebody told of themselves is
-- sealed for `access_requests/<id>/details`, their address found by its keyed hash; both go when the request is
-- erased. The row says what became of it; its workflow `onboarding/<id>` only comes back when `due_at` says.
CREATE TABLE access_requests (
  id text PRIMARY KEY CHECK (id ~ '^acr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  address_hash bytea CHECK (octet_length(address_hash) = 32),
  details bytea,
  status text NOT NULL DEFAULT 'WAITING'
    CHECK (status IN ('WAITING', 'APPROVED', 'DECLINED', 'EXPIRED')),
  -- Set with APPROVED: the customer and the first owner that it became.
  customer_id text UNIQUE REFERENCES customers,
  user_id text REFERENCES users,
  decided_by text REFERENCES operators,
  decided_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  -- When the engine next has something to do for it; null once nothing is left.
  due_at timestamptz,
  told_at timestamptz,
  reminded_at timestamptz,
  funded_at timestamptz,
  erased_at timestamptz,
  CHECK ((address_hash IS NULL) = (erased_at IS NOT NULL) AND (details IS NULL) = (erased_at IS NOT NULL)),
  CHECK ((status = 'WAITING') = (decided_at IS NULL)),
  CHECK ((status IN ('APPROVED', 'DECLINED')) = (decided_by IS NOT NULL)),
  CHECK ((status = 'APPROVED') = (customer_id IS NOT NULL) AND (status = 'APPROVED') = (user_id IS NOT NULL)),
  CHECK (status <> 'EXPIRED' OR erased_at IS NOT NULL)
);
CREATE INDEX access_requests_due ON access_requests (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX access_requests_waiting ON access_requests (seq) WHERE status = 'WAITING';

-- 256 bits, of which the keyed hash is kept: good for seven days and one use. A user has one open at most.
CREATE TABLE invitations (
  id text PRIMARY KEY CHECK (id ~ '^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL,
  user_id text NOT NULL,
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
    CHECK (expires_at > created_at AND expires_at <= created_at + interval '7 days'),
  used_at timestamptz,
  -- Withdrawn, or another one took its place.
  ended_at timestamptz,
  CHECK (num_nonnulls(used_at, ended_at) <= 1),
  FOREIGN KEY (customer_id, user_id) REFERENCES users (customer_id, id)
);
CREATE UNIQUE INDEX invitations_open ON invitations (user_id) WHERE used_at IS NULL AND ended_at IS NULL;

ALTER TABLE access_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_requests FORCE ROW LEVEL SECURITY;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
-- The worker reads requests, and changes them through the function below alone.
CREATE POLICY requests_are_seen ON access_requests FOR SELECT TO causeway_system USING (true);
CREATE POLICY requests_are_decided ON access_requests TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT ON access_requests TO causeway_system;
GRANT SELECT, INSERT, UPDATE ON access_requests TO causeway_console;
CREATE POLICY own_invitations ON invitations TO causeway_dashboard
  USING (customer_id = scope_customer()) WITH CHECK (customer_id = scope_customer());
CREATE POLICY every_invitation ON invitations TO causeway_console USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (used_at, ended_at) ON invitations TO causeway_dashboard, causeway_console;

-- An act that is of the whole company, of no environment, as an invitation.
CREATE POLICY acts_of_the_company ON audit_log FOR INSERT TO causeway_dashboard
  WITH CHECK (customer_id = scope_customer() AND environment IS NULL);

-- For the owners of the tables as well, whom no grant binds.
CREATE FUNCTION guard_access_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'WAITING' OR NEW.erased_at IS NOT NULL THEN
      RAISE EXCEPTION 'request %: a new request waits', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.seq, NEW.created_at, NEW.expires_at)
    IS DISTINCT FROM (OLD.id, OLD.seq, OLD.created_at, OLD.expires_at)
    OR (NEW.address_hash IS NOT NULL AND NEW.address_hash IS DISTINCT FROM OLD.address_hash)
    OR (NEW.details IS NOT NULL AND NEW.details IS DISTINCT FROM OLD.details) THEN
    RAISE EXCEPTION 'request %: what was asked does not change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.status <> 'WAITING' AND (NEW.status, NEW.customer_id, NEW.user_id, NEW.decided_by, NEW.decided_at)
    IS DISTINCT FROM (OLD.status, OLD.customer_id, OLD.user_id, OLD.decided_by, OLD.decided_at) THEN
    RAISE EXCEPTION 'request %: it is decided', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_access_request BEFORE INSERT OR UPDATE ON access_requests FOR EACH ROW
  EXECUTE FUNCTION guard_access_request();
CREATE TRIGGER access_requests_stay BEFORE DELETE ON access_requests FOR EACH ROW
  EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF num_nonnulls(OLD.used_at, OLD.ended_at) > 0
    OR (to_jsonb(NEW) - 'used_at' - 'ended_at') IS DISTINCT FROM (to_jsonb(OLD) - 'used_at' - 'ended_at') THEN
    RAISE EXCEPTION 'invitation %: it is over, or not to be changed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_invitation BEFORE UPDATE ON invitations FOR EACH ROW EXECUTE FUNCTION guard_invitation();
CREATE TRIGGER invitations_stay BEFORE DELETE ON invitations FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- An address that was not verified becomes no user's: ACTIVE is who has used the link. Disabled users come back
-- by a new invitation, and one that is ACTIVE never needs another.
CREATE FUNCTION guard_user_status() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.status = 'ACTIVE' AND (OLD.status <> 'INVITED'
    OR NOT EXISTS (SELECT FROM invitations WHERE user_id = NEW.id AND used_at IS NOT NULL)
    OR EXISTS (SELECT FROM invitations
               WHERE user_id = NEW.id AND used_at IS NULL AND ended_at IS NULL)) THEN
    RAISE EXCEPTION 'user %: the address is not verified', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'INVITED' AND OLD.status <> 'DISABLED' THEN
    RAISE EXCEPTION 'user %: it is in use', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_user_status BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.status IS DISTINCT FROM OLD.status) EXECUTE FUNCTION guard_user_status();

-- Whoever is forgotten is forgotten with the mails that said what became of the request, too.
CREATE POLICY mails_of_requests_go ON mails FOR DELETE TO causeway_console
  USING (kind IN ('REQUEST_RECEIVED', 'REQUEST_DECLINED') AND status <> 'WAITING');
CREATE FUNCTION forget_mails_of_request() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM mails WHERE address_hash = OLD.address_hash AND status <> 'WAITING'
    AND kind IN ('REQUEST_RECEIVED', 'REQUEST_DECLINED') AND created_at < NEW.erased_at - interval '1 day';
  RETURN NULL;
END $$;
CREATE TRIGGER forget_mails AFTER UPDATE ON access_requests FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION forget_mails_of_request();

-- What the worker does to a request, each once, and none before its time: tells of it, reminds, lets it expire,
-- notes its test funds, erases it. False: it is not the time, or it is done.
CREATE FUNCTION advance_access_request(of_id text, step text, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  CASE step
  WHEN 'TELL' THEN
    UPDATE access_requests SET told_at = moment, due_at = created_at + interval '2 days'
    WHERE id = of_id AND status = 'WAITING' AND told_at IS NULL;
  WHEN 'REMIND' THEN
    UPDATE access_requests SET reminded_at = moment, due_at = expires_at
    WHERE id = of_id AND status = 'WAITING' AND told_at IS NOT NULL AND reminded_at IS NULL
      AND created_at + interval '2 days' <= moment;
  WHEN 'EXPIRE' THEN
    UPDATE access_requests SET status = 'EXPIRED', decided_at = moment, erased_at = moment,
      address_hash = NULL, details = NULL, due_at = NULL
    WHERE id = of_id AND status = 'WAITING' AND expires_at <= moment;
  WHEN 'FUND' THEN
    UPDATE access_requests SET funded_at = moment, due_at = decided_at + interval '30 days'
    WHERE id = of_id AND status = 'APPROVED' AND funded_at IS NULL;
  WHEN 'ERASE' THEN
    UPDATE access_requests SET erased_at = moment, address_hash = NULL, details = NULL, due_at = NULL
    WHERE id = of_id AND status IN ('APPROVED', 'DECLINED') AND erased_at IS NULL
      AND (status = 'DECLINED' OR funded_at IS NOT NULL) AND decided_at + interval '30 days' <= moment;
  END CASE;
  RETURN FOUND;
END $$;
GRANT CREATE ON SCHEMA public TO causeway_console;
ALTER FUNCTION advance_access_request(text, text, timestamptz) OWNER TO causeway_console;
ALTER FUNCTION guard_user_status() OWNER TO causeway_console;
ALTER FUNCTION forget_mails_of_request() OWNER TO causeway_console;
REVOKE CREATE ON SCHEMA public FROM causeway_console;
REVOKE ALL ON FUNCTION advance_access_request FROM PUBLIC;
GRANT EXECUTE ON FUNCTION advance_access_request TO causeway_system, causeway_console;
