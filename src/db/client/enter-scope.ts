import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

/**
 * Goes on in another scope, in the same transaction: for an act of a customer's user on what
 * the platform account keeps about that customer, both of which are done or neither. Events are recorded in the scope it began in.
 */
export async function enterScope(tx: ScopedTransaction, scope: Scope): Promise<void> {
  await tx.query(
    `SELECT set_config('causeway.customer', $1, true), set_config('causeway.environment', $2, true)`,
    [scope.customerId, scope.environment],
  );
}
