import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import { recordAudit, type AuditEntry } from '../../db/operations/audit-store.ts';
import type { Database, ScopedTransaction } from '../../db/client/database.ts';
import { actorText } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { useApproval } from './use-approval.ts';

/** What an act by an approval works with. */
export interface ActDeps {
  readonly db: Pick<Database, 'write'>;
  readonly clock: Clock;
}

/** The second operator's word, as rows of decisions keep it. */
interface ApprovedWord {
  /** `operator:opr_...` */
  readonly actor: string;
  readonly at: Date;
  /** Of the first operator. */
  readonly reason: string;
}

/** What two operators agreed on: how it is locked, done and named in the audit log. */
interface ApprovedAct<Locked, Result> extends Pick<AuditEntry, 'action' | 'subject'> {
  /** What the audit row says beside the approval, who proposed it and why. */
  readonly details?: Readonly<Record<string, string>>;
  /** Locks what is decided about, and answers it with the version it has now. Throws ApprovalRefused. */
  readonly lock: (
    tx: ScopedTransaction,
  ) => Promise<{ readonly version: number; readonly it: Locked }>;
  /** Does it; the approval is in use by then. Throws ApprovalRefused. */
  readonly act: (tx: ScopedTransaction, it: Locked, word: ApprovedWord) => Promise<Result>;
}

/**
 * Does what two operators agreed on, approval and audit row in one transaction. Throws ApprovalRefused where it has
 * changed since the proposal, and what `lock` and `act` throw; nothing is done then.
 */
export function actByApproval<Locked, Result>(
  { db, clock }: ActDeps,
  scope: Scope,
  approval: ApprovalRow,
  { action, subject, details, lock, act }: ApprovedAct<Locked, Result>,
): Promise<Result> {
  const actor = { kind: 'OPERATOR', name: approval.decidedBy ?? '' } as const;
  const { reason, proposedBy } = approval;
  return db.write(scope, async (tx) => {
    const at = clock.now();
    const { it, version } = await lock(tx);
    await useApproval(tx, scope, approval, version, at);
    const result = await act(tx, it, { actor: actorText(actor), at, reason });
    await recordAudit(tx, {
      ...{ at, actor, action, scope, subject },
      details: { ...details, approval: approval.id, proposedBy, reason },
    });
    return result;
  });
}
