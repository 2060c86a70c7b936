-- The token buckets of the rate limits, which all API processes share: src/db/customers/rate-bucket-store.ts. A
-- bucket that is full has no row or any row from the past. Unlogged: a lease costs no flush of the log,
-- and after a crash or a failover every bucket is full, which is what a limit may forget.
CREATE UNLOGGED TABLE rate_buckets (
  name text PRIMARY KEY,
  -- When the bucket is full again if nothing more is taken: all of its state. A token is 1 / rate of it.
  full_at timestamptz NOT NULL
) WITH (fillfactor = 50);
ALTER TABLE rate_buckets ENABLE ROW LEVEL SECURITY;
ALTER TABLE rate_buckets FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON rate_buckets TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_buckets TO causeway_system;

-- Settles with buckets and takes tokens from them: `settled` are tokens used without having been taken,
-- or, negative, tokens given back. At most `wanted` whole tokens are granted, and none that is not there.
-- By the clock of PostgreSQL, read once a bucket's row is locked. Rows are locked in order of their
-- names, so that two processes never wait for each other.
CREATE FUNCTION lease_rate_tokens(
  names text[], rates double precision[], bursts double precision[],
  settled double precision[], wanted double precision[])
RETURNS TABLE (turn bigint, granted double precision, remaining double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  ask record;
  held timestamptz;
  moment timestamptz;
  ahead_s double precision;
BEGIN
  FOR ask IN
    SELECT * FROM unnest(names, rates, bursts, settled, wanted) WITH ORDINALITY
      AS a (name, rate, burst, settled, wanted, turn)
    ORDER BY a.name, a.turn
  LOOP
    INSERT INTO rate_buckets AS b (name, full_at) VALUES (ask.name, '-infinity')
      ON CONFLICT (name) DO NOTHING;
    SELECT b.full_at INTO held FROM rate_buckets b WHERE b.name = ask.name FOR UPDATE;
    moment := clock_timestamp();
    -- How long refilling takes now, in seconds; never less than nothing, so that a bucket holds its burst at most.
    ahead_s := CASE WHEN held > moment THEN extract(epoch FROM held - moment) ELSE 0 END;
    ahead_s := greatest(0, ahead_s + ask.settled / ask.rate);
    turn := ask.turn;
    granted := greatest(0, least(ask.wanted, floor(ask.burst - ahead_s * ask.rate)));
    ahead_s := ahead_s + granted / ask.rate;
    remaining := ask.burst - ahead_s * ask.rate;
    UPDATE rate_buckets b SET full_at = moment + make_interval(secs => ahead_s)
      WHERE b.name = ask.name;
    RETURN NEXT;
  END LOOP;
END $$;
GRANT CREATE ON SCHEMA public TO causeway_system;
ALTER FUNCTION lease_rate_tokens(text[], double precision[], double precision[],
  double precision[], double precision[]) OWNER TO causeway_system;
REVOKE CREATE ON SCHEMA public FROM causeway_system;
REVOKE EXECUTE ON FUNCTION lease_rate_tokens(text[], double precision[], double precision[],
  double precision[], double precision[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lease_rate_tokens(text[], double precision[], double precision[],
  double precision[], double precision[]) TO causeway_app;

-- The request that a payment came with (`req_...`); null for those of earlier versions. No index: ids of
-- payments and requests hold their time, so a request's payments are a short stretch of the primary key.
ALTER TABLE payments ADD COLUMN request_id text;
