-- Browsers that a person has logged in with, by the keyed hash of their cookie. A known one has codes of its
-- own, so a stranger who spends an address's locks nobody out.
CREATE TABLE devices (
  device_hash bytea NOT NULL CHECK (octet_length(device_hash) = 32),
  person_id text NOT NULL CHECK (person_id ~ '^(usr|opr)_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (device_hash, person_id)
);
CREATE INDEX devices_by_expiry ON devices (expires_at);

-- A new address of somebody who is logged in, until its link is used. One a person: the next one takes its
-- place. Sealed for the row `address_changes/<person>/address`.
CREATE TABLE address_changes (
  person_id text PRIMARY KEY CHECK (person_id ~ '^(usr|opr)_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  address_hash bytea NOT NULL CHECK (octet_length(address_hash) = 32),
  address bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at <= created_at + interval '7 days')
);
CREATE INDEX address_changes_by_expiry ON address_changes (expires_at);

ALTER TABLE devices ENABLE ROW LEVEL SECURITY;
ALTER TABLE devices FORCE ROW LEVEL SECURITY;
ALTER TABLE address_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE address_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY every_device ON devices TO causeway_console USING (true) WITH CHECK (true);
CREATE POLICY every_address_change ON address_changes TO causeway_console
  USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON devices, address_changes TO causeway_console;

-- An owner may ask a passkey of all who log in for the customer.
ALTER TABLE customers ADD COLUMN requires_passkeys boolean NOT NULL DEFAULT false;

-- The token of a session is a new one after each act that was proven: what was copied before is worth nothing.
CREATE OR REPLACE FUNCTION guard_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL
      OR (to_jsonb(NEW) - 'last_used_at' - 'ended_at' - 'token_hash')
      IS DISTINCT FROM (to_jsonb(OLD) - 'last_used_at' - 'ended_at' - 'token_hash') THEN
    RAISE EXCEPTION 'session %: it is over, or not to be changed', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
GRANT UPDATE (token_hash) ON sessions TO causeway_console;
