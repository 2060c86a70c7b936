-- Since when the rails of a payment say that they have paid it under no reference, although a database before a restore
-- may have sent it. Once they still say so later, what came for it in part is given back.
ALTER TABLE payment_fundings ADD COLUMN not_paid_at timestamptz;
GRANT UPDATE (not_paid_at) ON payment_fundings TO causeway_app;

-- As before, with what rails say.
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
  RAISE EXCEPTION 'payment %: what it waits for does not change', coalesce(NEW.payment_id, OLD.payment_id)
    USING ERRCODE = 'check_violation';
END $$;

-- What is known of a reference, or of any other attempt of the same payment, outside of its payment. SEEN: a callback that
-- no payment explains says that it moved money, so does a statement, or a network carries it. UNSURE: a network may carry
-- it, for its hot addresses were not all looked at since a restore. Both but for one network. Null: nothing.
CREATE FUNCTION lost_life_word(in_environment text, in_reference text, in_except text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  WITH named (all_of) AS (
    SELECT array_agg(left(in_reference, -2) || lpad(n::text, 2, '0')) FROM generate_series(1, 99) AS n
  )
  SELECT CASE
    WHEN coalesce(public.statement_word(in_environment, named.all_of), 'TAKEN_BACK') <> 'TAKEN_BACK'
      OR EXISTS (SELECT FROM public.transfer_reports r WHERE r.payment_id IS NULL
        AND r.environment = in_environment AND upper(r.reference) = ANY (named.all_of)
        AND r.status IN ('SETTLED', 'RETURNED'))
      OR EXISTS (
        SELECT FROM unnest(named.all_of) AS one (reference) JOIN public.chain_nonces c
          ON c.environment = in_environment AND c.network IS DISTINCT FROM in_except AND c.reference IS NULL
          AND c.mark = substring(sha256(convert_to(one.reference, 'UTF8')) FROM 1 FOR 16)
        WHERE EXISTS (SELECT FROM public.chain_transactions t
          WHERE (t.environment, t.network, t.address, t.nonce) = (c.environment, c.network, c.address, c.nonce)
            AND t.is_found AND t.kind = 'TRANSFER' AND NOT EXISTS (SELECT FROM public.chain_foreign_transactions f
              WHERE (f.environment, f.network, f.address, f.nonce, f.hash)
                = (t.environment, t.network, t.address, t.nonce, t.hash))))
    THEN 'SEEN'
    WHEN EXISTS (SELECT FROM (SELECT DISTINCT l.network FROM public.chain_lanes l
        WHERE l.environment = in_environment AND l.network IS DISTINCT FROM in_except) AS used
      WHERE public.is_chain_unsure(in_environment, used.network))
    THEN 'UNSURE' END
  FROM named
$$;
GRANT CREATE ON SCHEMA public TO causeway_system_definer;
ALTER FUNCTION lost_life_word(text, text, text) OWNER TO causeway_system_definer;
REVOKE CREATE ON SCHEMA public FROM causeway_system_definer;
REVOKE ALL ON FUNCTION lost_life_word(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lost_life_word(text, text, text) TO causeway_app;
