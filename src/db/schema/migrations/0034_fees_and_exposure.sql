-- The fees of its payment at the price that a quote replaces, those of the rail included. The answer to the payment's
-- request is told again from the first ones. Null: it replaces no price, or a release before this one wrote it.
ALTER TABLE quotes ADD COLUMN replaced_fees jsonb;
ALTER TABLE quotes ADD CONSTRAINT fees_of_a_replaced_price CHECK (replaced_fees IS NULL OR requote > 0) NOT VALID;

-- As before, but that what payments under way bring and what they take are also apart: each of them may be canceled or
-- fail, so that none makes room for another. `held` is their sum, which the release before this one reads.
DROP FUNCTION fx_exposure(text);
CREATE FUNCTION fx_exposure(wanted_environment text)
RETURNS TABLE (currency text, settled bigint, held bigint, held_long bigint, held_short bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH part (currency, settled, held) AS (
    SELECT c.currency, c.position, 0 FROM fx_checkpoints c WHERE c.environment = wanted_environment
    UNION ALL
    SELECT e.currency, e.amount, 0 FROM ledger_entries e
    WHERE e.account = 'fx' AND e.environment = wanted_environment
      AND e.transaction_id COLLATE "C" >= coalesce(
        (SELECT max(c.before_id COLLATE "C") FROM fx_checkpoints c
         WHERE c.environment = wanted_environment), '')
    UNION ALL
    SELECT leg.currency, 0, leg.amount
    FROM payments p CROSS JOIN LATERAL
      (VALUES (p.source_currency, p.source_amount), (p.currency, -p.amount)) AS leg (currency, amount)
    WHERE p.environment = wanted_environment AND p.quote_id IS NOT NULL
      AND p.status IN ('PROCESSING', 'ON_HOLD', 'SENT')
      AND NOT EXISTS (SELECT FROM payment_fundings f WHERE f.payment_id = p.id AND f.status = 'AWAITED')
  )
  SELECT part.currency, sum(part.settled)::bigint, sum(part.held)::bigint,
    sum(greatest(part.held, 0))::bigint, sum(least(part.held, 0))::bigint
  FROM part GROUP BY part.currency ORDER BY part.currency
$$;
REVOKE ALL ON FUNCTION fx_exposure FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fx_exposure TO causeway_app, causeway_system;
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION fx_exposure OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
