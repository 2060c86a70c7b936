-- What a payment owes its being to may be older than itself: a deposit that is paid on or refunded was mined before, and
-- a life of the database that was lost may have done the same with it.
CREATE FUNCTION asked_for_at(in_payment text, accepted_at timestamptz) RETURNS timestamptz LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT least(accepted_at, (
    SELECT min(d.block_at) FROM deposits d WHERE d.id IN (
      SELECT o.deposit_id FROM deposit_onward o WHERE o.payment_id = in_payment
      UNION ALL
      SELECT r.deposit_id FROM deposit_refunds r WHERE r.payment_id = in_payment)))
$$;

-- The last moment that the copy knows of when restore mode begins. Addresses that were given out later are lost, and
-- what came to them since is read once they are given out again. Null: the copy knows of none.
ALTER TABLE restore_mode ADD COLUMN copy_until timestamptz;
