import type { StatementWord } from '../../domain/payments/confirm-outcome.ts';
import type { Environment } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** What booked statement lines, judged or not, say of transfers with these references. */
export async function findStatementWord(
  tx: ScopedTransaction,
  environment: Environment,
  references: readonly string[],
): Promise<StatementWord> {
  const rows = await tx.query<{ word: StatementWord }>('SELECT statement_word($1, $2) AS word', [
    environment,
    [...references],
  ]);
  return rows[0]?.word ?? null;
}
