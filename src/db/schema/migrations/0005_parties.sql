-- Who is paid and where: end-users, who they are and whether they may be paid, accounts and wallets.

-- Names and data are sealed in `personal`.
CREATE TABLE end_users (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  type text NOT NULL CHECK (type IN ('INDIVIDUAL', 'BUSINESS')),
  relationship text NOT NULL DEFAULT 'CLIENT',
  external_id text,
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'SUSPENDED', 'CLOSED')),
  kyc_status text NOT NULL DEFAULT 'NOT_STARTED',
  kyc_round integer NOT NULL DEFAULT 0,
  kyc_expires_at timestamptz,
  personal bytea NOT NULL,
  -- How often what identifies the end-user has changed.
  identity_version integer NOT NULL DEFAULT 1,
  screening_status text NOT NULL DEFAULT 'UNSCREENED',
  screening_list text,
  screened_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (customer_id, environment, external_id),
  CONSTRAINT end_users_screening_check CHECK
    (screening_status IN ('UNSCREENED', 'CLEAR', 'HIT', 'RELEASED', 'REFUSED')),
  CONSTRAINT end_users_relationship_check CHECK
    (relationship = 'CLIENT' OR relationship = 'SELF' AND type = 'BUSINESS')
);
COMMENT ON TABLE end_users IS
  'One person or company that a customer pays: a client, or with SELF the customer itself, for withdrawals. No '
  'role may delete it; erasure empties `personal`.';
CREATE INDEX end_users_newest_first ON end_users (customer_id, environment, seq DESC);
CREATE INDEX end_users_by_kyc ON end_users (customer_id, environment, kyc_status, seq DESC);
-- GET /end-users?status=: the closed may be few among many.
CREATE INDEX end_users_by_status ON end_users (customer_id, environment, status, seq DESC);
-- Finds the sequence at which a moment lies.
CREATE INDEX end_users_by_time ON end_users (customer_id, environment, created_at, seq);
-- GET /end-users?type=: businesses may be few among many.
CREATE INDEX end_users_by_type ON end_users (customer_id, environment, type, seq DESC);
-- A customer is one company in each environment. Finds it, too.
CREATE UNIQUE INDEX one_own_entity ON end_users (customer_id, environment)
  WHERE relationship = 'SELF';
CALL secure_scoped_table('end_users');
GRANT INSERT, UPDATE ON end_users TO causeway_app;
-- What operators decide they write on the subject as well, in the same transaction.
GRANT UPDATE (screening_status, screening_list, screened_at) ON end_users TO causeway_system;

-- Whose an end-user is never changes, and a customer's own is not closed.
CREATE FUNCTION refuse_change_of_own_entity() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'end-user %: whose it is never changes, and a customer''s own is not closed', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER own_entity_stays BEFORE UPDATE OF relationship, status ON end_users FOR EACH ROW
  WHEN (NEW.relationship <> OLD.relationship
    OR NEW.relationship = 'SELF' AND NEW.status = 'CLOSED')
  EXECUTE FUNCTION refuse_change_of_own_entity();

-- Without the key nothing that is sealed for the end-user can be opened. The vault's own key seals for an end-user
-- who has no row.
CREATE TABLE end_user_keys (
  end_user_id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  -- Null: destroyed.
  wrapped_key bytea CHECK (octet_length(wrapped_key) > 0),
  erased_at timestamptz,
  CHECK ((wrapped_key IS NULL) = (erased_at IS NOT NULL)),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id)
);
COMMENT ON TABLE end_user_keys IS
  'The data key of one end-user, itself sealed by the vault''s key. Erasure destroys the key once; the row stays.';
CREATE INDEX end_user_keys_erased ON end_user_keys (erased_at, end_user_id)
  WHERE erased_at IS NOT NULL;
CALL secure_scoped_table('end_user_keys');
GRANT INSERT, UPDATE ON end_user_keys TO causeway_app;

-- A key may be wrapped anew, and destroyed once. It never comes back.
CREATE FUNCTION guard_end_user_key() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.wrapped_key IS NOT NULL
     AND ROW(NEW.end_user_id, NEW.customer_id, NEW.environment)
       = ROW(OLD.end_user_id, OLD.customer_id, OLD.environment) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the key of end-user % stays as it is', OLD.end_user_id
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_end_user_key BEFORE UPDATE OR DELETE ON end_user_keys
  FOR EACH ROW EXECUTE FUNCTION guard_end_user_key();

CREATE TABLE kyc_moves (
  from_status text,
  to_status text,
  PRIMARY KEY (from_status, to_status)
);
COMMENT ON TABLE kyc_moves IS
  'One move that a KYC check may make, from one status to another. Only the migrations write the rows.';
GRANT SELECT ON kyc_moves TO causeway_app, causeway_system;

CREATE TABLE kyc_checks (
  id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text NOT NULL,
  round integer NOT NULL,
  -- Which version of the end-user's identity the check is about.
  identity_version integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'PENDING',
  reasons jsonb NOT NULL DEFAULT '[]',
  -- Until when an approval holds; null: without an end.
  expires_at timestamptz,
  -- The approval by which two operators gave a check its state, until anything else changes it.
  override_id text REFERENCES approvals,
  link_token_hmac bytea NOT NULL UNIQUE,
  link_token bytea NOT NULL,
  link_expires_at timestamptz NOT NULL,
  redirect_url text,
  provider_url bytea,
  -- What the provider has us ask an end-user for; where it is empty the provider's own page asks.
  documents_asked text[] NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (end_user_id, round),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id)
);
COMMENT ON TABLE kyc_checks IS
  'One round of checking who an end-user is: the link that the end-user opens, and the result. No role may delete '
  'it.';
-- The reconciler pages by id through the checks that are not decided.
CREATE INDEX kyc_checks_undecided ON kyc_checks (id)
  WHERE status IN ('PENDING', 'IN_REVIEW', 'RESUBMISSION_REQUIRED');
-- Approvals by their end: what the expiry schedule pages through.
CREATE INDEX kyc_checks_expiring ON kyc_checks (expires_at, id) WHERE status = 'APPROVED';
-- Whose approval ends soon, of one customer.
CREATE INDEX kyc_checks_expiring_by_customer
  ON kyc_checks (customer_id, environment, expires_at) WHERE status = 'APPROVED';
CALL secure_scoped_table('kyc_checks');
GRANT INSERT, UPDATE ON kyc_checks TO causeway_app;

-- A check moves along kyc_moves, a version at a time.
CREATE FUNCTION guard_kyc_move() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Nobody is approved by what was known of data that has changed since.
CREATE FUNCTION refuse_outdated_approval() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM end_users e
             WHERE e.customer_id = NEW.customer_id AND e.environment = NEW.environment
               AND e.id = NEW.end_user_id AND e.identity_version <> NEW.identity_version) THEN
    RAISE EXCEPTION 'kyc check % is about data that has changed since', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER refuse_outdated_approval BEFORE UPDATE ON kyc_checks
  FOR EACH ROW WHEN (NEW.status = 'APPROVED' AND OLD.status <> 'APPROVED')
  EXECUTE FUNCTION refuse_outdated_approval();

-- An override needs the row of two operators, used in the transaction that does it and made about this
-- version. And nobody is approved without a word of the provider that is being judged, or such a row.
CREATE FUNCTION guard_kyc_approval() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_new_override boolean :=
    NEW.override_id IS NOT NULL AND NEW.override_id IS DISTINCT FROM OLD.override_id;
BEGIN
  IF is_new_override AND NEW.override_id IS DISTINCT FROM
      (approval_in_use('KYC_OVERRIDE', NEW.id, OLD.version)).id THEN
    RAISE EXCEPTION 'kyc check %: no two operators have approved this override', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status = 'APPROVED' AND OLD.status <> 'APPROVED'
    AND NOT EXISTS (
      SELECT FROM kyc_reports r
      WHERE r.customer_id = NEW.customer_id AND r.environment = NEW.environment
        AND r.kyc_check_id = NEW.id AND r.processed_at IS NULL
        AND r.status IN ('APPROVED', 'EXPIRED', 'REVOKED'))
    AND NOT EXISTS (
      SELECT FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
      WHERE a.id = NEW.override_id AND a.content ->> 'to' = 'APPROVED'
        AND u.used_by_transaction = pg_current_xact_id_if_assigned()) THEN
    RAISE EXCEPTION 'kyc check %: neither provider nor two operators approve it', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER require_word_of_kyc_approval BEFORE UPDATE ON kyc_checks
  FOR EACH ROW EXECUTE FUNCTION guard_kyc_approval();

CREATE TABLE kyc_reports (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  kyc_check_id text NOT NULL,
  report_id text NOT NULL,
  status text NOT NULL,
  reasons jsonb NOT NULL DEFAULT '[]',
  -- What the provider said of an approval's end.
  expires_at timestamptz,
  provider_version integer NOT NULL,
  received_at timestamptz NOT NULL,
  processed_at timestamptz,
  effect text,
  UNIQUE (kyc_check_id, report_id),
  FOREIGN KEY (customer_id, environment, kyc_check_id)
    REFERENCES kyc_checks (customer_id, environment, id)
);
COMMENT ON TABLE kyc_reports IS
  'One report of the KYC provider, stored before anything is done about it. No role may delete it.';
CREATE INDEX kyc_reports_unprocessed ON kyc_reports (received_at) WHERE processed_at IS NULL;
CREATE INDEX kyc_reports_of_check ON kyc_reports (kyc_check_id, id);
CALL secure_scoped_table('kyc_reports');
GRANT INSERT, UPDATE ON kyc_reports TO causeway_app;

-- `content` is sealed.
CREATE TABLE kyc_documents (
  id text PRIMARY KEY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  kyc_check_id text NOT NULL,
  type text NOT NULL,
  content_type text NOT NULL,
  -- Of the plain content, keyed: equal ones are found, none is recognised.
  fingerprint bytea NOT NULL,
  content bytea,
  created_at timestamptz NOT NULL,
  -- Until when a document waits for a provider that does not take it.
  expires_at timestamptz,
  handed_on_at timestamptz,
  erased_at timestamptz,
  UNIQUE (kyc_check_id, type, fingerprint),
  CHECK ((content IS NULL) = (erased_at IS NOT NULL)),
  CHECK (handed_on_at IS NULL OR content IS NULL),
  FOREIGN KEY (customer_id, environment, kyc_check_id)
    REFERENCES kyc_checks (customer_id, environment, id)
);
COMMENT ON TABLE kyc_documents IS
  'One document that an end-user submitted for a check, kept for the provider. The content is erased once the '
  'provider has it or nobody needs it; the row stays.';
-- Sealed bytes do not get smaller.
ALTER TABLE kyc_documents ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX kyc_documents_waiting ON kyc_documents (kyc_check_id, id) WHERE content IS NOT NULL;
CREATE INDEX kyc_documents_by_expiry ON kyc_documents (expires_at) WHERE content IS NOT NULL;
CALL secure_scoped_table('kyc_documents');
GRANT INSERT, UPDATE ON kyc_documents TO causeway_app;
GRANT UPDATE (content, erased_at) ON kyc_documents TO causeway_system;

-- A table of their own, because everything in kyc_documents is handed on. Sealed for the row that they get there,
-- under the same id.
CREATE TABLE kyc_uploads (
  id text PRIMARY KEY CHECK (id ~ '^kdo_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  customer_id text NOT NULL,
  environment text NOT NULL,
  kyc_check_id text NOT NULL,
  type text NOT NULL,
  content_type text NOT NULL,
  -- Of the plain content, keyed: equal ones are found, none is recognised.
  fingerprint bytea NOT NULL,
  content bytea NOT NULL,
  -- Of the plain content.
  byte_count integer NOT NULL CHECK (byte_count > 0),
  created_at timestamptz NOT NULL,
  -- The end of the link that it came by; then it goes.
  expires_at timestamptz NOT NULL,
  UNIQUE (kyc_check_id, type),
  FOREIGN KEY (customer_id, environment, kyc_check_id)
    REFERENCES kyc_checks (customer_id, environment, id)
);
COMMENT ON TABLE kyc_uploads IS
  'One document that an end-user has uploaded and not submitted yet, one of each type. It is deleted when it is '
  'replaced, removed, submitted or erased, or when its link expires.';
-- Sealed bytes do not get smaller.
ALTER TABLE kyc_uploads ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX kyc_uploads_by_expiry ON kyc_uploads (expires_at);
CALL secure_scoped_table('kyc_uploads');
GRANT INSERT, DELETE ON kyc_uploads TO causeway_app;
GRANT DELETE ON kyc_uploads TO causeway_system;

-- A provider's callback names only its reference (our check id); this finds whose it is.
CREATE FUNCTION find_kyc_check_scope(wanted text)
RETURNS TABLE (customer_id text, environment text, end_user_id text, round integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.customer_id, c.environment, c.end_user_id, c.round FROM kyc_checks c WHERE c.id = wanted
$$;
REVOKE ALL ON FUNCTION find_kyc_check_scope FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_kyc_check_scope TO causeway_app, causeway_system;

-- Whose check a hosted link's token opens: read before any scope is known.
CREATE FUNCTION find_kyc_page_scope(wanted bytea)
RETURNS TABLE (customer_id text, environment text, end_user_id text, kyc_check_id text, round integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT c.customer_id, c.environment, c.end_user_id, c.id, c.round
  FROM kyc_checks c WHERE c.link_token_hmac = wanted
$$;
REVOKE ALL ON FUNCTION find_kyc_page_scope FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_kyc_page_scope TO causeway_app, causeway_system;

-- Number and holder are sealed in `personal`, found by `fingerprint`.
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
  -- PENDING: a proposed own account of a customer, until a second operator approves it.
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('PENDING', 'ACTIVE', 'DISABLED')),
  name_check text NOT NULL DEFAULT 'NOT_SUPPORTED'
    CHECK (name_check IN ('MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'UNAVAILABLE', 'NOT_SUPPORTED')),
  screening_status text NOT NULL DEFAULT 'UNSCREENED',
  screening_list text,
  screened_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id),
  CONSTRAINT bank_accounts_screening_check CHECK
    (screening_status IN ('UNSCREENED', 'CLEAR', 'HIT', 'RELEASED', 'REFUSED'))
);
COMMENT ON TABLE bank_accounts IS
  'One bank account of an end-user that payments go to. No role may delete it; it is disabled instead.';
CREATE INDEX bank_accounts_newest_first ON bank_accounts (customer_id, environment, seq DESC);
-- The list's filters: a rare kind of account is found without a walk through all of them.
CREATE INDEX bank_accounts_by_kind ON bank_accounts
  (customer_id, environment, status, rail, country, currency, seq DESC);
-- One ACTIVE row an account: one that was disabled, a wrong holder name for example, can be given anew.
CREATE UNIQUE INDEX one_active_bank_account ON bank_accounts
  (customer_id, environment, end_user_id, fingerprint) WHERE status = 'ACTIVE';
CALL secure_scoped_table('bank_accounts');
GRANT INSERT, UPDATE ON bank_accounts TO causeway_app;
-- As on end_users.
GRANT UPDATE (screening_status, screening_list, screened_at) ON bank_accounts TO causeway_system;

-- In live a customer's own account may be paid to once two operators have approved just this account, and
-- is never another one's or another account afterwards: who has stolen a key must not send all the money
-- to an account of theirs.
CREATE FUNCTION guard_own_account() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  approved jsonb;
BEGIN
  IF NOT EXISTS (SELECT FROM end_users e
                 WHERE e.id = NEW.end_user_id AND e.relationship = 'SELF') THEN
    -- An account that moved to somebody else would still be the customer's own to those who approved it.
    IF TG_OP = 'INSERT' OR OLD.end_user_id = NEW.end_user_id THEN
      RETURN NEW;
    END IF;
  ELSIF TG_OP = 'UPDATE' AND to_jsonb(NEW) - ARRAY['status', 'version', 'updated_at']
      = to_jsonb(OLD) - ARRAY['status', 'version', 'updated_at'] THEN
    IF NEW.status <> 'ACTIVE' OR OLD.status = 'ACTIVE' THEN
      RETURN NEW;
    END IF;
    approved := (approval_in_use('OWN_ACCOUNT', OLD.id, OLD.version)).content;
    IF OLD.status = 'PENDING' AND NEW.version = OLD.version + 1
        AND approved ->> 'fingerprint' = OLD.fingerprint THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'bank account %: a customer''s own account takes two operators', NEW.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER own_account_is_not_made_active BEFORE INSERT ON bank_accounts FOR EACH ROW
  WHEN (NEW.environment = 'live' AND NEW.status = 'ACTIVE')
  EXECUTE FUNCTION guard_own_account();
CREATE TRIGGER own_account_takes_two_operators
  BEFORE UPDATE OF status, customer_id, environment, end_user_id, country, currency, rail, holder_type,
    fingerprint, personal ON bank_accounts FOR EACH ROW
  WHEN (NEW.environment = 'live' OR OLD.environment = 'live')
  EXECUTE FUNCTION guard_own_account();

-- The address is plain, because the chain shows it to everybody. What is said of the host of a wallet is sealed.
CREATE TABLE wallets (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  end_user_id text,
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  -- In the mixed case of EIP-55; of an erased end-user what no address is.
  address text NOT NULL CHECK (address ~ '^0x[0-9a-fA-F]{40}$' OR address = 'erased-' || id),
  ownership text NOT NULL CHECK (ownership IN ('SELF_HOSTED', 'HOSTED')),
  -- Sealed: name and country of the host; null for a wallet that its owner keeps.
  vasp bytea,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'ACTIVE', 'REJECTED', 'DISABLED')),
  -- What the message that proves the ownership holds, so that no older signature serves.
  proof_nonce text NOT NULL CHECK (proof_nonce ~ '^[0-9a-f]{32}$'),
  proved_at timestamptz,
  screening_result text CHECK (screening_result IN ('CLEAR', 'REVIEW', 'BLOCKED')),
  screening_list text CHECK (length(screening_list) BETWEEN 1 AND 200),
  -- What of the list it was.
  screening_match text,
  -- What was found at the registration lets no money leave.
  screened_for text CHECK (screened_for IN ('REGISTRATION', 'RELEASE')),
  screened_at timestamptz,
  -- The review that the last look-up belongs to; null where that was clear.
  review_id text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CHECK ((ownership = 'HOSTED') = (vasp IS NOT NULL)),
  CHECK (ownership = 'SELF_HOSTED' OR proved_at IS NULL),
  CHECK (num_nulls(screening_result, screening_list, screened_for, screened_at) IN (0, 4)),
  -- Nobody is paid at an address that was not looked up, or that is on a list.
  CHECK (status <> 'ACTIVE' OR screening_result IS NOT NULL AND screening_result <> 'BLOCKED'),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id),
  CONSTRAINT wallets_screening_match_check CHECK (length(screening_match) BETWEEN 1 AND 200),
  CONSTRAINT clear_wallets_have_no_review CHECK
    (review_id IS NULL OR coalesce(screening_result <> 'CLEAR', false))
);
COMMENT ON TABLE wallets IS
  'One address that payments in tokens go to: an end-user''s, or the customer''s own where no end-user is named. '
  'No role may delete it; it is disabled instead.';
CREATE INDEX wallets_newest_first ON wallets (customer_id, environment, seq DESC);
CREATE INDEX wallets_of_end_user ON wallets (end_user_id, seq);
-- What was paid to one address within a day is summed over all its wallets.
CREATE INDEX wallets_by_address ON wallets (customer_id, environment, address);
-- One row a wallet: one that was disabled can be given anew.
CREATE UNIQUE INDEX one_wallet_in_use ON wallets
  (customer_id, environment, network, address, coalesce(end_user_id, '')) WHERE status <> 'DISABLED';
-- The wallets of refused reviews that have still to be rejected.
CREATE INDEX wallets_by_review
  ON wallets (environment, review_id) WHERE review_id IS NOT NULL AND status IN ('PENDING', 'ACTIVE');
CALL secure_scoped_table('wallets');
GRANT INSERT, UPDATE ON wallets TO causeway_app;

-- Where a wallet is and whose never changes; a payment to it could go elsewhere otherwise. Its status, proof
-- and screening change, a version each, and an erasure blanks it.
CREATE FUNCTION guard_wallet() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'proved_at', 'version', 'updated_at'];
  screened text[] := ARRAY['screening_result', 'screening_list', 'screening_match', 'screened_for',
    'screened_at', 'review_id'];
  blanked text[] := ARRAY['address', 'vasp'];
BEGIN
  IF to_jsonb(NEW) - screened = to_jsonb(OLD) - screened THEN
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - moved - screened = to_jsonb(OLD) - moved - screened
     AND NEW.version = OLD.version + 1
     AND (OLD.proved_at IS NULL OR NEW.proved_at = OLD.proved_at)
     AND (NEW.status = OLD.status AND OLD.status <> 'DISABLED'
       OR (OLD.status, NEW.status) IN (('PENDING', 'ACTIVE'), ('PENDING', 'REJECTED'),
         ('PENDING', 'DISABLED'), ('ACTIVE', 'REJECTED'), ('ACTIVE', 'DISABLED'),
         ('REJECTED', 'DISABLED'))) THEN
    RETURN NEW;
  END IF;
  IF to_jsonb(NEW) - blanked = to_jsonb(OLD) - blanked AND NEW.address = 'erased-' || OLD.id
     AND (NEW.vasp IS NULL AND OLD.vasp IS NULL OR NEW.vasp = '')
     AND EXISTS (SELECT FROM end_user_keys k
                 WHERE k.wrapped_key IS NULL AND k.end_user_id = OLD.end_user_id) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'wallet %: only its status, proof and screening change, a version each', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_wallet BEFORE UPDATE ON wallets
  FOR EACH ROW EXECUTE FUNCTION guard_wallet();

-- In live nobody registers a wallet of the customer's own with a key alone: who has stolen the key would
-- withdraw everything to it.
CREATE FUNCTION refuse_own_live_wallet() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.end_user_id IS NULL OR EXISTS (SELECT FROM end_users e
      WHERE e.id = NEW.end_user_id AND e.relationship = 'SELF') THEN
    RAISE EXCEPTION 'wallet %: a customer''s own wallet in live is not made with a key', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER own_wallet_is_not_live BEFORE INSERT ON wallets FOR EACH ROW
  WHEN (NEW.environment = 'live') EXECUTE FUNCTION refuse_own_live_wallet();

-- Open while it has no outcome.
CREATE TABLE wallet_reviews (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  wallet_id text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('REVIEW', 'BLOCKED')),
  list_version text NOT NULL CHECK (length(list_version) BETWEEN 1 AND 200),
  -- What of the list it was, where the provider says it.
  match text CHECK (length(match) BETWEEN 1 AND 200),
  found_at text NOT NULL CHECK (found_at IN ('REGISTRATION', 'RELEASE')),
  opened_at timestamptz NOT NULL,
  outcome text CHECK (outcome IN ('RELEASED', 'REFUSED', 'SUPERSEDED', 'EXPIRED')),
  decided_by text,
  decided_at timestamptz,
  reason text,
  UNIQUE (customer_id, environment, wallet_id, id),
  CHECK (num_nulls(outcome, decided_by, decided_at, reason) IN (0, 4)),
  -- What is blocked is not let through by operators: the list has to say something else.
  CHECK (outcome <> 'RELEASED' OR verdict = 'REVIEW'),
  CHECK (outcome <> 'EXPIRED' OR decided_at >= opened_at + interval '30 days'),
  FOREIGN KEY (customer_id, environment, wallet_id) REFERENCES wallets (customer_id, environment, id)
);
COMMENT ON TABLE wallet_reviews IS
  'One screening result that did not clear a wallet, until operators, a later screening or time decide it. '
  'Written once, completed once, never deleted.';
CREATE UNIQUE INDEX one_open_review_a_wallet ON wallet_reviews (wallet_id) WHERE outcome IS NULL;
CREATE INDEX wallet_reviews_open ON wallet_reviews (environment, seq) WHERE outcome IS NULL;
CALL secure_scoped_table('wallet_reviews');
GRANT INSERT, UPDATE (outcome, decided_by, decided_at, reason) ON wallet_reviews TO causeway_app;
GRANT UPDATE (outcome, decided_by, decided_at, reason) ON wallet_reviews TO causeway_system;
CREATE TRIGGER wallet_review_stays BEFORE DELETE ON wallet_reviews
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion();
CREATE TRIGGER wallet_review_is_only_decided BEFORE UPDATE ON wallet_reviews FOR EACH ROW
  EXECUTE FUNCTION refuse_all_but_completion('outcome', 'decided_by', 'decided_at', 'reason');

-- A review begins undecided; a release takes two operators, a refusal is the operators' to write.
CREATE FUNCTION guard_wallet_review() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.outcome IS NOT NULL THEN
      RAISE EXCEPTION 'wallet review %: it begins undecided', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.outcome = 'REFUSED' AND NOT pg_has_role(current_user, 'causeway_console', 'USAGE') THEN
    RAISE EXCEPTION 'wallet review %: only operators refuse', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'RELEASED' AND (approval_in_use('WALLET_RELEASE', NEW.id, 1)).id IS NULL THEN
    RAISE EXCEPTION 'wallet review %: a release takes two operators', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_wallet_review BEFORE INSERT OR UPDATE ON wallet_reviews
  FOR EACH ROW EXECUTE FUNCTION guard_wallet_review();

ALTER TABLE wallets ADD CONSTRAINT wallet_review_of_its_own FOREIGN KEY (customer_id, environment, id, review_id)
  REFERENCES wallet_reviews (customer_id, environment, wallet_id, id);

-- A release is good for what was released and nothing else: the same match, or, where the provider names none, the
-- same version of the list.
CREATE FUNCTION guard_reviewed_wallet() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  review wallet_reviews;
BEGIN
  SELECT * INTO review FROM wallet_reviews r WHERE r.id = NEW.review_id;
  IF NEW.review_id IS NOT NULL AND (review.verdict <> NEW.screening_result
      OR review.match IS DISTINCT FROM NEW.screening_match
      OR review.match IS NULL AND review.list_version <> NEW.screening_list) THEN
    RAISE EXCEPTION 'wallet %: review % is of something else', NEW.id, NEW.review_id
      USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.status = 'PENDING' AND NEW.status = 'ACTIVE' AND NEW.screening_result <> 'CLEAR'
     AND review.outcome IS DISTINCT FROM 'RELEASED' THEN
    RAISE EXCEPTION 'wallet %: it was neither cleared nor released', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_reviewed_wallet BEFORE UPDATE ON wallets
  FOR EACH ROW EXECUTE FUNCTION guard_reviewed_wallet();

CREATE TABLE screening_lists (
  environment text PRIMARY KEY CHECK (environment IN ('test', 'live')),
  version text NOT NULL CHECK (length(version) BETWEEN 1 AND 200),
  since timestamptz NOT NULL,
  -- When every subject had last been looked up in some list, and in which.
  completed_version text,
  completed_at timestamptz
);
COMMENT ON TABLE screening_lists IS
  'The list of sanctioned names that is in force in one environment, and how far the screening of all subjects '
  'has come. Only the system role writes it.';
GRANT SELECT ON screening_lists TO causeway_app;
GRANT SELECT, INSERT, UPDATE ON screening_lists TO causeway_system;

-- Open while it has no outcome.
CREATE TABLE screening_cases (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text,
  bank_account_id text,
  list_version text NOT NULL,
  names_hash bytea NOT NULL CHECK (octet_length(names_hash) = 32),
  entry_hashes bytea[] NOT NULL,
  -- Sealed: the names that were looked up and the entries that they hit.
  personal bytea NOT NULL,
  opened_at timestamptz NOT NULL,
  outcome text CHECK (outcome IN ('RELEASED', 'REFUSED', 'SUPERSEDED')),
  decided_by text,
  decided_at timestamptz,
  reason text,
  UNIQUE (customer_id, environment, id),
  CHECK (num_nulls(end_user_id, bank_account_id) = 1),
  CHECK (num_nulls(outcome, decided_by, decided_at, reason) IN (0, 4)),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, bank_account_id)
    REFERENCES bank_accounts (customer_id, environment, id)
);
COMMENT ON TABLE screening_cases IS
  'One end-user or bank account that may be on a list, until operators or a later case decide it. Written once, '
  'completed once, never deleted.';
CREATE UNIQUE INDEX one_open_case_an_end_user ON screening_cases (end_user_id) WHERE outcome IS NULL;
CREATE UNIQUE INDEX one_open_case_a_bank_account ON screening_cases (bank_account_id)
  WHERE outcome IS NULL;
CREATE INDEX screening_cases_of_end_user ON screening_cases (end_user_id, seq);
CREATE INDEX screening_cases_of_bank_account ON screening_cases (bank_account_id, seq);
CREATE INDEX screening_cases_open ON screening_cases (environment, seq) WHERE outcome IS NULL;
CALL secure_scoped_table('screening_cases');
-- What a case says of an erased end-user, or of an account of theirs, is blanked.
GRANT INSERT, UPDATE (personal, outcome, decided_by, decided_at, reason) ON screening_cases TO causeway_app;
GRANT UPDATE (outcome, decided_by, decided_at, reason) ON screening_cases TO causeway_system;
CREATE TRIGGER screening_case_stays BEFORE DELETE ON screening_cases
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion();
CREATE TRIGGER screening_case_is_only_decided BEFORE UPDATE ON screening_cases FOR EACH ROW
  WHEN (octet_length(NEW.personal) > 0 OR octet_length(OLD.personal) = 0)
  EXECUTE FUNCTION refuse_all_but_completion('outcome', 'decided_by', 'decided_at', 'reason');

-- What a case says of an erased end-user, or of an account of theirs, is blanked: names, and hashes that would
-- confirm a guess of them.
CREATE FUNCTION guard_screening_case_blanking() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  blanked text[] := ARRAY['personal', 'names_hash', 'entry_hashes'];
BEGIN
  IF to_jsonb(NEW) - blanked = to_jsonb(OLD) - blanked AND EXISTS (
    SELECT FROM end_user_keys k WHERE k.wrapped_key IS NULL AND k.end_user_id = coalesce(
      OLD.end_user_id, (SELECT a.end_user_id FROM bank_accounts a WHERE a.id = OLD.bank_account_id))) THEN
    NEW.names_hash := decode(repeat('00', 32), 'hex');
    NEW.entry_hashes := '{}';
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'screening case %: only of an erased end-user, and nothing else', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_screening_case_blanking BEFORE UPDATE ON screening_cases FOR EACH ROW
  WHEN (octet_length(NEW.personal) = 0 AND octet_length(OLD.personal) > 0)
  EXECUTE FUNCTION guard_screening_case_blanking();

-- What api and worker are may replace a case by a newer one; a release takes the approval that the running
-- transaction uses; a refusal is the operators' own role's to write.
CREATE FUNCTION guard_screening_decision() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.outcome = 'REFUSED' AND NOT pg_has_role(current_user, 'causeway_system', 'USAGE') THEN
    RAISE EXCEPTION 'screening case %: only operators refuse', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'RELEASED' AND (approval_in_use('SCREENING_RELEASE', NEW.id, 1)).id IS NULL THEN
    RAISE EXCEPTION 'screening case %: a release takes two operators', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_screening_decision BEFORE UPDATE ON screening_cases
  FOR EACH ROW WHEN (NEW.outcome IS DISTINCT FROM OLD.outcome) EXECUTE FUNCTION guard_screening_decision();

-- The database judges again what a subject is called: nothing clears one while a case of it is open, a
-- release needs its row, and a refusal stays. Sealed names that change are names that nobody looked up.
CREATE FUNCTION guard_screening_status() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  outcomes text[];
BEGIN
  IF OLD.personal IS DISTINCT FROM NEW.personal THEN
    NEW.screening_status := CASE OLD.screening_status WHEN 'REFUSED' THEN 'REFUSED' ELSE 'UNSCREENED' END;
    RETURN NEW;
  END IF;
  IF NEW.screening_status IS NOT DISTINCT FROM OLD.screening_status
     OR NEW.screening_status = 'UNSCREENED' AND OLD.screening_status <> 'REFUSED' THEN
    RETURN NEW;
  END IF;
  IF TG_TABLE_NAME = 'end_users' THEN
    outcomes := ARRAY(SELECT coalesce(outcome, 'OPEN') FROM screening_cases WHERE end_user_id = NEW.id);
  ELSE
    outcomes := ARRAY(SELECT coalesce(outcome, 'OPEN') FROM screening_cases WHERE bank_account_id = NEW.id);
  END IF;
  IF OLD.screening_status = 'REFUSED'
     OR NEW.screening_status IN ('CLEAR', 'RELEASED') AND outcomes && ARRAY['OPEN', 'REFUSED']
     OR NEW.screening_status = 'RELEASED' AND NOT 'RELEASED' = ANY (outcomes)
     OR NEW.screening_status = 'REFUSED' AND NOT 'REFUSED' = ANY (outcomes) THEN
    RAISE EXCEPTION '% % cannot be % after %', TG_TABLE_NAME, NEW.id, NEW.screening_status,
      OLD.screening_status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_screening_status BEFORE UPDATE OF personal, screening_status ON end_users
  FOR EACH ROW EXECUTE FUNCTION guard_screening_status();
CREATE TRIGGER guard_screening_status BEFORE UPDATE OF personal, screening_status ON bank_accounts
  FOR EACH ROW EXECUTE FUNCTION guard_screening_status();

-- Of functions that run with their owner's rights. A new owner needs CREATE, for the moment.
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION find_kyc_check_scope OWNER TO causeway_system_definer;
ALTER FUNCTION find_kyc_page_scope OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
