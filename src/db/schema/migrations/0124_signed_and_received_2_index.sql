-- no transaction
-- What came to an address: it is summed with each look at its balance.
CREATE INDEX CONCURRENTLY deposits_at_address ON deposits (environment, network, to_address);
