-- Apart from where they are added: these look at every row while payments go on.
ALTER TABLE wallets VALIDATE CONSTRAINT wallets_screening_match_check;
ALTER TABLE wallets VALIDATE CONSTRAINT clear_wallets_have_no_review;
ALTER TABLE wallets VALIDATE CONSTRAINT wallet_review_of_its_own;
