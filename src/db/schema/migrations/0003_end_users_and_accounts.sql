CREATE TABLE end_users (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  type text NOT NULL CHECK (type IN ('INDIVIDUAL', 'BUSINESS')),
  external_id text,
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  kyc_status text NOT NULL DEFAULT 'NOT_STARTED',
  kyc_round integer NOT NULL DEFAULT 0,
  personal bytea NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (customer_id, environment, external_id)
);
CREATE INDEX end_users_newest_first ON end_users (customer_id, environment, seq DESC);
CREATE INDEX end_users_by_kyc ON end_users (customer_id, environment, kyc_status, seq DESC);
CALL secure_scoped_table('end_users');
GRANT INSERT, UPDATE ON end_users TO causeway_app;

CREATE TABLE kyc_moves (from_status text, to_status text, PRIMARY KEY (from_status, to_status));
INSERT INTO kyc_moves VALUES
  ('NOT_STARTED', 'PENDING'), ('PENDING', 'IN_REVIEW'),
  ('IN_REVIEW', 'APPROVED'), ('IN_REVIEW', 'REJECTED'), ('IN_REVIEW', 'RESUBMISSION_REQUIRED'),
  ('APPROVED', 'EXPIRED'), ('APPROVED', 'REVOKED'), ('APPROVED', 'RESUBMISSION_REQUIRED'),
  ('RESUBMISSION_REQUIRED', 'IN_REVIEW'), ('RESUBMISSION_REQUIRED', 'REJECTED');
GRANT SELECT ON kyc_moves TO causeway_app, causeway_system;

CREATE TABLE kyc_checks (
  id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text NOT NULL,
  round integer NOT NULL,
  status text NOT NULL DEFAULT 'PENDING',
  reasons jsonb NOT NULL DEFAULT '[]',
  link_token_hmac bytea NOT NULL UNIQUE,
  link_token bytea NOT NULL,
  link_expires_at timestamptz NOT NULL,
  redirect_url text,
  provider_url bytea,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (end_user_id, round),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id)
);
-- The sweep pages by id through the checks that are not decided.
CREATE INDEX kyc_checks_undecided ON kyc_checks (id)
  WHERE status IN ('PENDING', 'IN_REVIEW', 'RESUBMISSION_REQUIRED');
CALL secure_scoped_table('kyc_checks');
GRANT INSERT, UPDATE ON kyc_checks TO causeway_app;

CREATE FUNCTION guard_kyc_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <> OLD.version + 1 AND NEW.status <> OLD.status THEN
    RAISE EXCEPTION 'kyc check %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status <> OLD.status AND NOT EXISTS (
    SELECT FROM kyc_moves WHERE from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'kyc check % cannot move from % to %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_kyc_move BEFORE UPDATE ON kyc_checks
  FOR EACH ROW EXECUTE FUNCTION guard_kyc_move();

-- What the KYC provider told us, stored before anything is done about it.
CREATE TABLE kyc_reports (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  kyc_check_id text NOT NULL,
  report_id text NOT NULL,
  status text NOT NULL,
  reasons jsonb NOT NULL DEFAULT '[]',
  provider_version integer NOT NULL,
  received_at timestamptz NOT NULL,
  processed_at timestamptz,
  effect text,
  UNIQUE (kyc_check_id, report_id),
  FOREIGN KEY (customer_id, environment, kyc_check_id)
    REFERENCES kyc_checks (customer_id, environment, id)
);
CREATE INDEX kyc_reports_unprocessed ON kyc_reports (received_at) WHERE processed_at IS NULL;
CREATE INDEX kyc_reports_of_check ON kyc_reports (kyc_check_id, id);
CALL secure_scoped_table('kyc_reports');
GRANT INSERT, UPDATE ON kyc_reports TO causeway_app;

-- A provider's callback names only its reference (our check id); this finds whose it is.
CREATE FUNCTION find_kyc_check_scope(wanted text)
RETURNS TABLE (customer_id text, environment text, end_user_id text, round integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.customer_id, c.environment, c.end_user_id, c.round FROM kyc_checks c WHERE c.id = wanted
$$;

-- The hosted page is opened by an end-user who has nothing but the link's token.
CREATE FUNCTION find_kyc_link(wanted bytea)
RETURNS TABLE (id text, status text, link_expires_at timestamptz, provider_url bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.id, c.status, c.link_expires_at, c.provider_url
  FROM kyc_checks c WHERE c.link_token_hmac = wanted
$$;

CREATE TABLE bank_accounts (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text NOT NULL,
  country text NOT NULL,
  currency text NOT NULL,
  rail text NOT NULL,
  holder_type text NOT NULL CHECK (holder_type IN ('INDIVIDUAL', 'BUSINESS')),
  fingerprint text NOT NULL,
  personal bytea NOT NULL,
  bank_name text,
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  name_check text NOT NULL DEFAULT 'NOT_SUPPORTED'
    CHECK (name_check IN ('MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'UNAVAILABLE', 'NOT_SUPPORTED')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (customer_id, environment, end_user_id, fingerprint),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id)
);
CREATE INDEX bank_accounts_newest_first ON bank_accounts (customer_id, environment, seq DESC);
CALL secure_scoped_table('bank_accounts');
GRANT INSERT, UPDATE ON bank_accounts TO causeway_app;
