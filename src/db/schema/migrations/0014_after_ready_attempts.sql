-- The wider index of 0013 says more.
DROP INDEX one_open_attempt_a_payment;
ALTER TABLE settlement_attempts VALIDATE CONSTRAINT settlement_attempts_phase_check;
ALTER TABLE settlement_attempts VALIDATE CONSTRAINT nothing_of_ready_was_sent;
