-- no transaction
-- The addresses that wait longest to be counted come first.
CREATE INDEX CONCURRENTLY chain_address_checks_due ON chain_address_checks (environment, network, checked_at);
