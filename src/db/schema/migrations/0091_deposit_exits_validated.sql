-- Keeps no writer waiting.
ALTER TABLE deposits VALIDATE CONSTRAINT deposits_reason_check;
