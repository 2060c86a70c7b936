-- The clock of a customer's test environment: how far it was moved. What waits in that environment is due so much earlier.
CREATE TABLE sandbox_clocks (
  customer_id text PRIMARY KEY REFERENCES customers,
  environment text NOT NULL CHECK (environment = 'test'),
  -- Seconds, in sum. 400 days at most.
  advanced_seconds bigint NOT NULL CHECK (advanced_seconds BETWEEN 1 AND 34560000),
  -- How often it was moved.
  version integer NOT NULL DEFAULT 1 CHECK (version > 0),
  -- The version of which every open workflow was told.
  told_version integer NOT NULL DEFAULT 0 CHECK (told_version BETWEEN 0 AND version),
  advanced_at timestamptz NOT NULL
);
COMMENT ON TABLE sandbox_clocks IS
  'How far one customer has moved the clock of its test environment. A row is written with the first move. No role may '
  'delete it.';
CREATE INDEX sandbox_clocks_untold ON sandbox_clocks (customer_id) WHERE told_version < version;
CALL secure_scoped_table('sandbox_clocks');
GRANT UPDATE (told_version) ON sandbox_clocks TO causeway_app, causeway_system;
GRANT INSERT, UPDATE ON sandbox_clocks TO causeway_system_definer;
GRANT UPDATE ON payments TO causeway_system_definer;
GRANT UPDATE (expires_at) ON quotes, payment_fundings, idempotency_keys, kyc_checks TO causeway_system_definer;
GRANT UPDATE (kyc_expires_at) ON end_users TO causeway_system_definer;
GRANT UPDATE (opened_at) ON wallet_reviews TO causeway_system_definer;
GRANT UPDATE (next_attempt_at) ON webhook_deliveries TO causeway_system_definer;
GRANT UPDATE (probe_at) ON webhook_endpoints TO causeway_system_definer;

-- It only goes forward.
CREATE FUNCTION guard_sandbox_clock() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.customer_id <> OLD.customer_id OR NEW.told_version < OLD.told_version
    OR NEW.version = OLD.version
      AND ROW(NEW.advanced_seconds, NEW.advanced_at) IS DISTINCT FROM ROW(OLD.advanced_seconds, OLD.advanced_at)
    OR NEW.version <> OLD.version
      AND (NEW.version <> OLD.version + 1 OR NEW.advanced_seconds <= OLD.advanced_seconds) THEN
    RAISE EXCEPTION 'sandbox clock of %: it only goes forward', OLD.customer_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_sandbox_clock BEFORE UPDATE ON sandbox_clocks
  FOR EACH ROW EXECUTE FUNCTION guard_sandbox_clock();

-- Whether a change of a row is a move of the sandbox's clock, and nothing else: made by `advance_sandbox_clock`, in test,
-- and the times named are earlier than before, or the same. Guards ask this only where they would refuse the change.
CREATE FUNCTION is_sandbox_clock_move(was jsonb, becomes jsonb, VARIADIC times text[]) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(current_user = 'causeway_system_definer' AND was ->> 'environment' = 'test'
    AND was - times = becomes - times
    AND NOT EXISTS (SELECT FROM unnest(times) AS named (name)
      WHERE (was ->> name IS NULL) <> (becomes ->> name IS NULL)
        OR (becomes ->> name)::timestamptz > (was ->> name)::timestamptz), false)
$$;

-- As before, but for the sandbox's clock.
CREATE OR REPLACE FUNCTION refuse_all_but_completion() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  becomes jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    becomes := to_jsonb(NEW);
    IF was - TG_ARGV = becomes - TG_ARGV
       AND NOT EXISTS (SELECT FROM unnest(TG_ARGV) AS named (name)
                       WHERE was -> name <> 'null' OR becomes -> name = 'null') THEN
      RETURN NEW;
    END IF;
    IF TG_TABLE_NAME = 'quotes' AND is_sandbox_clock_move(was, becomes, 'expires_at')
      OR TG_TABLE_NAME = 'wallet_reviews' AND is_sandbox_clock_move(was, becomes, 'opened_at') THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'a row of % is only ever completed', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

-- When a payment was ordered for, what moves it, its price and what pays for it are kept as before, but for the clock.
CREATE OR REPLACE FUNCTION refuse_other_schedule() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF is_sandbox_clock_move(to_jsonb(OLD), to_jsonb(NEW),
      'release_at', 'rate_held_until', 'requote_until', 'final_due_at', 'held_since') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: when it was ordered for cannot change', OLD.id
    USING ERRCODE = 'check_violation';
END $$;

CREATE OR REPLACE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_unended boolean;
  has_outcome boolean;
BEGIN
  IF NEW.version <> OLD.version + 1 THEN
    -- No version: nothing of the payment is said anew.
    IF is_sandbox_clock_move(to_jsonb(OLD), to_jsonb(NEW),
        'release_at', 'rate_held_until', 'requote_until', 'final_due_at', 'held_since') THEN
      RETURN NEW;
    END IF;
    RAISE EXCEPTION 'payment %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation';
  END IF;
  IF ROW(NEW.id, NEW.customer_id, NEW.environment, NEW.end_user_id, NEW.bank_account_id,
         NEW.idempotency_key, NEW.workflow_id, NEW.rail, NEW.currency, NEW.amount,
         NEW.source_currency)
     IS DISTINCT FROM
     ROW(OLD.id, OLD.customer_id, OLD.environment, OLD.end_user_id, OLD.bank_account_id,
         OLD.idempotency_key, OLD.workflow_id, OLD.rail, OLD.currency, OLD.amount,
         OLD.source_currency) THEN
    RAISE EXCEPTION 'payment %: what was ordered cannot change', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status <> OLD.status THEN
    IF NOT EXISTS (SELECT FROM payment_moves
                   WHERE from_status = OLD.status AND to_status = NEW.status) THEN
      RAISE EXCEPTION 'payment % cannot move from % to %', OLD.id, OLD.status, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.status IN ('COMPLETED', 'RETURNED', 'CANCELED', 'EXPIRED', 'FAILED') THEN
      SELECT coalesce(bool_or(a.is_open OR a.phase = 'READY'), false),
        coalesce(bool_or(a.phase = CASE NEW.status WHEN 'COMPLETED' THEN 'SETTLED' ELSE 'RETURNED' END), false)
        INTO is_unended, has_outcome
        FROM settlement_attempts a WHERE a.payment_id = OLD.id;
      -- Only a closed attempt lets the funds go.
      IF is_unended THEN
        RAISE EXCEPTION 'payment % cannot be % while a settlement attempt is open', OLD.id, NEW.status
          USING ERRCODE = 'check_violation';
      END IF;
      IF NEW.status IN ('COMPLETED', 'RETURNED') AND NOT has_outcome THEN
        RAISE EXCEPTION 'payment % cannot be % without an attempt that is', OLD.id, NEW.status
          USING ERRCODE = 'check_violation';
      END IF;
    END IF;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_price() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.version = OLD.version AND is_sandbox_clock_move(to_jsonb(OLD), to_jsonb(NEW),
      'release_at', 'rate_held_until', 'requote_until', 'final_due_at', 'held_since') THEN
    RETURN NEW;
  END IF;
  IF OLD.max_source_amount IS NULL
    OR ROW(NEW.max_source_amount, NEW.requote_until) IS DISTINCT FROM ROW(OLD.max_source_amount, OLD.requote_until)
    OR NEW.quote_id IS NOT DISTINCT FROM OLD.quote_id
    OR NEW.status <> 'PROCESSING'
    OR NEW.updated_at < OLD.rate_held_until
    OR NEW.updated_at >= OLD.requote_until
    OR NEW.rate_held_until IS NULL
    OR NEW.rate_held_until <= NEW.updated_at
    OR EXISTS (SELECT FROM settlement_attempts a
      WHERE a.payment_id = OLD.id AND a.phase NOT IN ('READY', 'NOT_SENT', 'REJECTED')) THEN
    RAISE EXCEPTION 'payment %: its price cannot change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_payment_funding() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  moved text[] := ARRAY['status', 'amount_received', 'not_paid_at', 'updated_at'];
BEGIN
  IF TG_OP = 'INSERT' AND NEW.status = 'AWAITED' AND NEW.amount_received = 0 AND NEW.not_paid_at IS NULL THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND (OLD.status, NEW.status) = ('HELD', 'AWAITED') AND EXISTS (
      SELECT FROM settlement_attempts a WHERE a.payment_id = NEW.payment_id AND a.phase <> 'READY') THEN
    RAISE EXCEPTION 'payment %: what pays for it was handed to its rail', NEW.payment_id
      USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - moved = to_jsonb(OLD) - moved
     AND (OLD.status, NEW.status) IN (('AWAITED', 'AWAITED'), ('AWAITED', 'HELD'), ('AWAITED', 'CLOSED'),
       ('HELD', 'HELD'), ('HELD', 'AWAITED')) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' AND is_sandbox_clock_move(to_jsonb(OLD), to_jsonb(NEW), 'expires_at') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: what it waits for does not change', coalesce(NEW.payment_id, OLD.payment_id)
    USING ERRCODE = 'check_violation';
END $$;

-- A time that is moved earlier: to `at_earliest`, where it would be before that, and behind the creation of its row. One
-- that has come stays.
CREATE FUNCTION moved_time(due timestamptz, span interval, at_earliest timestamptz, created timestamptz)
RETURNS timestamptz LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN due > at_earliest
    THEN least(due, greatest(due - span, at_earliest, created + interval '1 millisecond')) ELSE due END
$$;

-- Moves the clock of the scope's test environment by seconds, and with it everything that waits there for a time: what is
-- due later is due so much earlier, at `at` at the earliest, and what has waited for some time has waited longer. Answers
-- nothing, and moves nothing, where it would be moved by more than 400 days in sum. The row of the clock comes first: of
-- two moves the second waits for the first. `at` is the time of the caller's clock.
CREATE FUNCTION advance_sandbox_clock(in_seconds bigint, in_at timestamptz)
RETURNS TABLE (advanced_seconds bigint, version integer, advanced_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  mine text := scope_customer();
  span interval := make_interval(secs => in_seconds);
BEGIN
  IF mine IS NULL OR scope_environment() IS DISTINCT FROM 'test' OR in_seconds < 1 THEN
    RAISE EXCEPTION 'only a test environment has a clock, and it only goes forward' USING ERRCODE = 'check_violation';
  END IF;
  RETURN QUERY
    INSERT INTO sandbox_clocks AS c (customer_id, environment, advanced_seconds, advanced_at)
      SELECT mine, 'test', in_seconds, in_at WHERE in_seconds <= 34560000
    ON CONFLICT (customer_id) DO UPDATE SET advanced_seconds = c.advanced_seconds + excluded.advanced_seconds,
      version = c.version + 1, advanced_at = greatest(c.advanced_at, excluded.advanced_at)
      WHERE c.advanced_seconds + excluded.advanced_seconds <= 34560000
    RETURNING c.advanced_seconds, c.version, c.advanced_at;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- In the order in which everybody locks payments.
  PERFORM FROM payments p
    WHERE p.customer_id = mine AND p.environment = 'test' AND p.finality <> 'FINAL'
      AND p.status IN ('PROCESSING', 'ON_HOLD', 'SENT', 'COMPLETED')
    ORDER BY p.id FOR NO KEY UPDATE;
  UPDATE payments p SET
      release_at = moved_time(p.release_at, span, in_at, p.created_at),
      rate_held_until = moved_time(p.rate_held_until, span, in_at, p.created_at),
      requote_until = moved_time(p.requote_until, span, in_at, p.created_at),
      final_due_at = moved_time(p.final_due_at, span, in_at, p.created_at),
      held_since = p.held_since - span
    WHERE p.customer_id = mine AND p.environment = 'test' AND p.finality <> 'FINAL'
      AND p.status IN ('PROCESSING', 'ON_HOLD', 'SENT', 'COMPLETED')
      AND (greatest(p.release_at, p.rate_held_until, p.requote_until, p.final_due_at) > in_at
        OR p.held_since IS NOT NULL);
  UPDATE payment_fundings f SET expires_at = moved_time(f.expires_at, span, in_at, f.created_at)
    WHERE f.customer_id = mine AND f.environment = 'test' AND f.status = 'AWAITED' AND f.expires_at > in_at;
  UPDATE quotes q SET expires_at = moved_time(q.expires_at, span, in_at, q.created_at)
    WHERE q.customer_id = mine AND q.environment = 'test' AND q.consumed_at IS NULL AND q.expires_at > in_at;
  UPDATE idempotency_keys k SET expires_at = moved_time(k.expires_at, span, in_at, k.created_at)
    WHERE k.customer_id = mine AND k.environment = 'test' AND k.expires_at > in_at;
  -- The end-user says what the check of its round says, to the last digit.
  UPDATE end_users e SET kyc_expires_at = moved_time(e.kyc_expires_at, span, in_at, in_at - span)
    WHERE e.customer_id = mine AND e.environment = 'test' AND e.kyc_expires_at > in_at;
  UPDATE kyc_checks k SET expires_at = moved_time(k.expires_at, span, in_at, in_at - span)
    WHERE k.customer_id = mine AND k.environment = 'test' AND k.status = 'APPROVED' AND k.expires_at > in_at;
  UPDATE wallet_reviews r SET opened_at = r.opened_at - span
    WHERE r.customer_id = mine AND r.environment = 'test' AND r.outcome IS NULL;
  UPDATE webhook_deliveries d SET next_attempt_at = moved_time(d.next_attempt_at, span, in_at, in_at - span)
    WHERE d.customer_id = mine AND d.environment = 'test' AND d.status = 'PENDING' AND d.attempts > 0
      AND d.next_attempt_at > in_at;
  UPDATE webhook_endpoints w SET probe_at = moved_time(w.probe_at, span, in_at, in_at - span)
    WHERE w.customer_id = mine AND w.environment = 'test' AND w.status = 'ENABLED' AND w.probe_at > in_at;
END $$;
REVOKE ALL ON FUNCTION advance_sandbox_clock FROM PUBLIC;
GRANT EXECUTE ON FUNCTION advance_sandbox_clock TO causeway_app;

GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION advance_sandbox_clock OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
