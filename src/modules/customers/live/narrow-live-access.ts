import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { sayWhyRefused } from '../../approvals/decide-approval.ts';
import type { OperatorAct } from '../../approvals/propose-approval.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  declineLiveRequest,
  withdrawLiveAccess as withdraw,
} from '../../../db/customers/live-access-store.ts';
import type { LiveRequestRow } from '../../../db/customers/live-request-store.ts';
import { liveScope } from './company.ts';
import { mailLiveDecision, type LiveMailDeps } from './mail-live-decision.ts';

/**
 * Declines a request, by one operator; the reason is for the customer to read. Answers the ids of the owners'
 * mails, to be handed on after the commit. Throws ApprovalRefused where it was decided before.
 */
export async function declineLiveAccess(
  deps: LiveMailDeps,
  tx: SystemTransaction,
  { id, customerId }: Pick<LiveRequestRow, 'id' | 'customerId'>,
  { operator, reason }: OperatorAct,
): Promise<string[]> {
  const at = deps.clock.now();
  const decision = { operator, reason, at };
  if (!(await declineLiveRequest(tx, id, decision).catch(sayWhyRefused))) {
    throw new ApprovalRefused('The request was already decided.');
  }
  await recordAudit(tx, {
    ...{ at, actor: { kind: 'OPERATOR', name: operator }, action: 'live_access.decline' },
    ...{ scope: liveScope(customerId), subject: id, details: { reason } },
  });
  return mailLiveDecision(deps, tx, customerId, 'DECLINED');
}

/**
 * Takes a customer's live access away, by one operator and at once: each request looks its key up, so every
 * process refuses its live keys from the commit on. Payments that were accepted go on; suspending the customer
 * holds these. Answers and throws as `declineLiveAccess`.
 */
export async function withdrawLiveAccess(
  deps: LiveMailDeps,
  tx: SystemTransaction,
  customerId: string,
  { operator, reason }: OperatorAct,
): Promise<string[]> {
  const at = deps.clock.now();
  if (!(await withdraw(tx, customerId, { operator, reason, at }))) {
    throw new ApprovalRefused('The customer has no live access.');
  }
  await recordAudit(tx, {
    ...{ at, actor: { kind: 'OPERATOR', name: operator }, action: 'live_access.withdraw' },
    ...{ scope: liveScope(customerId), subject: customerId, details: { reason } },
  });
  return mailLiveDecision(deps, tx, customerId, 'WITHDRAWN');
}
