-- Up to which block an address is read again that was found wrong: what ends before its end is gone on with.
ALTER TABLE chain_address_checks ADD COLUMN read_again_to bigint;
GRANT UPDATE (read_again_to) ON chain_address_checks TO causeway_system;
