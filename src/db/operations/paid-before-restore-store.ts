import type { Environment } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/**
 * What is known, outside of its payment, of a transfer that was sent before the restore. SEEN: `place`, which is a
 * statement, a callback or a network, has it. UNSURE: networks may have it, for their hot addresses were not all looked
 * at since a restore.
 */
export type PaidBeforeRestore =
  | { readonly kind: 'SEEN'; readonly place: string; readonly reference: string }
  | { readonly kind: 'UNSURE'; readonly networks: readonly string[] };

interface FoundRow {
  readonly word: PaidBeforeRestore['kind'] | null;
  readonly place: string | null;
  readonly reference: string | null;
}

/**
 * The word about the reference of a payment's attempt, or of any other attempt of it; but for `exceptNetwork`. Null:
 * nothing is known.
 */
export async function findPaidBeforeRestore(
  tx: ScopedTransaction,
  environment: Environment,
  reference: string,
  exceptNetwork: string | null,
): Promise<PaidBeforeRestore | null> {
  const [row] = await tx.query<FoundRow>(
    'SELECT word, place, reference FROM find_paid_before_restore($1, $2, $3)',
    [environment, reference, exceptNetwork],
  );
  if (row === undefined) throw new Error(`nothing is said of ${reference}`);
  const { word, place } = row;
  if (word === null) return null;
  if (place === null) throw new Error(`${word}, but not where, of ${reference}`);
  if (word === 'UNSURE') return { kind: word, networks: place.split(' ') };
  return { kind: word, place, reference: row.reference ?? reference };
}
