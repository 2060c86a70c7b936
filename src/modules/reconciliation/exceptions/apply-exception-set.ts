import { findApprovalOfSet, type ApprovalRow } from '../../../db/approvals/approval-store.ts';
import type { Database, SystemTransaction } from '../../../db/client/database.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { decideApproval, isCutOff, lockKnown } from '../../approvals/decide-approval.ts';
import { proposeApproval } from '../../approvals/propose-approval.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import { voidRefused } from '../../approvals/void-approval.ts';
import { withinTransaction } from '../../approvals/within-transaction.ts';
import { applyExceptionAct, type ApplyExceptionDeps } from './apply-exception-act.ts';
import { isSameItem, readSetItems, type SetItem } from './exception-set.ts';
import { findShownException } from './find-shown-exception.ts';

interface SetDeps extends ApplyExceptionDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export interface AppliedSet {
  readonly done: number;
  readonly skipped: readonly string[];
}

/**
 * Ends the exceptions of an approved set, each in transactions of its own and judged anew. Each gets an approval of its own,
 * of the same two operators, in the transaction that judges it. What changed since is skipped. The approval of the set is
 * used last: where this is cut off, the same again continues, and does nothing twice. Throws ApprovalRefused where the set
 * is void, in effect, or run out.
 */
export async function applyExceptionSet(deps: SetDeps, set: ApprovalRow): Promise<AppliedSet> {
  const { db, clock } = deps;
  const skipped: string[] = [];
  let done = 0;
  for (const item of readSetItems(set)) {
    const why = await applyItem(deps, set, item);
    if (why === null) done += 1;
    else skipped.push(`${item.exceptionId}: ${why}`);
  }
  const scope = { customerId: set.customerId, environment: set.environment };
  await db.write(scope, async (tx) => {
    const at = clock.now();
    await useApproval(tx, scope, set, set.subjectVersion, at);
    await recordAudit(tx, {
      ...{ at, actor: { kind: 'OPERATOR', name: set.decidedBy ?? '' }, scope },
      ...{ action: 'exception.set', subject: set.id, details: { done, skipped } },
    });
  });
  return { done, skipped };
}

/** Null where the act is in effect; otherwise why the exception is skipped. */
async function applyItem(deps: SetDeps, set: ApprovalRow, item: SetItem): Promise<string | null> {
  const own = await deps.db.system((tx) => approveItem(deps, tx, set, item));
  if (typeof own === 'string') return own;
  if (own.usedAt !== null) return null;
  if (own.voidAt !== null) return own.voidReason ?? 'void';
  try {
    await applyExceptionAct(deps, own);
    return null;
  } catch (error) {
    if (!(error instanceof ApprovalRefused)) throw error;
    const why = { operator: set.decidedBy ?? '', reason: error.message };
    if (await voidRefused(deps, own, why)) return error.message;
    // Another run of the same set was quicker.
    const now = await deps.db.system((tx) => findApprovalOfSet(tx, set.id, item.exceptionId));
    return now?.usedAt instanceof Date ? null : error.message;
  }
}

/** The approval of one item, made of the two words about the set; or why there is none. */
async function approveItem(
  { clock }: SetDeps,
  tx: SystemTransaction,
  set: ApprovalRow,
  item: SetItem,
): Promise<ApprovalRow | string> {
  // Nobody withdraws the set, and no other run does the same item, until this transaction has ended.
  const known = await lockKnown(tx, set.id);
  if (!isCutOff(known)) throw new ApprovalRefused('The set is in effect already, or void.');
  const made = await findApprovalOfSet(tx, set.id, item.exceptionId);
  if (made !== null) return made;
  const shown = await findShownException(tx, item.exceptionId);
  if (shown === null) return 'it is no exception any more';
  if (shown.endedBy !== null) return `act ${shown.endedBy} has ended it`;
  const { suggestion } = shown;
  if (suggestion === null) return 'no rule fits any more';
  const { version, content } = suggestion;
  if (!isSameItem(item, { exceptionId: shown.id, version, content })) return 'it has changed since';
  const { proposedBy, decidedBy, reason, decisionReason, environment } = set;
  const scope = { customerId: String(content['customerId']), environment };
  const deciding = { db: withinTransaction(tx), clock, operatorKeys: 'SIGNED_AS_A_SET' } as const;
  const about = { subjectId: shown.id, subjectVersion: version };
  const id = await proposeApproval(
    deciding,
    scope,
    { action: 'EXCEPTION_ACT', ...about, content: { ...content, set: set.id } },
    { operator: proposedBy ?? '', reason },
  );
  if (id === null) return 'another proposal about it waits';
  const word = { operator: decidedBy ?? '', reason: decisionReason ?? reason };
  return decideApproval(deciding, id, 'APPROVED', word);
}
