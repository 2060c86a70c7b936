-- As payment_fundings_changed: standing addresses that are in use, and those that were lately.
CREATE INDEX deposit_addresses_watched ON deposit_addresses (environment) WHERE status = 'ACTIVE';
CREATE INDEX deposit_addresses_changed ON deposit_addresses (environment, updated_at);

-- The addresses that wait longest to be counted come first.
CREATE INDEX chain_address_checks_due ON chain_address_checks (environment, network, checked_at);

-- Up to which block an address is read again that was found wrong: what ends before its end is gone on with.
ALTER TABLE chain_address_checks ADD COLUMN read_again_to bigint;
GRANT UPDATE (read_again_to) ON chain_address_checks TO causeway_system;
