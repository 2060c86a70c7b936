import type { OperatorAct } from '../approvals/propose-approval.ts';
import { recordAudit } from '../db/audit-store.ts';
import type { Database } from '../db/database.ts';
import {
  disableOperatorRow,
  findOperator,
  lockActiveOperators,
} from '../db/operator-list-store.ts';
import type { Clock } from '../domain/clock.ts';

/** What became of it. LAST_ADMIN: nobody could disable or be disabled in the console after that. */
export type Disabling = 'DONE' | 'NOT_ACTIVE' | 'OWN' | 'LAST_ADMIN';

/**
 * Ends an operator's account, by one admin and at once: its sessions end in the same transaction, and what it
 * proposed is approved by nobody any more. Nobody disables their own account.
 */
export function disableOperator(
  deps: { readonly db: Database; readonly clock: Clock },
  id: string,
  { operator, reason }: OperatorAct,
): Promise<Disabling> {
  return deps.db.system(async (tx) => {
    if (id === operator) return 'OWN';
    const found = await findOperator(tx, id);
    if (found?.role === 'ADMIN') {
      const admins = await lockActiveOperators(tx, 'ADMIN');
      if (admins.every((admin) => admin === id)) return 'LAST_ADMIN';
    }
    if (!(await disableOperatorRow(tx, id))) return 'NOT_ACTIVE';
    await recordAudit(tx, {
      at: deps.clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'operator.disable',
      scope: { customerId: null, environment: null },
      subject: id,
      details: { reason },
    });
    return 'DONE';
  });
}
