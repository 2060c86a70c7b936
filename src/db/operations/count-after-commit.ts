import type { Happening } from '../../domain/happening.ts';
import type { AfterCommit, ScopedTransaction } from '../client/database.ts';

const HAPPENED = 'happened';

/**
 * Has something counted once the transaction has committed. `id` tells one happening of a kind from another: a payment,
 * and its version where that can happen again.
 */
export function countAfterCommit(tx: ScopedTransaction, id: string, happening: Happening): void {
  tx.afterCommit({ kind: HAPPENED, id: `${happening.kind}/${id}`, happening });
}

/** What a committed transaction has to have counted. */
export const happeningsOf = (tasks: readonly AfterCommit[]): Happening[] =>
  tasks.flatMap(({ happening }) => happening ?? []);
