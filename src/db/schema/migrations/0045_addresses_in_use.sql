-- no transaction
-- As payment_fundings_changed: standing addresses that are in use.
CREATE INDEX CONCURRENTLY deposit_addresses_watched ON deposit_addresses (environment) WHERE status = 'ACTIVE';
