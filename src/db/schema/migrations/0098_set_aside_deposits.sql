-- Transfers to our addresses that the database refused to book. The reader goes on without them, and tries them again:
-- a row stands for as long as one is not in the books.
CREATE TABLE set_aside_deposits (
  environment text NOT NULL CHECK (environment IN ('test', 'live')),
  network text NOT NULL CHECK (network IN ('ETHEREUM', 'BASE', 'OPTIMISM', 'ARBITRUM', 'POLYGON')),
  tx_hash text NOT NULL CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- The log's place within its own receipt.
  ordinal integer NOT NULL CHECK (ordinal >= 0),
  -- In the mixed case of EIP-55.
  to_address text NOT NULL CHECK (to_address ~ '^0x[0-9a-fA-F]{40}$'),
  -- The SQLSTATE that it was refused with last.
  why text NOT NULL CHECK (why ~ '^[0-9A-Z]{5}$'),
  tries integer NOT NULL DEFAULT 1 CHECK (tries > 0),
  since timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (environment, network, tx_hash, ordinal)
);
CREATE INDEX set_aside_deposits_due ON set_aside_deposits (environment, network, next_at);
ALTER TABLE set_aside_deposits ENABLE ROW LEVEL SECURITY;
ALTER TABLE set_aside_deposits FORCE ROW LEVEL SECURITY;
CREATE POLICY system_sees_all ON set_aside_deposits TO causeway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE (why, tries, tried_at, next_at), DELETE ON set_aside_deposits TO causeway_system;
