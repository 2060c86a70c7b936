import { recordAudit } from '../../db/operations/audit-store.ts';
import type { Database, SystemTransaction } from '../../db/client/database.ts';
import type { ReleaseAct } from '../../db/operations/release-stop-store.ts';
import { beginRestoreMode, endRestoreMode } from '../../db/operations/restore-mode-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { actOnRelease, type ReleaseDecision } from './act-on-release.ts';

const SWITCHES = {
  begin: { write: beginRestoreMode, action: 'restore.begin' },
  end: { write: endRestoreMode, action: 'restore.end' },
} as const;

/**
 * Begins or ends restore mode, and answers false where it is so already. Once it has begun, no claim
 * commits that has not seen it.
 */
export function switchRestoreMode(
  deps: { readonly db: Database; readonly clock: Clock },
  to: keyof typeof SWITCHES,
  decision: ReleaseDecision,
): Promise<boolean> {
  const { write, action } = SWITCHES[to];
  return actOnRelease(deps, decision, async (tx, act) => {
    const isNew = await write(tx, act);
    if (isNew) await audit(tx, act, action);
    return isNew;
  });
}

const audit = (tx: SystemTransaction, act: ReleaseAct, action: string): Promise<void> =>
  recordAudit(tx, {
    at: act.at,
    actor: act.actor,
    action,
    scope: { customerId: null, environment: null },
    subject: 'restore_mode',
    details: { reason: act.reason },
  });
