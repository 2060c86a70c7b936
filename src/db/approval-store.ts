import type { ApprovalAction, ApprovalContent } from '../domain/approvals/approval.ts';
import type { Environment, Scope } from '../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from './database.ts';

/** What one operator proposed and, once it is decided, what another one said. */
export interface ApprovalRow extends ApprovalContent {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  /** SHA-256 of all that is approved. */
  readonly contentHash: Buffer;
  readonly proposedBy: string;
  readonly proposedAt: Date;
  readonly reason: string;
  readonly expiresAt: Date;
  readonly decision: 'APPROVED' | 'REFUSED' | null;
  readonly decidedBy: string | null;
  readonly usedAt: Date | null;
}

export interface NewApproval extends ApprovalContent {
  readonly id: string;
  readonly proposedBy: string;
  readonly reason: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

export interface ApprovalDecision {
  readonly decision: 'APPROVED' | 'REFUSED';
  readonly operator: string;
  readonly reason: string;
  readonly at: Date;
}

const COLUMNS = `a.id, a.customer_id AS "customerId", a.environment, a.action,
  a.subject_id AS "subjectId", a.subject_version AS "subjectVersion", a.content,
  a.content_hash AS "contentHash", a.proposed_by AS "proposedBy", a.proposed_at AS "proposedAt",
  a.reason, a.expires_at AS "expiresAt", a.decision, a.decided_by AS "decidedBy",
  u.used_at AS "usedAt"`;

const FROM = 'FROM approvals a LEFT JOIN approval_uses u ON u.approval_id = a.id';

/** Writes a proposal. False where another one about the same action and subject waits. */
export async function insertApproval(
  tx: SystemTransaction,
  scope: Scope,
  { content, ...approval }: NewApproval,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version,
       content, proposed_by, proposed_at, reason, expires_at)
     VALUES (:id, :customerId, :environment, :action, :subjectId, :subjectVersion,
       :content, :proposedBy, :at, :reason, :expiresAt)
     ON CONFLICT (subject_id, action) WHERE decision IS NULL DO NOTHING RETURNING id`,
    { ...approval, ...scope, content: JSON.stringify(content) },
  );
  return rows.length > 0;
}

/** A proposal of that subject that ran out undecided makes room for a new one. */
export async function refuseExpiredApproval(
  tx: SystemTransaction,
  { action, subjectId }: { readonly action: ApprovalAction; readonly subjectId: string },
  decision: Omit<ApprovalDecision, 'decision'>,
): Promise<void> {
  await tx.query(
    `UPDATE approvals SET decision = 'REFUSED', decided_by = :operator, decided_at = :at,
       decision_reason = :reason
     WHERE action = :action AND subject_id = :subjectId AND decision IS NULL AND expires_at <= :at`,
    { action, subjectId, ...decision },
  );
}

/** Reads one approval and keeps others from deciding it meanwhile; null where there is none. */
export async function lockApproval(tx: SystemTransaction, id: string): Promise<ApprovalRow | null> {
  const rows = await tx.query<ApprovalRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE a.id = $1 FOR UPDATE OF a`,
    [id],
  );
  return rows[0] ?? null;
}

/** Writes the decision of a locked approval that waits. The database refuses the same operator twice. */
export async function decideApproval(
  tx: SystemTransaction,
  id: string,
  decision: ApprovalDecision,
): Promise<void> {
  await tx.query(
    `UPDATE approvals SET decision = :decision, decided_by = :operator, decided_at = :at,
       decision_reason = :reason WHERE id = :id AND decision IS NULL`,
    { id, ...decision },
  );
}

/** Approvals that wait for a second operator, and approved ones whose effect is missing; oldest first. */
export async function listOpenApprovals(
  tx: SystemTransaction,
  now: Date,
  limit: number,
): Promise<ApprovalRow[]> {
  return tx.query<ApprovalRow>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE a.decision IS NULL
       OR (a.decision = 'APPROVED' AND u.approval_id IS NULL AND a.expires_at > $1)
     ORDER BY a.seq LIMIT $2`,
    [now, limit],
  );
}

/** Marks an approval as acted upon; false where it was before. Throws where it was not approved or ran out. */
export async function markApprovalUsed(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO approval_uses (approval_id, customer_id, environment, used_at)
     VALUES ($1, $2, $3, $4) ON CONFLICT (approval_id) DO NOTHING RETURNING approval_id`,
    [id, scope.customerId, scope.environment, at],
  );
  return rows.length > 0;
}
