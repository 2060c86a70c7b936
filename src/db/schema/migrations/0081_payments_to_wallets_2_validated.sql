-- Keeps no writer waiting.
ALTER TABLE payments VALIDATE CONSTRAINT payments_wallet_fkey;
ALTER TABLE payments VALIDATE CONSTRAINT an_account_or_a_wallet;
ALTER TABLE payments VALIDATE CONSTRAINT wallets_are_paid_over_networks;
ALTER TABLE payments VALIDATE CONSTRAINT wallets_are_paid_in_assets;
