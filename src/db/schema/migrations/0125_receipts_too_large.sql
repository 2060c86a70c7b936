-- A transaction is set aside as well whose receipt is too large to be read. It stands under the place 0 with the address
-- that was listed; once the receipt is read, what the database refuses at that place may have come to another one.
ALTER TABLE set_aside_deposits
  DROP CONSTRAINT set_aside_deposits_why_check,
  ADD CONSTRAINT set_aside_deposits_why_check CHECK (why ~ '^[0-9A-Z]{5}$' OR why = 'TOO_LARGE');
GRANT UPDATE (to_address) ON set_aside_deposits TO causeway_system;
