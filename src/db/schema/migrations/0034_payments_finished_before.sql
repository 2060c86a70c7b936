-- no transaction
-- The same for payments of the version before, which knows no due time. Empty once they are final.
CREATE INDEX CONCURRENTLY payments_finished_before ON payments (environment, updated_at, id)
  WHERE finality = 'PROVISIONAL' AND reconciliation_status = 'RECONCILED' AND final_due_at IS NULL;
