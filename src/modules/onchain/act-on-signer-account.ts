import { actByApproval, type ActDeps } from '../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../approvals/approval-refused.ts';
import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { scopeOfSignerAccount } from './signer-account-name.ts';

/**
 * Does with a signer account, or the stop of a network, what two operators agreed on, approval and audit row in one
 * transaction. Throws ApprovalRefused where it has changed since the proposal, and what `act` throws.
 */
export function actOnSignerAccount<Result>(
  deps: ActDeps,
  approval: ApprovalRow,
  action: string,
  act: (tx: ScopedTransaction, at: Date) => Promise<Result>,
): Promise<Result> {
  const { subjectId: subject, subjectVersion: version } = approval;
  return actByApproval(deps, scopeOfSignerAccount(subject), approval, {
    action,
    subject,
    // The database compares the version: another freezing since then is a change in between.
    lock: () => Promise.resolve({ it: null, version }),
    act: (tx, _none, { at }) => act(tx, at).catch(sayIfChanged),
  });
}

function sayIfChanged(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '23514') {
    throw new ApprovalRefused('It has changed since the proposal. Propose it again.');
  }
  throw error;
}
