-- A payment goes to a bank account or to a wallet. To a wallet its rail is the wallet's network, and what it pays is
-- an asset: `currency` holds the code of either.
ALTER TABLE payments ALTER COLUMN bank_account_id DROP NOT NULL;
ALTER TABLE payments ADD COLUMN wallet_id text;
ALTER TABLE payments
  ADD CONSTRAINT payments_wallet_fkey FOREIGN KEY (customer_id, environment, wallet_id)
    REFERENCES wallets (customer_id, environment, id) NOT VALID,
  ADD CONSTRAINT an_account_or_a_wallet CHECK (num_nulls(bank_account_id, wallet_id) = 1) NOT VALID,
  -- A bank's rail leads to no wallet, and a network to no account.
  ADD CONSTRAINT wallets_are_paid_over_networks CHECK
    ((wallet_id IS NOT NULL) = (rail IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')))
    NOT VALID,
  ADD CONSTRAINT wallets_are_paid_in_assets CHECK
    ((wallet_id IS NOT NULL) = (currency IN ('EURC', 'USDC', 'USDT'))) NOT VALID;

-- Where it goes is what was ordered, as `guard_payment_move` keeps the account.
CREATE FUNCTION refuse_other_wallet() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payment %: what was ordered cannot change', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER wallet_stays BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (NEW.wallet_id IS DISTINCT FROM OLD.wallet_id) EXECUTE FUNCTION refuse_other_wallet();

-- It leaves to the wallet's own network, and to nobody else's wallet.
CREATE FUNCTION guard_paid_wallet() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.wallets w
      WHERE w.id = NEW.wallet_id AND w.customer_id = NEW.customer_id
        AND w.environment = NEW.environment AND w.network = NEW.rail
        AND (w.end_user_id IS NULL OR w.end_user_id = NEW.end_user_id)) THEN
    RAISE EXCEPTION 'payment %: the wallet is another end-user''s, or on another network', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'wallet_is_the_end_users';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_paid_wallet BEFORE INSERT ON payments FOR EACH ROW
  WHEN (NEW.wallet_id IS NOT NULL) EXECUTE FUNCTION guard_paid_wallet();

-- The secret of a bank must never complete a payment that no bank makes: what a bank says of its reference is kept as
-- a report on a reference that is not its own, and the operators are told of it.
CREATE OR REPLACE FUNCTION store_bank_callback(
  in_environment text, in_report_id text, in_reference text, in_status text,
  in_bank_reference text, in_reason text, in_amount numeric, in_occurred_at timestamptz,
  in_received_at timestamptz)
RETURNS TABLE (id bigint, customer_id text, payment_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  whose RECORD;
  own_id text;
BEGIN
  SELECT a.customer_id, a.payment_id INTO whose FROM settlement_attempts a
  JOIN payments p ON p.id = a.payment_id AND p.wallet_id IS NULL
  WHERE a.reference = in_reference AND a.environment = in_environment;
  FOREACH own_id IN ARRAY
    -- A line feed: no header, and so no id, can hold one.
    ARRAY[in_report_id, concat_ws(E'\n', in_report_id, in_reference, in_status)] LOOP
    INSERT INTO transfer_reports AS r (customer_id, environment, payment_id, reference, source,
      report_id, status, bank_reference, reason, amount, occurred_at, received_at)
    VALUES (whose.customer_id, in_environment, whose.payment_id, in_reference, 'CALLBACK', own_id,
      in_status, in_bank_reference, in_reason, in_amount, in_occurred_at, in_received_at)
    ON CONFLICT (environment, source, report_id) DO NOTHING;
    RETURN QUERY SELECT r.id, r.customer_id, r.payment_id FROM transfer_reports r
    WHERE r.environment = in_environment AND r.source = 'CALLBACK' AND r.report_id = own_id
      AND r.reference = in_reference AND r.status = in_status;
    IF FOUND THEN RETURN; END IF;
  END LOOP;
END $$;

-- The same where the software above is wrong: neither a callback nor a statement of a bank is about such a payment.
CREATE FUNCTION refuse_report_of_bank() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.payments p
             WHERE p.id = NEW.payment_id AND p.wallet_id IS NOT NULL) THEN
    RAISE EXCEPTION 'payment %: no bank reports on a payment to a wallet', NEW.payment_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'no_bank_reports_on_wallets';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_bank_reports_on_wallets BEFORE INSERT ON transfer_reports FOR EACH ROW
  WHEN (NEW.payment_id IS NOT NULL AND NEW.source IN ('CALLBACK', 'STATEMENT'))
  EXECUTE FUNCTION refuse_report_of_bank();

-- Nor is its outcome what operators say: what is mined decides.
CREATE FUNCTION refuse_said_outcome() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM public.payments p
             WHERE p.id = NEW.payment_id AND p.wallet_id IS NOT NULL) THEN
    RAISE EXCEPTION 'attempt %: the chain tells what became of it', NEW.reference
      USING ERRCODE = 'check_violation', CONSTRAINT = 'no_outcome_is_said_of_chains';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_outcome_is_said_of_chains BEFORE UPDATE ON settlement_attempts FOR EACH ROW
  WHEN (NEW.confirmed_by IS DISTINCT FROM OLD.confirmed_by) EXECUTE FUNCTION refuse_said_outcome();
