CREATE TABLE events (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  type text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  resource_version integer NOT NULL,
  -- The exact bytes that are signed and sent, whatever endpoint and attempt.
  body text NOT NULL CHECK (octet_length(body) <= 20000),
  created_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id),
  CONSTRAINT one_event_a_version UNIQUE (resource_id, resource_version)
);
CREATE INDEX events_newest_first ON events (customer_id, environment, seq DESC);
CREATE INDEX events_by_type ON events (customer_id, environment, type, seq DESC);
CALL secure_scoped_table('events');
GRANT INSERT ON events TO causeway_app;
CREATE TRIGGER events_are_append_only BEFORE UPDATE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE webhook_endpoints (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  customer_id text NOT NULL REFERENCES customers,
  environment text NOT NULL,
  url text NOT NULL,
  types text[] NOT NULL,
  description text,
  secret bytea NOT NULL,
  status text NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED', 'DELETED')),
  -- True from the first undelivered event until a drain begins: only the flip wakes its workflow.
  wake_pending boolean NOT NULL DEFAULT false,
  is_slow boolean NOT NULL DEFAULT false,
  failing_since timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (customer_id, environment, id)
);
CREATE INDEX webhook_endpoints_newest_first
  ON webhook_endpoints (customer_id, environment, seq DESC);
CALL secure_scoped_table('webhook_endpoints');
GRANT INSERT, UPDATE ON webhook_endpoints TO causeway_app;

CREATE TABLE webhook_deliveries (
  customer_id text NOT NULL,
  environment text NOT NULL,
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  resource_id text NOT NULL,
  resource_version integer NOT NULL,
  status text NOT NULL DEFAULT 'PENDING'
    CHECK (status IN ('PENDING', 'DELIVERED', 'EXHAUSTED')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  last_attempt_at timestamptz,
  last_status_code integer,
  last_error text,
  delivered_at timestamptz,
  PRIMARY KEY (endpoint_id, event_id),
  FOREIGN KEY (customer_id, environment, endpoint_id)
    REFERENCES webhook_endpoints (customer_id, environment, id),
  FOREIGN KEY (customer_id, environment, event_id) REFERENCES events (customer_id, environment, id)
);
-- First deliveries go out in the order of their events, later attempts when they are due.
CREATE INDEX webhook_deliveries_first ON webhook_deliveries (endpoint_id, seq)
  WHERE status = 'PENDING' AND attempts = 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at, seq)
  WHERE status = 'PENDING' AND attempts > 0;
CALL secure_scoped_table('webhook_deliveries');
GRANT INSERT, UPDATE ON webhook_deliveries TO causeway_app;
