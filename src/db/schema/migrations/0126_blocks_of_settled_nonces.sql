-- The block that holds the transaction of a nonce which is believed. While the nodes give fewer blocks than when it was
-- believed, that they do not show it says nothing. Null where a version before this one wrote the row.
ALTER TABLE chain_nonces ADD COLUMN mined_block bigint;
