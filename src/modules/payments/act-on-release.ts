import type { Database, SystemTransaction } from '../../db/client/database.ts';
import { isReleaseBusy } from '../../db/operations/release-busy.ts';
import type { ReleaseAct } from '../../db/operations/release-stop-store.ts';
import type { Clock } from '../../domain/clock.ts';

/** Each waits 5 s for the payments that are being released. */
const TRIES = 3;

/** What an operator decided about the release of payments, and why. */
export interface ReleaseDecision {
  readonly operator: string;
  readonly reason: string;
}

/**
 * Does an operator's act in one transaction, and again where its lock was not free in time. Throws
 * what `isReleaseBusy` tells after 15 s.
 */
export async function actOnRelease<Result>(
  deps: { readonly db: Database; readonly clock: Clock },
  { operator, reason }: ReleaseDecision,
  work: (tx: SystemTransaction, act: ReleaseAct) => Promise<Result>,
): Promise<Result> {
  const actor = { kind: 'OPERATOR', name: operator } as const;
  for (let attempt = 1; ; attempt += 1) {
    const at = deps.clock.now();
    try {
      return await deps.db.system((tx) => work(tx, { actor, at, reason }));
    } catch (error) {
      if (attempt >= TRIES || !isReleaseBusy(error)) throw error;
    }
  }
}
