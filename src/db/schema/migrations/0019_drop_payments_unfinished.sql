-- Unfinished payments are found by `payments_waiting`. A file of its own: no writer of payments waits for another table.
DROP INDEX payments_unfinished;
