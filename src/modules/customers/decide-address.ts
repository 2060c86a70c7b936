import { ApprovalRefused } from '../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../approvals/propose-approval.ts';
import { useApproval } from '../approvals/use-approval.ts';
import { withinTransaction } from '../approvals/within-transaction.ts';
import {
  decideKeyAddress,
  lockAddressToDecide,
  type AddressToDecide,
} from '../../db/customers/address-decision-store.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import type { ApprovalContent } from '../../domain/approvals/approval.ts';
import type { Clock } from '../../domain/clock.ts';
import { mailAboutKey, type KeyDeps } from './key-mails.ts';

/** What two operators approve: this range, for this key. The database compares it with the address. */
const addressContent = (address: AddressToDecide): ApprovalContent => ({
  action: 'ADDRESS',
  subjectId: address.id,
  subjectVersion: address.version,
  content: { apiKeyId: address.apiKeyId, range: address.range },
});

/**
 * Proposes an address that waits to a second operator, in the caller's transaction. Answers the approval's
 * id; null where a proposal about it waits already. Throws ApprovalRefused where it waits no more.
 */
export async function proposeAddress(
  { clock, ...told }: { readonly clock: Clock } & Pick<ApprovalDeps, 'tellApprovers'>,
  tx: SystemTransaction,
  id: string,
  act: OperatorAct,
): Promise<string | null> {
  const address = await lockWaiting(tx, id, clock.now());
  const deps = { ...told, db: withinTransaction(tx), clock };
  return proposeApproval(deps, scopeOf(address), addressContent(address), act);
}

/**
 * Gives an approval of an address its effect, in the transaction that uses it: the key may be used from
 * there. Answers the mails to the owners. Throws ApprovalRefused where the address waits no more, or the
 * approval was used before; the database refuses one that is not of two operators.
 */
export async function approveAddress(
  deps: KeyDeps,
  tx: SystemTransaction,
  approval: ApprovalRow,
): Promise<readonly string[]> {
  const at = deps.clock.now();
  const address = await lockWaiting(tx, approval.subjectId, at);
  const scope = scopeOf(address);
  await useApproval(tx, scope, approval, address.version, at);
  const decidedBy = approval.decidedBy ?? '';
  await decideKeyAddress(tx, address.id, {
    ...{ status: 'APPROVED', decidedBy: `operator:${decidedBy}`, reason: null, at },
  }).catch(sayIfRefused);
  await recordAudit(tx, {
    ...{ at, actor: { kind: 'OPERATOR', name: decidedBy }, scope, subject: address.id },
    action: 'key_address.approved',
    details: { apiKeyId: address.apiKeyId, range: address.range, approvalId: approval.id },
  });
  return mailDecision(deps, tx, address, true);
}

/**
 * Declines an address that waits, with a reason that the customer reads: one operator, for nothing widens.
 * Answers the mails to the owners. Throws ApprovalRefused where it waits no more.
 */
export async function declineAddress(
  deps: KeyDeps,
  tx: SystemTransaction,
  id: string,
  { operator, reason }: OperatorAct,
): Promise<readonly string[]> {
  const at = deps.clock.now();
  const address = await lockWaiting(tx, id, at);
  await decideKeyAddress(tx, id, {
    ...{ status: 'REJECTED', decidedBy: `operator:${operator}`, reason, at },
  });
  await recordAudit(tx, {
    ...{ at, actor: { kind: 'OPERATOR', name: operator }, scope: scopeOf(address), subject: id },
    action: 'key_address.declined',
    details: { apiKeyId: address.apiKeyId, range: address.range, reason },
  });
  return mailDecision(deps, tx, address, false);
}

async function lockWaiting(tx: SystemTransaction, id: string, at: Date): Promise<AddressToDecide> {
  const address = await lockAddressToDecide(tx, id, at);
  if (address === null) throw new ApprovalRefused(`There is no address ${id}.`);
  if (address.status === 'PENDING') return address;
  throw new ApprovalRefused(
    `${address.range} is no longer pending. Its status is ${address.status}.`,
  );
}

const scopeOf = ({ customerId, environment }: AddressToDecide) => ({ customerId, environment });

const mailDecision = (
  deps: KeyDeps,
  tx: SystemTransaction,
  address: AddressToDecide,
  isApproved: boolean,
): Promise<string[]> =>
  mailAboutKey(deps, tx, scopeOf(address), {
    kind: 'RANGE_DECIDED',
    key: { id: address.apiKeyId, name: address.keyName },
    more: { range: address.range, isApproved },
  });

/** An operator whose account was disabled since, or whose role is another one now, counts no more. */
function sayIfRefused(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== '23514') throw error;
  throw new ApprovalRefused('Two active compliance operators must decide.');
}
