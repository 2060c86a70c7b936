-- no transaction
-- As payment_fundings_changed: standing addresses that were in use lately.
CREATE INDEX CONCURRENTLY deposit_addresses_changed ON deposit_addresses (environment, updated_at);
