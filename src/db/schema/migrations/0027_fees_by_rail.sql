-- A quote to a currency does not know the rail that pays it out. Its payment may cost more than the quote: the fee of the
-- rail (RAIL), and of one that an asset pays for, a higher SERVICE fee. All other fees stay those of the quote.
CREATE OR REPLACE FUNCTION check_payment_is_as_quoted() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.quotes q
    WHERE q.customer_id = NEW.customer_id AND q.environment = NEW.environment AND q.id = NEW.quote_id
      AND q.payment_id = NEW.id
      AND q.source_currency = NEW.source_currency AND q.converted_amount = NEW.source_amount
      AND q.target_currency = NEW.currency AND q.target_amount = NEW.amount
      AND q.rate = NEW.rate::numeric
      AND (q.network IS NULL OR q.network = NEW.rail)
      AND q.fixed_fee + q.percentage_fee = public.sum_of_fees(
        jsonb_path_query_array(NEW.fees, '$[*] ? (@.type == "FIXED" || @.type == "PERCENTAGE")'))
      -- Every fee of the quote is there, at no less.
      AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(q.fees) AS quoted WHERE NOT EXISTS (
          SELECT FROM jsonb_array_elements(NEW.fees) AS fee
          WHERE fee = quoted OR (
            q.network IS NULL AND fee ->> 'type' IN ('SERVICE', 'RAIL')
            AND fee ->> 'type' = quoted ->> 'type'
            AND (fee ->> 'amount')::bigint >= (quoted ->> 'amount')::bigint)))
      -- Every other fee is one that the rail may add.
      AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(NEW.fees) AS fee
        WHERE fee ->> 'type' NOT IN ('FIXED', 'PERCENTAGE')
          AND NOT q.fees @> jsonb_build_array(fee)
          AND NOT (q.network IS NULL AND (fee ->> 'type' = 'RAIL'
            OR (fee ->> 'type' = 'SERVICE' AND q.source_currency IN ('EURC', 'USDC', 'USDT')))))
      AND (SELECT count(*) = count(DISTINCT fee ->> 'type') FROM jsonb_array_elements(NEW.fees) AS fee)
  ) THEN
    RAISE EXCEPTION 'payment % is not as quote % says', NEW.id, NEW.quote_id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
