import type { OperatorAct } from '../../approvals/propose-approval.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  disableOperatorRow,
  findOperator,
  lockAdmins,
} from '../../../db/customers/operator-list-store.ts';
import type { Clock } from '../../../domain/clock.ts';

/** What became of it. LAST_ADMIN: no one could confirm or disable an account in the console after that. */
export type Disabling = 'DONE' | 'NOT_ACTIVE' | 'OWN' | 'LAST_ADMIN';

/**
 * Ends an operator's account, by one admin or a command, and at once: its sessions end in the same transaction, and
 * what it proposed cannot be approved any more. No operator disables their own account, nor that of the last admin who
 * is confirmed.
 */
export function disableOperator(
  deps: { readonly db: Database; readonly clock: Clock },
  id: string,
  { operator, reason }: OperatorAct,
): Promise<Disabling> {
  return deps.db.system(async (tx) => {
    if (id === operator) return 'OWN';
    if ((await findOperator(tx, id))?.role === 'ADMIN') {
      const admins = await lockAdmins(tx);
      if (admins.length === 1 && admins[0] === id) return 'LAST_ADMIN';
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
