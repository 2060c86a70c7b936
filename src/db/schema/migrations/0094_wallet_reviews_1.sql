-- A wallet's address that a look-up did not clear, until it is decided. A row is written once and completed once:
-- by operators, by a later look-up that says something else, or by time. Open while it has no outcome.
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
CREATE UNIQUE INDEX one_open_review_a_wallet ON wallet_reviews (wallet_id) WHERE outcome IS NULL;
CREATE INDEX wallet_reviews_open ON wallet_reviews (environment, seq) WHERE outcome IS NULL;
CALL secure_scoped_table('wallet_reviews');
GRANT INSERT ON wallet_reviews TO causeway_app;
GRANT UPDATE (outcome, decided_by, decided_at, reason) ON wallet_reviews TO causeway_app, causeway_system;
CREATE TRIGGER wallet_review_stays BEFORE DELETE ON wallet_reviews
  FOR EACH ROW EXECUTE FUNCTION refuse_all_but_completion();
CREATE TRIGGER wallet_review_is_only_decided BEFORE UPDATE ON wallet_reviews FOR EACH ROW
  EXECUTE FUNCTION refuse_all_but_completion('outcome', 'decided_by', 'decided_at', 'reason');

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

-- The review that the last look-up belongs to; null where that was clear.
ALTER TABLE wallets ADD COLUMN screening_match text, ADD COLUMN review_id text;
ALTER TABLE wallets
  ADD CONSTRAINT wallets_screening_match_check CHECK (length(screening_match) BETWEEN 1 AND 200) NOT VALID,
  ADD CONSTRAINT clear_wallets_have_no_review CHECK
    (review_id IS NULL OR coalesce(screening_result <> 'CLEAR', false)) NOT VALID,
  ADD CONSTRAINT wallet_review_of_its_own FOREIGN KEY (customer_id, environment, id, review_id)
    REFERENCES wallet_reviews (customer_id, environment, wallet_id, id) NOT VALID;

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

CREATE OR REPLACE FUNCTION guard_wallet() RETURNS trigger LANGUAGE plpgsql
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

ALTER TABLE approval_actions NO FORCE ROW LEVEL SECURITY;
INSERT INTO approval_actions (action, roles) VALUES ('WALLET_RELEASE', '{COMPLIANCE}');
ALTER TABLE approval_actions FORCE ROW LEVEL SECURITY;
