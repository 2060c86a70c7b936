-- What is on its way to a customer, and counts for nothing yet: it moves with the ledger's lines, as the others do.
ALTER TABLE balances ADD CONSTRAINT pending_is_never_negative CHECK (pending >= 0) NOT VALID;
