-- When an endpoint was disabled, and why, and the last event (its seq) before that: what it missed since
-- then is sent once it is enabled again. Disabled by the version before: null.
ALTER TABLE webhook_endpoints
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN disabled_after bigint,
  ADD COLUMN disabled_reason text
    CHECK (disabled_reason IN ('REQUESTED', 'RECEIVER_GONE', 'FAILING')),
  -- Enabled again, and what it missed is not all queued yet. Until it is, no event of the scope makes a
  -- delivery for it: its replay reaches them in the order of the log. Writers of the version before do
  -- not look here; what they queue is sent once all the same, only not in its order.
  ADD COLUMN is_catching_up boolean NOT NULL DEFAULT false,
  -- Whether webhooks carry the ids of what happened in the place of its data.
  ADD COLUMN is_thin boolean NOT NULL DEFAULT false;

-- Every send and what came of it, in the order in which they were recorded. A process of the version
-- before records none.
CREATE TABLE webhook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  -- Of its delivery; it begins anew where that is sent again on request.
  number integer NOT NULL CHECK (number > 0),
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  -- Of a first attempt: from the moment at which it was due to its end. Null for the others.
  delay_ms integer CHECK (delay_ms >= 0),
  -- Null where no answer came.
  status_code integer,
  -- Null for a success.
  error text,
  -- The first 4 kB of the answer, sealed; null where it was empty.
  answer bytea,
  PRIMARY KEY (endpoint_id, event_id, id),
  FOREIGN KEY (endpoint_id, event_id) REFERENCES webhook_deliveries (endpoint_id, event_id)
    ON DELETE CASCADE
);
-- An endpoint's newest success, and how late its newest first attempts were.
CREATE INDEX webhook_attempts_successful ON webhook_attempts (endpoint_id, id DESC)
  WHERE error IS NULL;
CREATE INDEX webhook_attempts_first ON webhook_attempts (endpoint_id, id DESC)
  WHERE delay_ms IS NOT NULL;
CALL secure_scoped_table('webhook_attempts');
-- Erasing an end-user takes away what receivers answered to events about them; nothing else changes.
GRANT INSERT, UPDATE (answer) ON webhook_attempts TO causeway_app;
CREATE TRIGGER webhook_attempts_are_append_only BEFORE UPDATE ON webhook_attempts
  FOR EACH ROW
  WHEN (NEW.answer IS NOT NULL OR to_jsonb(NEW) - 'answer' <> to_jsonb(OLD) - 'answer')
  EXECUTE FUNCTION refuse_change();

-- Events that an endpoint is sent again, or for the first time, page by page in the order of the log.
CREATE TABLE webhook_replays (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  -- REQUESTED: also what was delivered. MISSED: what has no delivery yet, of an endpoint enabled again;
  -- it is COMPLETED only with the end of the log.
  reason text NOT NULL CHECK (reason IN ('REQUESTED', 'MISSED')),
  from_at timestamptz,
  to_at timestamptz,
  types text[],
  only_failed boolean NOT NULL DEFAULT false,
  -- Whether all that was being written when it was made has been committed: before that no page is read.
  is_settled boolean NOT NULL DEFAULT false,
  -- Events up to this seq have had their turn; beyond `until_seq` there are none that are meant.
  cursor_seq bigint NOT NULL,
  until_seq bigint NOT NULL,
  status text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETED')),
  queued bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  UNIQUE (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, endpoint_id)
    REFERENCES webhook_endpoints (customer_id, environment, id)
);
CREATE INDEX webhook_replays_newest_first ON webhook_replays (endpoint_id, seq DESC);
CREATE INDEX webhook_replays_running ON webhook_replays (endpoint_id, seq) WHERE status = 'RUNNING';
-- What an endpoint missed is read once, by one replay, however often it is disabled meanwhile.
CREATE UNIQUE INDEX one_catching_up ON webhook_replays (endpoint_id)
  WHERE status = 'RUNNING' AND reason = 'MISSED';
CALL secure_scoped_table('webhook_replays');
GRANT INSERT, UPDATE ON webhook_replays TO causeway_app;
