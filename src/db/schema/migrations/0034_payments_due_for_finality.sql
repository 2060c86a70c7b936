-- no transaction
-- What the schedule `finality` reads, first due first. A payment is in it from its statement line to its end.
CREATE INDEX CONCURRENTLY payments_due_for_finality ON payments (environment, final_due_at, id)
  WHERE finality = 'PROVISIONAL' AND reconciliation_status = 'RECONCILED'
    AND final_due_at IS NOT NULL;
