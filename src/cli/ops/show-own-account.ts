import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import {
  bankAccountRow,
  type BankAccountPersonal,
} from '../../modules/parties/bank-accounts/bank-account-personal.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { findBankAccount } from '../../db/parties/bank-account-store.ts';
import { findOwnAccountScope } from '../../db/parties/own-account-store.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

/** A customer's own account as the second operator must see it: holder and digits. Who looked is audited. */
export async function showOwnAccount(
  deps: OpsDeps,
  id: string,
  { operator, reason }: OperatorAct,
): Promise<number> {
  const scope = await deps.db.system((tx) => findOwnAccountScope(tx, id));
  const row = scope && (await deps.db.read(scope, (tx) => findBankAccount(tx, scope, id)));
  if (scope === null || row === null) {
    throw new PlainError(`${id} is not a customer's own account.`);
  }
  await deps.db.system((tx) =>
    recordAudit(tx, {
      at: deps.clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'own_account.show',
      scope,
      subject: id,
      details: { reason },
    }),
  );
  const { holderName, holderAddress, details } = deps.vault
    .of(row)
    .openJson<BankAccountPersonal>(row.personal, bankAccountRow(id));
  const address = Object.entries(holderAddress ?? {}).map(([name, value]) => [name, String(value)]);
  deps.print(
    table(
      [id, row.status],
      [
        ...[['customer', `${scope.customerId} (${scope.environment})`]],
        ...[['account', `${row.country} ${row.currency} ${row.rail}`]],
        ...[['holder', `${holderName} (${row.holderType})`], ...address],
        ...Object.entries(details),
        ...[['name check', row.nameCheck]],
      ],
    ),
  );
  return 0;
}
