import { proposeApproval, type OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { BankAccountRow } from '../../db/parties/bank-account-store.ts';
import { findOwnEntity } from '../../db/parties/end-user-store.ts';
import { ownAccountContent } from '../../modules/parties/bank-accounts/activate-own-account.ts';
import { checkHolderName } from '../../modules/parties/bank-accounts/check-holder-name.ts';
import { createBankAccount } from '../../modules/parties/bank-accounts/create-bank-account.ts';
import type { BankAccountOrder } from '../../modules/parties/bank-accounts/judge-bank-account.ts';
import type { Scope } from '../../domain/scope.ts';
import { NewBankAccount } from '../../api/schemas/bank-account.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { tellHandedIn } from './handed-in.ts';
import { readJson, requireShape } from './json-file.ts';
import { sayRefusal } from './say-refusal.ts';

/** Stores a customer's own account, PENDING, and proposes it to a second operator. */
export async function proposeOwnAccount(
  deps: OpsDeps,
  scope: Scope,
  file: string,
  { wait, ...act }: OperatorAct & { readonly wait?: true },
): Promise<number> {
  const said = readJson(file);
  const entity = await deps.db.read(scope, (tx) => findOwnEntity(tx, scope));
  if (entity === null) {
    throw new PlainError(
      'The customer has no own entity in this environment. See customers set-own-entity.',
    );
  }
  const order = requireShape(NewBankAccount, { ...Object(said), endUserId: entity.id }, file);
  const row = await storePending(deps, scope, order, act).catch(sayRefusal);
  const id = await proposeApproval(deps, scope, ownAccountContent(row), act);
  if (id === null) throw new PlainError(`A proposal about ${row.id} is already open.`);
  const lines = [
    `${row.id} is PENDING. Name check: ${row.nameCheck}.`,
    `Review the account before you approve it: npm run ops -- customers show-own-account ${row.id} --reason <text>`,
  ];
  deps.print(lines.join('\n'));
  return tellHandedIn(deps, id, wait === true);
}

async function storePending(
  deps: OpsDeps,
  scope: Scope,
  order: BankAccountOrder,
  { operator, reason }: OperatorAct,
): Promise<BankAccountRow> {
  const nameCheck = await checkHolderName(deps, scope, order, true);
  return deps.db.write(scope, async (tx) => {
    const registration = { nameCheck, isProposal: true };
    const { row, isNew } = await createBankAccount(deps, tx, scope, order, registration);
    if (!isNew) throw new PlainError(`The customer already has this account: ${row.id}, ACTIVE.`);
    await recordAudit(tx, {
      at: deps.clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'own_account.add',
      scope,
      subject: row.id,
      details: { reason, fingerprint: row.fingerprint },
    });
    return row;
  });
}
