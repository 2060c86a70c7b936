-- What keeps a restored attempt from being sent again although its rail never saw it. Null: nothing.
ALTER TABLE settlement_attempts ADD COLUMN held_by text;

-- What is known of a reference, or of any other attempt of the same payment, outside of its payment. One row. SEEN: a
-- statement or a callback that no payment explains says that it moved money, or a network carries it: `place` is which,
-- `reference` under which one. UNSURE: the networks in `place` may carry it, for their hot addresses were not all looked
-- at since a restore. Both but for one network. Null: nothing.
CREATE FUNCTION find_lost_life(in_environment text, in_reference text, in_except text)
RETURNS TABLE (word text, place text, reference text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH named (all_of) AS (
    SELECT array_agg(left(in_reference, -2) || lpad(n::text, 2, '0')) FROM generate_series(1, 99) AS n
  ), seen (place, reference) AS (
    -- What cancels out on its own statement moved nothing.
    SELECT 'statement of ' || s.connector, upper(l.reference)
    FROM named, public.statement_lines l JOIN public.statements s ON s.id = l.statement_id
    WHERE l.environment = in_environment AND upper(l.reference) = ANY (named.all_of) AND l.booked
      AND l.outcome IS DISTINCT FROM 'OFFSET'
    UNION ALL
    SELECT 'callback', upper(r.reference) FROM named, public.transfer_reports r
    WHERE r.payment_id IS NULL AND r.environment = in_environment AND upper(r.reference) = ANY (named.all_of)
      AND r.status IN ('SETTLED', 'RETURNED')
    UNION ALL
    SELECT c.network, one.reference
    FROM named, unnest(named.all_of) AS one (reference) JOIN public.chain_nonces c
      ON c.environment = in_environment AND c.network IS DISTINCT FROM in_except AND c.reference IS NULL
      AND c.mark = substring(sha256(convert_to(one.reference, 'UTF8')) FROM 1 FOR 16)
    WHERE EXISTS (SELECT FROM public.chain_transactions t
      WHERE (t.environment, t.network, t.address, t.nonce) = (c.environment, c.network, c.address, c.nonce)
        AND t.is_found AND t.kind = 'TRANSFER' AND NOT EXISTS (SELECT FROM public.chain_foreign_transactions f
          WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
            = (t.environment, t.network, t.address, t.nonce, t.hash)))
    LIMIT 1
  ), unsure (networks) AS (
    SELECT string_agg(used.network, ' ' ORDER BY used.network)
    FROM (SELECT DISTINCT l.network FROM public.chain_lanes l
      WHERE l.environment = in_environment AND l.network IS DISTINCT FROM in_except) AS used
    WHERE public.is_chain_unsure(in_environment, used.network)
  )
  SELECT CASE WHEN seen.place IS NOT NULL THEN 'SEEN' WHEN unsure.networks IS NOT NULL THEN 'UNSURE' END,
    coalesce(seen.place, unsure.networks), seen.reference
  FROM unsure LEFT JOIN seen ON true
$$;
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION find_lost_life(text, text, text) OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
REVOKE ALL ON FUNCTION find_lost_life(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_lost_life(text, text, text) TO causeway_app;

-- For workers of the version before: its word alone.
CREATE OR REPLACE FUNCTION lost_life_word(in_environment text, in_reference text, in_except text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT found.word FROM public.find_lost_life(in_environment, in_reference, in_except) AS found
$$;
