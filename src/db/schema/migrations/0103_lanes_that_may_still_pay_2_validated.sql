-- Keeps no writer waiting.
ALTER TABLE chain_nonces VALIDATE CONSTRAINT chain_nonces_check;
