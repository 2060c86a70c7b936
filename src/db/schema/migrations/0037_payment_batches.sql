-- Many payments sent at once. A batch has two versions: as it was taken, and once all of it is judged.
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
CREATE INDEX payment_batches_newest_first ON payment_batches (customer_id, environment, seq DESC);
-- For the sweep.
CREATE INDEX payment_batches_unfinished ON payment_batches (id) WHERE status = 'PROCESSING';
CALL secure_scoped_table('payment_batches');
GRANT INSERT, UPDATE (status, version, completed_at, run, begun_at) ON payment_batches
  TO causeway_app;

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
-- For the erasure of an end-user.
CREATE INDEX payment_batch_items_of_end_user
  ON payment_batch_items (customer_id, environment, end_user_id) WHERE end_user_id IS NOT NULL;
CALL secure_scoped_table('payment_batch_items');
GRANT INSERT, UPDATE (state, sealed, payment_id, error, waiting_since, judged_at)
  ON payment_batch_items TO causeway_app;

-- An item is judged once. Afterwards nothing of it changes but that an erasure blanks it.
CREATE FUNCTION guard_batch_item() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE FUNCTION guard_payment_batch() RETURNS trigger LANGUAGE plpgsql AS $$
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
