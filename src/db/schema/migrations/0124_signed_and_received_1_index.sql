-- no transaction
-- What was signed within the last hour: the caps of signers are asked for with every signature.
CREATE INDEX CONCURRENTLY chain_transactions_signed ON chain_transactions (environment, network, signed_at)
  WHERE number = 0;
