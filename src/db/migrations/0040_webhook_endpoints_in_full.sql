-- When an endpoint was disabled, and why, and the last event (its seq) before that: what it missed since
-- then is sent once it is enabled again. Disabled by the version before: null.
ALTER TABLE webhook_endpoints
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN disabled_after bigint,
  ADD COLUMN disabled_reason text
    CHECK (disabled_reason IN ('REQUESTED', 'RECEIVER_GONE', 'FAILING')),
  -- Whether webhooks carry the ids of what happened in the place of its data.
  ADD COLUMN is_thin boolean NOT NULL DEFAULT false;

-- Every send and what came of it, in the order in which they were recorded. A process of the version
-- before records none.
CREATE TABLE webhook_attempts (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  -- Of its delivery; it begins anew where that is sent again on request.
  number integer NOT NULL CHECK (number > 0),
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  -- Null where no answer came.
  status_code integer,
  -- Null for a success.
  error text,
  -- The first 4 kB of the answer, sealed; null where it was empty.
  answer bytea,
  FOREIGN KEY (endpoint_id, event_id) REFERENCES webhook_deliveries (endpoint_id, event_id)
    ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (endpoint_id, event_id, id);
-- An endpoint's newest success, and how long the newest ones took.
CREATE INDEX webhook_attempts_successful ON webhook_attempts (endpoint_id, id DESC)
  WHERE error IS NULL;
CALL secure_scoped_table('webhook_attempts');
GRANT INSERT ON webhook_attempts TO causeway_app;
CREATE TRIGGER webhook_attempts_are_append_only BEFORE UPDATE ON webhook_attempts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Events that an endpoint is sent again, or for the first time, page by page in the order of the log.
CREATE TABLE webhook_replays (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  -- REQUESTED: also what was delivered. MISSED: what has no delivery yet, of an endpoint enabled again.
  reason text NOT NULL CHECK (reason IN ('REQUESTED', 'MISSED')),
  from_at timestamptz,
  to_at timestamptz,
  types text[],
  only_failed boolean NOT NULL DEFAULT false,
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
CALL secure_scoped_table('webhook_replays');
GRANT INSERT, UPDATE ON webhook_replays TO causeway_app;

-- An endpoint's deliveries, newest first, all of them or those of one status.
CREATE INDEX webhook_deliveries_newest_first
  ON webhook_deliveries (customer_id, environment, endpoint_id, seq DESC);
CREATE INDEX webhook_deliveries_by_status
  ON webhook_deliveries (customer_id, environment, endpoint_id, status, seq DESC);
