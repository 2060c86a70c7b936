import { recordAudit } from '../../src/db/operations/audit-store.ts';
import { sealAuditLog } from '../../src/modules/operations/seal-audit-log.ts';
import type { TestDatabase } from './database.ts';
import { createTestVault } from './test-vault.ts';

/** Writes acts down and seals them. */
export function auditLogOf(
  { db }: Pick<TestDatabase, 'db'>,
  now: () => Date = () => new Date(),
  vault = createTestVault(),
) {
  const heads: { readonly seal: string; readonly rows: number; readonly hash: string }[] = [];
  const heldUp: number[] = [];
  return {
    /** How many transactions still wrote, each time that nothing could be sealed. */
    heldUp,
    /** The seals that were made, as the worker logs them. */
    heads,
    act: (subject: string, details: Readonly<Record<string, unknown>> = {}) =>
      db.system((tx) =>
        recordAudit(tx, {
          ...{ at: now(), actor: { kind: 'OPERATOR', name: 'ada' }, action: 'release.stop' },
          ...{ scope: { customerId: null, environment: null }, subject, details },
        }),
      ),
    /** Waits for no transaction that still writes. */
    seal: () =>
      sealAuditLog({
        ...{ db, vault, clock: { now }, writersWaitMs: 0 },
        onSealed: (head) => void heads.push(head),
        onHeldUp: (writers) => void heldUp.push(writers),
      }),
  };
}
