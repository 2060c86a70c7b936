import type { ScopedTransaction } from '../client/database.ts';

/** The sealed names of a customer's users, those of these ids that it has. */
export function listUserNames(
  tx: ScopedTransaction,
  customerId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly name: Buffer }[]> {
  return tx.query('SELECT id, name FROM users WHERE customer_id = $1 AND id = ANY ($2)', [
    customerId,
    [...ids],
  ]);
}
