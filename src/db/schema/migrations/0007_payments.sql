-- Payments, alone and many at once.

-- For a wallet the rail is the wallet's network, and `currency` holds the code of an asset. Amounts are minor units.
CREATE TABLE payments (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  end_user_id text NOT NULL,
  bank_account_id text,
  wallet_id text,
  idempotency_key text NOT NULL,
  -- The request that it came with (`req_...`). No index: ids of payments and requests hold their time, so a
  -- request's payments are a short stretch of the primary key.
  request_id text,
  workflow_id text NOT NULL UNIQUE,
  kind text NOT NULL DEFAULT 'PAYOUT',
  rail text NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  source_currency text NOT NULL,
  source_amount bigint NOT NULL CHECK (source_amount > 0),
  rate text,
  -- Its price beside its amount. source_amount is without the fees; each of these is {"type", "amount" (minor
  -- units of the source currency, as text), "bps"}.
  quote_id text,
  fees jsonb NOT NULL DEFAULT '[]',
  external_id text,
  purpose text,
  -- A payment for a later day: the day that was ordered, and the moment from which it may leave. It has no
  -- attempt before it is released.
  scheduled_for date,
  release_at timestamptz,
  personal bytea NOT NULL,
  status text NOT NULL,
  status_detail text NOT NULL,
  funds_status text NOT NULL,
  finality text NOT NULL DEFAULT 'NONE' CHECK (finality IN ('NONE', 'PROVISIONAL', 'FINAL')),
  -- Until when the rail lets a completed payment come back. Null where it has not completed or has ended
  -- otherwise.
  final_due_at timestamptz,
  final_at timestamptz,
  failure jsonb,
  return_info jsonb,
  reconciliation_status text NOT NULL DEFAULT 'PENDING'
    CHECK (reconciliation_status IN ('PENDING', 'RECONCILED', 'EXCEPTION')),
  reconciliation_evidence jsonb,
  refs jsonb NOT NULL DEFAULT '[]',
  rejections integer NOT NULL DEFAULT 0,
  has_open_attempt boolean NOT NULL DEFAULT false,
  held_since timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  UNIQUE (customer_id, environment, idempotency_key),
  FOREIGN KEY (customer_id, environment, end_user_id)
    REFERENCES end_users (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, bank_account_id)
    REFERENCES bank_accounts (customer_id, environment, id),
  CONSTRAINT another_currency_takes_a_quote
    CHECK ((quote_id IS NULL) = (source_currency = currency)),
  CONSTRAINT a_schedule_has_day_and_moment
    CHECK ((scheduled_for IS NULL) = (release_at IS NULL)),
  CONSTRAINT a_provisional_payment_has_a_due_time
    CHECK (finality <> 'PROVISIONAL' OR final_due_at IS NOT NULL),
  CONSTRAINT payments_kind_check CHECK (kind IN ('PAYOUT', 'WITHDRAWAL')),
  CONSTRAINT payments_wallet_fkey FOREIGN KEY (customer_id, environment, wallet_id)
    REFERENCES wallets (customer_id, environment, id),
  CONSTRAINT an_account_or_a_wallet CHECK (num_nulls(bank_account_id, wallet_id) = 1),
  -- A bank's rail leads to no wallet, and a network to no account.
  CONSTRAINT wallets_are_paid_over_networks CHECK
    ((wallet_id IS NOT NULL) = (rail IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON'))),
  CONSTRAINT wallets_are_paid_in_assets CHECK
    ((wallet_id IS NOT NULL) = (currency IN ('EURC', 'USDC', 'USDT')))
);
COMMENT ON TABLE payments IS
  'One payment of one customer to a bank account or a wallet: what was ordered, what it costs, and where it '
  'stands. No role may delete it.';
-- Every list of payments is read status by status, newest first, from an index that ends in (status, seq):
-- the page then costs what it shows, whatever else there is.
CREATE INDEX payments_by_status ON payments (customer_id, environment, status, seq DESC);
CREATE INDEX payments_by_end_user
  ON payments (customer_id, environment, end_user_id, status, seq);
CREATE INDEX payments_by_bank_account
  ON payments (customer_id, environment, bank_account_id, status, seq);
CREATE INDEX payments_by_external_id
  ON payments (customer_id, environment, external_id, status, seq) WHERE external_id IS NOT NULL;
-- A partner may number the payments of each end-user anew: then neither id alone is selective.
CREATE INDEX payments_by_end_user_and_external_id
  ON payments (customer_id, environment, end_user_id, external_id, status, seq)
  WHERE external_id IS NOT NULL;
CREATE INDEX payments_by_bank_account_and_external_id
  ON payments (customer_id, environment, bank_account_id, external_id, status, seq)
  WHERE external_id IS NOT NULL;
-- Finds the sequence at which a moment lies.
CREATE INDEX payments_by_time ON payments (customer_id, environment, created_at, seq);
-- What workers look for: not begun, not finished, not confirmed by a statement.
CREATE INDEX payments_unclaimed ON payments (id) WHERE version = 1;
CREATE INDEX payments_unfinished ON payments (updated_at)
  WHERE status IN ('PROCESSING', 'ON_HOLD', 'SENT');
CREATE INDEX payments_unreconciled ON payments (environment, id)
  WHERE reconciliation_status = 'PENDING' AND status IN ('COMPLETED', 'RETURNED');
-- The operators' list: what waits for a human or has not moved, and what contradicts the bank.
CREATE INDEX payments_waiting
  ON payments (environment, status, (coalesce(held_since, updated_at)))
  WHERE status IN ('PROCESSING', 'ON_HOLD', 'SENT');
CREATE INDEX payments_contradicted ON payments (environment, (coalesce(held_since, updated_at)))
  WHERE reconciliation_status = 'EXCEPTION';
-- What is promised to payments under way in another currency.
CREATE INDEX payments_quoted_and_unfinished ON payments (environment)
  WHERE quote_id IS NOT NULL AND status IN ('PROCESSING', 'ON_HOLD', 'SENT');
-- What the schedule `finality` reads, first due first. A payment is in it from its statement line to its end.
CREATE INDEX payments_due_for_finality ON payments (environment, final_due_at, id)
  WHERE finality = 'PROVISIONAL' AND reconciliation_status = 'RECONCILED';
-- Lists of a wallet's payments, status by status, newest first.
CREATE INDEX payments_by_wallet
  ON payments (customer_id, environment, wallet_id, status, seq) WHERE wallet_id IS NOT NULL;
-- A wallet of the customer's own is paid for many end-users: then neither id alone is selective.
CREATE INDEX payments_by_wallet_and_end_user
  ON payments (customer_id, environment, wallet_id, end_user_id, status, seq)
  WHERE wallet_id IS NOT NULL;
-- Payments to one wallet may all have one external id, and those of one external id go to many wallets.
CREATE INDEX payments_by_wallet_and_external_id
  ON payments (customer_id, environment, wallet_id, external_id, status, seq)
  WHERE wallet_id IS NOT NULL AND external_id IS NOT NULL;
CALL secure_scoped_table('payments');
GRANT INSERT, UPDATE ON payments TO causeway_app, causeway_system;

-- The database judges a payment's moves again: a bug above it must not be able to lose money. Only a settled
-- attempt completes a payment, only a returned one returns it, and it does not end while an attempt of it is
-- READY or open.
CREATE FUNCTION guard_payment_move() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'payment %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation';
  END IF;
  IF ROW(NEW.id, NEW.customer_id, NEW.environment, NEW.end_user_id, NEW.bank_account_id,
         NEW.idempotency_key, NEW.workflow_id, NEW.rail, NEW.currency, NEW.amount,
         NEW.source_currency, NEW.source_amount)
     IS DISTINCT FROM
     ROW(OLD.id, OLD.customer_id, OLD.environment, OLD.end_user_id, OLD.bank_account_id,
         OLD.idempotency_key, OLD.workflow_id, OLD.rail, OLD.currency, OLD.amount,
         OLD.source_currency, OLD.source_amount) THEN
    RAISE EXCEPTION 'payment %: what was ordered cannot change', OLD.id
      USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.status <> OLD.status THEN
    IF NOT EXISTS (SELECT FROM payment_moves
                   WHERE from_status = OLD.status AND to_status = NEW.status) THEN
      RAISE EXCEPTION 'payment % cannot move from % to %', OLD.id, OLD.status, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
    -- Only a closed attempt lets the funds go.
    IF NEW.status IN ('COMPLETED', 'RETURNED', 'CANCELED', 'EXPIRED', 'FAILED') AND EXISTS (
      SELECT FROM settlement_attempts a
      WHERE a.payment_id = OLD.id AND (a.is_open OR a.phase = 'READY')) THEN
      RAISE EXCEPTION 'payment % cannot be % while a settlement attempt is open', OLD.id, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.status IN ('COMPLETED', 'RETURNED') AND NOT EXISTS (
      SELECT FROM settlement_attempts a WHERE a.payment_id = OLD.id
        AND a.phase = CASE NEW.status WHEN 'COMPLETED' THEN 'SETTLED' ELSE 'RETURNED' END) THEN
      RAISE EXCEPTION 'payment % cannot be % without an attempt that is', OLD.id, NEW.status
        USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_payment_move BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (octet_length(NEW.personal) > 0 OR octet_length(OLD.personal) = 0)
  EXECUTE FUNCTION guard_payment_move();

-- What the vault's own key sealed for an end-user without a data key is blanked when they are erased. A
-- payment's row may change so, without a version, and in no other way.
CREATE FUNCTION guard_payment_blanking() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF to_jsonb(NEW) - 'personal' = to_jsonb(OLD) - 'personal' AND EXISTS (
    SELECT FROM end_user_keys k WHERE k.end_user_id = OLD.end_user_id AND k.wrapped_key IS NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'payment %: only of an erased end-user, and nothing else', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER guard_payment_blanking BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (octet_length(NEW.personal) = 0 AND octet_length(OLD.personal) > 0)
  EXECUTE FUNCTION guard_payment_blanking();

-- A payment's price stays.
CREATE FUNCTION refuse_another_price() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payment %: its price cannot change', OLD.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER price_of_payment_is_kept BEFORE UPDATE OF quote_id, rate, fees ON payments
  FOR EACH ROW WHEN (ROW(OLD.quote_id, OLD.rate, OLD.fees)
    IS DISTINCT FROM ROW(NEW.quote_id, NEW.rate, NEW.fees))
  EXECUTE FUNCTION refuse_another_price();

-- When a payment was ordered for stays.
CREATE FUNCTION refuse_other_schedule() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payment %: when it was ordered for cannot change', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
-- Asked only by a statement that names one of the columns, which none of ours does.
CREATE TRIGGER refuse_other_schedule BEFORE UPDATE OF scheduled_for, release_at ON payments
  FOR EACH ROW WHEN (ROW(OLD.scheduled_for, OLD.release_at)
    IS DISTINCT FROM ROW(NEW.scheduled_for, NEW.release_at))
  EXECUTE FUNCTION refuse_other_schedule();

-- A final payment stays where it is: no report of a bank moves it any more, whatever process reads it.
CREATE FUNCTION refuse_change_of_final() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payment % is final as % since %', OLD.id, OLD.status, OLD.final_at
    USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER final_payment_stays BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (OLD.finality = 'FINAL' AND (NEW.finality <> 'FINAL' OR NEW.status <> OLD.status
    OR NEW.final_at IS DISTINCT FROM OLD.final_at))
  EXECUTE FUNCTION refuse_change_of_final();

-- A delivered payment becomes final by a statement and by time, never by either alone.
CREATE FUNCTION refuse_early_finality() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payment % cannot be final: % / %, due %', OLD.id, NEW.status,
    NEW.reconciliation_status, NEW.final_due_at USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER only_reconciled_becomes_final BEFORE UPDATE ON payments FOR EACH ROW
  WHEN (NEW.finality = 'FINAL' AND OLD.finality <> 'FINAL' AND NEW.status = 'COMPLETED'
    AND (OLD.status <> 'COMPLETED' OR NEW.reconciliation_status <> 'RECONCILED'
      OR NEW.final_at IS NULL OR NEW.final_at < NEW.final_due_at))
  EXECUTE FUNCTION refuse_early_finality();

-- A payment of the customer's own end-user alone is a withdrawal, and stays what it is.
CREATE FUNCTION guard_payment_kind() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR NOT EXISTS (SELECT FROM end_users e
      WHERE e.id = NEW.end_user_id AND e.relationship = 'SELF') THEN
    RAISE EXCEPTION 'payment % is no withdrawal, or was said to be another kind', NEW.id
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER withdrawal_is_of_own_entity BEFORE INSERT ON payments FOR EACH ROW
  WHEN (NEW.kind = 'WITHDRAWAL') EXECUTE FUNCTION guard_payment_kind();
CREATE TRIGGER kind_of_payment_is_kept BEFORE UPDATE OF kind ON payments FOR EACH ROW
  WHEN (NEW.kind <> OLD.kind) EXECUTE FUNCTION guard_payment_kind();

-- When a payment was accepted is what its day is summed by: it is kept like the rest of what was ordered.
CREATE FUNCTION refuse_other_acceptance() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'payment %: when it was accepted cannot change', OLD.id
    USING ERRCODE = 'check_violation';
END $$;
-- Fires for statements that name the column: those that move payments do not.
CREATE TRIGGER acceptance_is_kept BEFORE UPDATE OF created_at ON payments FOR EACH ROW
  WHEN (NEW.created_at IS DISTINCT FROM OLD.created_at) EXECUTE FUNCTION refuse_other_acceptance();

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

-- As src/domain/payments/payment-states.ts has them.
CREATE TABLE payment_moves (
  from_status text,
  to_status text,
  PRIMARY KEY (from_status, to_status)
);
COMMENT ON TABLE payment_moves IS
  'One move that a payment may make, from one status to another. Only the migrations write the rows.';
GRANT SELECT ON payment_moves TO causeway_app, causeway_system;

CREATE TABLE payment_history (
  customer_id text NOT NULL,
  environment text NOT NULL,
  payment_id text NOT NULL,
  version integer NOT NULL,
  status text NOT NULL,
  status_detail text NOT NULL,
  funds_status text NOT NULL,
  reconciliation_status text NOT NULL,
  actor text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, version),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id)
);
COMMENT ON TABLE payment_history IS
  'One version that a payment had, and who made it. Rows never change and are never deleted.';
CALL secure_scoped_table('payment_history');
GRANT INSERT ON payment_history TO causeway_app, causeway_system;
CREATE TRIGGER payment_history_is_append_only BEFORE UPDATE OR DELETE ON payment_history
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE payment_batches (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  status text NOT NULL DEFAULT 'PROCESSING' CHECK (status IN ('PROCESSING', 'COMPLETED')),
  version integer NOT NULL DEFAULT 1,
  total integer NOT NULL CHECK (total BETWEEN 1 AND 1000),
  -- Who sent it, and with which request: its payments say so.
  actor jsonb NOT NULL,
  request_id text NOT NULL,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  -- Counts the runs of the work. Only the last one may accept items and write down what became of them.
  run integer NOT NULL DEFAULT 0 CHECK (run >= 0),
  -- When the last run began; null: no worker has seen the batch.
  begun_at timestamptz,
  UNIQUE (customer_id, environment, id),
  CHECK (version = CASE status WHEN 'PROCESSING' THEN 1 ELSE 2 END),
  CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL)),
  CHECK ((run = 0) = (begun_at IS NULL))
);
COMMENT ON TABLE payment_batches IS
  'One batch of payments that a customer sent in one request. Its two versions are the batch as it was taken, and '
  'the batch with all items judged. Rows are never deleted.';
CREATE INDEX payment_batches_newest_first ON payment_batches (customer_id, environment, seq DESC);
-- For the sweep.
CREATE INDEX payment_batches_unfinished ON payment_batches (id) WHERE status = 'PROCESSING';
CALL secure_scoped_table('payment_batches');
GRANT INSERT, UPDATE (status, version, completed_at, run, begun_at) ON payment_batches TO causeway_app;

CREATE TABLE payment_batch_items (
  customer_id text NOT NULL,
  environment text NOT NULL,
  batch_id text NOT NULL,
  item_index integer NOT NULL CHECK (item_index BETWEEN 0 AND 999),
  idempotency_key text NOT NULL,
  -- Whom the item names: there may be no such end-user.
  end_user_id text,
  -- Minor units; null where the item's fields do not fit.
  currency text,
  amount bigint CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('PENDING', 'ACCEPTED', 'REFUSED')),
  -- PENDING: the order. REFUSED: the message and what it points at. ACCEPTED: null.
  sealed bytea,
  payment_id text,
  -- Of the error registry.
  error text,
  -- Since when an error that may pass keeps it from being judged.
  waiting_since timestamptz,
  judged_at timestamptz,
  PRIMARY KEY (batch_id, item_index),
  CONSTRAINT one_item_a_key UNIQUE (batch_id, idempotency_key),
  FOREIGN KEY (customer_id, environment, batch_id)
    REFERENCES payment_batches (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, payment_id)
    REFERENCES payments (customer_id, environment, id),
  CHECK (num_nulls(currency, amount) IN (0, 2)),
  CHECK ((state = 'ACCEPTED') = (payment_id IS NOT NULL)),
  CHECK ((state = 'REFUSED') = (error IS NOT NULL)),
  CHECK ((state = 'ACCEPTED') = (sealed IS NULL)),
  CHECK ((state = 'PENDING') = (judged_at IS NULL))
);
COMMENT ON TABLE payment_batch_items IS
  'One item of a batch: the order until it is accepted or refused, then the payment or the error. Rows are never '
  'deleted.';
-- For the erasure of an end-user.
CREATE INDEX payment_batch_items_of_end_user
  ON payment_batch_items (customer_id, environment, end_user_id) WHERE end_user_id IS NOT NULL;
CALL secure_scoped_table('payment_batch_items');
GRANT INSERT, UPDATE (state, sealed, payment_id, error, waiting_since, judged_at) ON payment_batch_items
  TO causeway_app;

-- An item is judged once. Afterwards nothing of it changes but that an erasure blanks it.
CREATE FUNCTION guard_batch_item() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF ROW(NEW.customer_id, NEW.environment, NEW.batch_id, NEW.item_index, NEW.idempotency_key,
           NEW.end_user_id, NEW.currency, NEW.amount)
       IS DISTINCT FROM ROW(OLD.customer_id, OLD.environment, OLD.batch_id, OLD.item_index,
           OLD.idempotency_key, OLD.end_user_id, OLD.currency, OLD.amount) THEN
      RAISE EXCEPTION 'item % of batch % stays what was sent', OLD.item_index, OLD.batch_id
        USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state = 'PENDING' THEN
      RETURN NEW;
    END IF;
    IF to_jsonb(NEW) - 'sealed' = to_jsonb(OLD) - 'sealed' AND octet_length(NEW.sealed) = 0 THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'item % of batch % is judged', OLD.item_index, OLD.batch_id
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER guard_batch_item BEFORE UPDATE OR DELETE ON payment_batch_items
  FOR EACH ROW EXECUTE FUNCTION guard_batch_item();

-- A batch stays what was sent, is COMPLETED once all of its items are judged, and then rests.
CREATE FUNCTION guard_payment_batch() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.status = 'COMPLETED' THEN
    RAISE EXCEPTION 'batch % is kept as it is', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  IF ROW(NEW.id, NEW.seq, NEW.customer_id, NEW.environment, NEW.total, NEW.actor, NEW.request_id,
         NEW.created_at)
     IS DISTINCT FROM ROW(OLD.id, OLD.seq, OLD.customer_id, OLD.environment, OLD.total, OLD.actor,
         OLD.request_id, OLD.created_at) OR NEW.run < OLD.run THEN
    RAISE EXCEPTION 'batch % stays what was sent', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status = 'COMPLETED' AND NEW.total <> (
       SELECT count(*) FROM payment_batch_items WHERE batch_id = NEW.id AND state <> 'PENDING') THEN
    RAISE EXCEPTION 'batch % has items that are not judged', OLD.id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard_payment_batch BEFORE UPDATE OR DELETE ON payment_batches
  FOR EACH ROW EXECUTE FUNCTION guard_payment_batch();

-- A payment belongs to the span in which its id was made. What it orders never changes, so summing again gives the
-- same.
CREATE TABLE payment_sums (
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  starts_at timestamptz NOT NULL,
  -- A day by UTC, or an hour of the newest one.
  hours smallint NOT NULL CHECK (hours IN (1, 24)),
  -- By currency: {"EUR": {"payments": "3", "minor": "12500"}}; decimal text, the amounts in minor units.
  sums jsonb NOT NULL CHECK (jsonb_typeof(sums) = 'object'),
  summed_at timestamptz NOT NULL,
  PRIMARY KEY (customer_id, environment, starts_at, hours),
  CHECK (extract(epoch FROM starts_at) % (hours * 3600) = 0),
  -- Clocks differ by less than five minutes, and a payment is committed within them.
  CONSTRAINT summed_when_over
    CHECK (summed_at >= starts_at + make_interval(hours => hours) + interval '5 minutes')
);
COMMENT ON TABLE payment_sums IS
  'What one customer''s payments ordered in one day or hour that is over, per currency. The dashboard writes it '
  'once; rows never change and are never deleted.';
CALL secure_scoped_table('payment_sums');
GRANT INSERT ON payment_sums TO causeway_dashboard;
CREATE TRIGGER payment_sums_are_append_only BEFORE UPDATE OR DELETE ON payment_sums
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
