-- Lines from before they knew their place.
UPDATE ledger_entries e SET seq = t.seq,
  kind = CASE WHEN EXISTS (
    SELECT FROM ledger_entries pair WHERE pair.transaction_id = e.transaction_id
      AND (pair.line - 1) / 2 = (e.line - 1) / 2 AND pair.account = 'fees')
    THEN 'FEE' ELSE t.kind END
FROM ledger_transactions t WHERE t.id = e.transaction_id AND e.seq IS NULL;
