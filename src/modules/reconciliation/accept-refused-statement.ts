import { recordAudit } from '../../db/operations/audit-store.ts';
import type { Database } from '../../db/client/database.ts';
import {
  acceptRefusedStatement as accept,
  type StatementOrigin,
} from '../../db/reconciliation/statement-store.ts';
import type { Clock } from '../../domain/clock.ts';

/**
 * Takes a statement whose number was refused as not credible, once the bank has confirmed it to an
 * operator: it is read with the next fetch. Answers false where there is no such refused statement.
 */
export function acceptRefusedStatement(
  deps: { readonly db: Database; readonly clock: Clock },
  { environment, connector }: StatementOrigin,
  bankStatementId: string,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Promise<boolean> {
  return deps.db.system(async (tx) => {
    const origin = { environment, connector };
    if (!(await accept(tx, origin, bankStatementId))) return false;
    await recordAudit(tx, {
      at: deps.clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'statement.accept',
      scope: { customerId: null, environment },
      subject: `${connector}/${bankStatementId}`,
      details: { reason },
    });
    return true;
  });
}
