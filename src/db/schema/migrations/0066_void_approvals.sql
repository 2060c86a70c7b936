-- An approval that is not in effect ends: its effect was refused, or an operator withdrew it. Until here it stood
-- for the rest of its seven days, and one operator alone could bring it into effect.
ALTER TABLE approvals
  -- By the database's clock: how long a proposal stands is measured from here too, whatever time is claimed.
  ADD COLUMN recorded_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN void_as text CHECK (void_as IN ('EFFECT_REFUSED', 'WITHDRAWN')),
  ADD COLUMN void_by text CHECK (void_by ~ '^opr_'),
  ADD COLUMN void_at timestamptz,
  ADD COLUMN void_reason text CHECK (length(void_reason) BETWEEN 1 AND 500),
  ADD CONSTRAINT what_was_approved_is_void CHECK (num_nulls(void_as, void_by, void_at, void_reason) = 4
    OR num_nulls(void_as, void_by, void_at, void_reason) = 0 AND decision IS NOT DISTINCT FROM 'APPROVED'),
  ADD CONSTRAINT stands_seven_days CHECK (expires_at - proposed_at <= interval '168 hours') NOT VALID;
GRANT UPDATE (void_as, void_by, void_at, void_reason) ON approvals TO causeway_console;
-- What waits is what has not run out: that is seldom more than a handful, however many there are.
CREATE INDEX approvals_by_expiry ON approvals (expires_at);

CREATE OR REPLACE FUNCTION guard_new_approval() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.decision IS NOT NULL OR NEW.taken_up_at IS NOT NULL THEN
    RAISE EXCEPTION 'approval %: it begins undecided', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  NEW.recorded_at := clock_timestamp();
  -- A name that was typed, as the version before writes it.
  IF NEW.proposed_by !~ '^opr_' THEN
    NEW.submitted_by := coalesce(NEW.submitted_by, NEW.proposed_by);
    NEW.proposed_by := NULL;
  ELSIF NEW.proposed_by IS NOT NULL THEN
    PERFORM require_operator_for(NEW.action, NEW.proposed_by);
  END IF;
  RETURN NEW;
END $$;

-- A proposal is taken up once, decided once, and made void once unless it is in effect; nothing else of it
-- changes, and it is never deleted.
CREATE OR REPLACE FUNCTION guard_approval() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  taking_up constant text[] := ARRAY['proposed_by', 'taken_up_at'];
  deciding constant text[] := ARRAY['decision', 'decided_by', 'decided_at', 'decision_reason'];
  voiding constant text[] := ARRAY['void_as', 'void_by', 'void_at', 'void_reason'];
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.decision IS NULL THEN
    IF OLD.proposed_by IS NULL AND NEW.proposed_by IS NOT NULL AND NEW.taken_up_at IS NOT NULL
       AND NEW.taken_up_at < OLD.expires_at AND to_jsonb(OLD) - taking_up = to_jsonb(NEW) - taking_up THEN
      PERFORM require_operator_for(NEW.action, NEW.proposed_by);
      RETURN NEW;
    END IF;
    IF NEW.decision IS NOT NULL AND to_jsonb(OLD) - deciding = to_jsonb(NEW) - deciding THEN
      IF NEW.decision = 'APPROVED' THEN
        IF clock_timestamp() >= OLD.recorded_at + (OLD.expires_at - OLD.proposed_at) THEN
          RAISE EXCEPTION 'approval %: it ran out', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_run_out';
        END IF;
        PERFORM require_operator_for(NEW.action, NEW.proposed_by);
      END IF;
      -- What ran out is refused by nobody.
      IF NEW.decision = 'APPROVED' OR OLD.expires_at > NEW.decided_at THEN
        PERFORM require_operator_for(NEW.action, NEW.decided_by);
      END IF;
      RETURN NEW;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.decision = 'APPROVED' AND OLD.void_at IS NULL AND NEW.void_at IS NOT NULL
     AND to_jsonb(OLD) - voiding = to_jsonb(NEW) - voiding
     -- Its use holds the row shared until its commit, so this look comes after it.
     AND NOT EXISTS (SELECT FROM approval_uses u WHERE u.approval_id = OLD.id) THEN
    -- Withdrawing narrows: either of the two may, whatever role they have by now, and who may approve it.
    IF NEW.void_as = 'WITHDRAWN' THEN
      PERFORM FROM operators o WHERE o.id = NEW.void_by AND o.status = 'ACTIVE'
        AND o.id IN (OLD.proposed_by, OLD.decided_by);
      IF NOT FOUND THEN
        PERFORM require_operator_for(NEW.action, NEW.void_by);
      END IF;
    END IF;
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'approval %: it is taken up once, decided once, and void once unless it is in effect', OLD.id
    USING ERRCODE = 'restrict_violation';
END $$;
