-- Until when the rate of a payment is held: from then on nothing of it is sent for the first time, and nothing again
-- after a rejection. Null where it is paid from its own currency.
ALTER TABLE payments ADD COLUMN rate_held_until timestamptz;

-- Payments under way are given what acceptance gives by default: 15 minutes in live, 1 minute in test; 80 minutes more
-- where a deposit pays.
ALTER TABLE payments DISABLE TRIGGER USER;
ALTER TABLE payments NO FORCE ROW LEVEL SECURITY;
ALTER TABLE quotes NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_fundings NO FORCE ROW LEVEL SECURITY;
UPDATE payments p SET rate_held_until = q.expires_at
    + CASE p.environment WHEN 'live' THEN interval '15 minutes' ELSE interval '1 minute' END
    + CASE WHEN EXISTS (SELECT FROM payment_fundings f WHERE f.payment_id = p.id)
        THEN interval '80 minutes' ELSE interval '0' END
  FROM quotes q
  WHERE q.id = p.quote_id AND p.status IN ('PROCESSING', 'ON_HOLD', 'SENT');
ALTER TABLE payment_fundings FORCE ROW LEVEL SECURITY;
ALTER TABLE quotes FORCE ROW LEVEL SECURITY;
ALTER TABLE payments FORCE ROW LEVEL SECURITY;
ALTER TABLE payments ENABLE TRIGGER USER;

-- It is part of the price.
DROP TRIGGER price_of_payment_is_kept ON payments;
CREATE TRIGGER price_of_payment_is_kept
  BEFORE UPDATE OF quote_id, rate, rate_held_until, fees ON payments
  FOR EACH ROW WHEN (ROW(OLD.quote_id, OLD.rate, OLD.rate_held_until, OLD.fees)
    IS DISTINCT FROM ROW(NEW.quote_id, NEW.rate, NEW.rate_held_until, NEW.fees))
  EXECUTE FUNCTION refuse_another_price();

-- The release before this one writes no such time: its payments get the default one. They are paid by a deposit where
-- they begin with the wait for it.
CREATE FUNCTION fill_rate_held_until() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.rate_held_until := (SELECT q.expires_at FROM quotes q WHERE q.id = NEW.quote_id)
    + CASE NEW.environment WHEN 'live' THEN interval '15 minutes' ELSE interval '1 minute' END
    + CASE NEW.status_detail WHEN 'AWAITING_DEPOSIT' THEN interval '80 minutes' ELSE interval '0' END;
  RETURN NEW;
END $$;
CREATE TRIGGER every_quoted_rate_ends BEFORE INSERT ON payments FOR EACH ROW
  WHEN (NEW.quote_id IS NOT NULL AND NEW.rate_held_until IS NULL)
  EXECUTE FUNCTION fill_rate_held_until();
