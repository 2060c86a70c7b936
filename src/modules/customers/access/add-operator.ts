import type { Database } from '../../../db/client/database.ts';
import { findOperator } from '../../../db/customers/operator-list-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { OperatorRole } from '../../../domain/customers/access/operator-rights.ts';
import { tellOperators } from '../mail/tell-operators.ts';
import { addOperator } from './add-person.ts';

type AddDeps = Parameters<typeof addOperator>[0] &
  Parameters<typeof tellOperators>[0] & {
    readonly db: Pick<Database, 'system'>;
    readonly opsUrl: string;
  };

/**
 * Adds an operator's account by a command, with the mails to those who watch over accounts. Answers its id, and
 * whether it needs no confirmation; null where an operator has the address.
 */
export function addOperatorByCommand(
  deps: AddDeps,
  data: { readonly address: string; readonly name: string; readonly role: OperatorRole },
  operator: string,
): Promise<{ readonly id: string; readonly isConfirmed: boolean } | null> {
  return deps.db.system(async (tx) => {
    const id = await addOperator(deps, tx, data);
    if (id === null) return null;
    await recordAudit(tx, {
      at: deps.clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'operator.add',
      scope: { customerId: null, environment: null },
      subject: id,
      details: { role: data.role },
    });
    const confirmed = (await findOperator(tx, id))?.confirmedAt ?? null;
    const facts = {
      ...{ operatorId: id, role: data.role, isConfirmed: confirmed !== null },
      url: `${deps.opsUrl}/operators`,
    };
    // Who has a shell must not make a second operator unseen. The reconciler sends the mails.
    const watching = { roles: ['ADMIN', 'COMPLIANCE'], but: id };
    await tellOperators(deps, tx, watching, { kind: 'OPS_OPERATOR_ADDED', facts });
    return { id, isConfirmed: confirmed !== null };
  });
}
