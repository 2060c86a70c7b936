import type { OperatorAct } from '../../approvals/propose-approval.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import { confirmOperatorRow } from '../../../db/customers/operator-list-store.ts';
import type { Clock } from '../../../domain/clock.ts';

/**
 * Lets an account that a command made approve, by an admin who is another one; the database looks at the
 * admin. False where the account is not ACTIVE, is confirmed already, or is the admin's own.
 */
export function confirmOperator(
  deps: { readonly db: Pick<Database, 'system'>; readonly clock: Clock },
  id: string,
  { operator, reason }: OperatorAct,
): Promise<boolean> {
  return deps.db.system(async (tx) => {
    const at = deps.clock.now();
    if (id === operator || !(await confirmOperatorRow(tx, id, { by: operator, at }))) return false;
    await recordAudit(tx, {
      ...{ at, actor: { kind: 'OPERATOR', name: operator }, action: 'operator.confirm' },
      scope: { customerId: null, environment: null },
      ...{ subject: id, details: { reason } },
    });
    return true;
  });
}
