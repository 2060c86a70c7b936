-- no transaction
-- Nothing of a deposit moves twice, whoever reads the chain at the same time.
CREATE UNIQUE INDEX CONCURRENTLY a_deposit_moves_once_a_round
  ON ledger_transactions (deposit_id, deposit_round, kind) WHERE deposit_id IS NOT NULL;
