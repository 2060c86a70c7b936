-- The operators' commands have a role that reads, submits proposals, and does the acts that one operator may do. It
-- takes up, decides, voids and uses no approval, opens no session, and writes no passkey. The console can do all that
-- it can.
DO $$
BEGIN
  IF to_regrole('causeway_ops') IS NULL THEN
    BEGIN
      CREATE ROLE causeway_ops NOLOGIN NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
END $$;
GRANT causeway_system TO causeway_ops WITH INHERIT TRUE, SET FALSE;
GRANT causeway_ops TO causeway_console WITH INHERIT TRUE, SET FALSE;
GRANT causeway_ops TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO causeway_ops;

GRANT INSERT (id, customer_id, environment, action, subject_id, subject_version, content, proposed_by,
  submitted_by, proposed_at, reason, expires_at) ON approvals TO causeway_ops;
GRANT EXECUTE ON FUNCTION end_expired_proposal, lock_person TO causeway_ops;

-- Customers: suspend, withdraw live access. Resuming and granting live access take two operators.
GRANT UPDATE (status, live_access) ON customers TO causeway_ops;
GRANT UPDATE (decision, decided_by, decided_at, decision_reason, withdrawn_by, withdrawn_at, withdrawal_reason)
  ON live_access_requests TO causeway_ops;

-- Users of a customer: invite an owner, and cancel an earlier invitation.
CREATE POLICY ops_invites_users ON users FOR INSERT TO causeway_ops WITH CHECK (status = 'INVITED');
CREATE POLICY ops_cancels_invited_users ON users FOR UPDATE TO causeway_ops
  USING (true) WITH CHECK (status = 'DISABLED');
GRANT INSERT (id, customer_id, address_hash, address, name, role, status, created_at),
  UPDATE (role, status, version) ON users TO causeway_ops;
CREATE POLICY ops_writes_invitations ON invitations TO causeway_ops USING (true) WITH CHECK (used_at IS NULL);
GRANT SELECT, INSERT (id, customer_id, user_id, token_hash, created_at, expires_at), UPDATE (ended_at)
  ON invitations TO causeway_ops;

-- Operators: add one, who is not confirmed; disable one; count passkeys.
CREATE POLICY ops_adds_operators ON operators FOR INSERT TO causeway_ops WITH CHECK (status = 'ACTIVE');
CREATE POLICY ops_disables_operators ON operators FOR UPDATE TO causeway_ops
  USING (true) WITH CHECK (status = 'DISABLED');
GRANT INSERT (id, address_hash, address, name, role, created_at), UPDATE (status, version) ON operators
  TO causeway_ops;
CREATE POLICY ops_counts_passkeys ON passkeys FOR SELECT TO causeway_ops USING (true);
GRANT SELECT (id, user_id, operator_id, customer_id, created_at, removed_at) ON passkeys TO causeway_ops;

-- Keys and addresses: make a key, revoke one, remove an address. Approving an address takes two operators.
GRANT INSERT (id, customer_id, environment, public_id, name, token_hmac, last4, scopes, open_to_any_address,
  expires_at, created_at, created_by), UPDATE (expires_at, revoked_at, replaced_by) ON api_keys TO causeway_ops;
GRANT INSERT (customer_id, environment, api_key_id, range, created_at, id, label, requested_by, copied_from),
  UPDATE (status, version, removed_by, removed_at) ON api_key_addresses TO causeway_ops;

-- Terms that customers accept before they go live.
CREATE POLICY ops_sees_terms ON live_terms FOR SELECT TO causeway_ops USING (true);
CREATE POLICY ops_publishes_terms ON live_terms FOR INSERT TO causeway_ops WITH CHECK (true);
GRANT SELECT, INSERT ON live_terms TO causeway_ops;

-- Networks: freeze a hot address. Thawing takes two operators.
CREATE POLICY ops_freezes ON chain_signer_accounts FOR UPDATE TO causeway_ops USING (true) WITH CHECK (true);
GRANT UPDATE (status, why, fence, suspicion, updated_at) ON chain_signer_accounts TO causeway_ops;

-- Refusals take one operator.
CREATE OR REPLACE FUNCTION guard_wallet_review() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.outcome IS NOT NULL THEN
      RAISE EXCEPTION 'wallet review %: it begins undecided', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.outcome = 'REFUSED' AND NOT pg_has_role(current_user, 'causeway_ops', 'USAGE') THEN
    RAISE EXCEPTION 'wallet review %: only operators refuse', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'RELEASED' AND (approval_in_use('WALLET_RELEASE', NEW.id, 1)).id IS NULL THEN
    RAISE EXCEPTION 'wallet review %: a release takes two operators', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

GRANT INSERT ON deposit_decisions TO causeway_ops;
CREATE OR REPLACE FUNCTION guard_deposit_decision() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  held deposits;
BEGIN
  SELECT * INTO held FROM deposits d WHERE d.id = NEW.deposit_id AND d.review = 'HELD' AND d.status = 'SEEN';
  IF held.id IS NULL THEN
    RAISE EXCEPTION 'deposit %: nothing of it is to be decided', NEW.deposit_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'REFUSED' AND NOT pg_has_role(current_user, 'causeway_ops', 'USAGE') THEN
    RAISE EXCEPTION 'deposit %: only operators refuse', NEW.deposit_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.outcome = 'RELEASED'
     AND (approval_in_use('DEPOSIT_CLEARANCE', NEW.deposit_id, held.version)).id IS NULL THEN
    RAISE EXCEPTION 'deposit %: a release takes two operators', NEW.deposit_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
