import type { ApprovalAction, ApprovalContent } from '../../domain/approvals/approval.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

/** What one operator proposed and, once it is decided, what another one said. */
export interface ApprovalRow extends ApprovalContent {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  /** SHA-256 of action, subject, version and content as they are now. */
  readonly contentHash: Buffer;
  /** `opr_...`, the first operator; null while it is only handed in. Typed names from before operators logged in. */
  readonly proposedBy: string | null;
  /** Who handed it in: who ran a command, or `user:usr_...`; null where it was proposed in the console. */
  readonly submittedBy: string | null;
  readonly proposedAt: Date;
  readonly takenUpAt: Date | null;
  readonly reason: string;
  readonly expiresAt: Date;
  readonly decision: 'APPROVED' | 'REFUSED' | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly decisionReason: string | null;
  readonly usedAt: Date | null;
  /** How it ended without effect after it was approved, who ended it, and why; null where it did not. */
  readonly voidAs: 'EFFECT_REFUSED' | 'WITHDRAWN' | null;
  readonly voidBy: string | null;
  readonly voidAt: Date | null;
  readonly voidReason: string | null;
}

interface NewApproval extends ApprovalContent {
  readonly id: string;
  /** One of the two is given. */
  readonly proposedBy: string | null;
  readonly submittedBy: string | null;
  readonly reason: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

interface ApprovalVoiding {
  readonly as: 'EFFECT_REFUSED' | 'WITHDRAWN';
  readonly operator: string;
  /** At most 500 characters. */
  readonly reason: string;
  readonly at: Date;
}

export interface ApprovalDecision {
  readonly decision: 'APPROVED' | 'REFUSED';
  readonly operator: string;
  readonly reason: string;
  readonly at: Date;
}

/**
 * Made of the row, and not taken from the column content_hash: an owner of the tables can change the one and leave the other
 * as it was.
 */
export const CONTENT_HASH = `pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.jsonb_build_array(
  a.action, a.subject_id, a.subject_version, a.content)::text, 'UTF8'))`;

const COLUMNS = `a.id, a.customer_id AS "customerId", a.environment, a.action,
  a.subject_id AS "subjectId", a.subject_version AS "subjectVersion", a.content,
  ${CONTENT_HASH} AS "contentHash", a.proposed_by AS "proposedBy", a.submitted_by AS "submittedBy",
  a.proposed_at AS "proposedAt", a.taken_up_at AS "takenUpAt", a.reason, a.expires_at AS "expiresAt",
  a.decision, a.decided_by AS "decidedBy", a.decided_at AS "decidedAt",
  a.decision_reason AS "decisionReason",
  u.used_at AS "usedAt", a.void_as AS "voidAs", a.void_by AS "voidBy", a.void_at AS "voidAt",
  a.void_reason AS "voidReason"`;

const FROM = 'FROM approvals a LEFT JOIN approval_uses u ON u.approval_id = a.id';

/** Writes a proposal. False where another one about the same action and subject waits. */
export async function insertApproval(
  tx: SystemTransaction,
  scope: Scope,
  { content, ...approval }: NewApproval,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO approvals (id, customer_id, environment, action, subject_id, subject_version,
       content, proposed_by, submitted_by, proposed_at, reason, expires_at)
     VALUES (:id, :customerId, :environment, :action, :subjectId, :subjectVersion,
       :content, :proposedBy, :submittedBy, :at, :reason, :expiresAt)
     ON CONFLICT (subject_id, action) WHERE decision IS NULL DO NOTHING RETURNING id`,
    { ...approval, ...scope, content: JSON.stringify(content) },
  );
  return rows.length > 0;
}

/** Ends a proposal about that subject that ran out undecided: it makes room for a new one. */
export async function endExpiredProposal(
  tx: SystemTransaction,
  { action, subjectId }: { readonly action: ApprovalAction; readonly subjectId: string },
  at: Date,
): Promise<void> {
  await tx.query('SELECT end_expired_proposal($1, $2, $3)', [action, subjectId, at]);
}

/** One approval; null where there is none. */
export async function findApproval(tx: AnyTransaction, id: string): Promise<ApprovalRow | null> {
  const rows = await tx.query<ApprovalRow>(`SELECT ${COLUMNS} ${FROM} WHERE a.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Reads one approval and keeps others from deciding it meanwhile; null where there is none. */
export async function lockApproval(tx: SystemTransaction, id: string): Promise<ApprovalRow | null> {
  const rows = await tx.query<ApprovalRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE a.id = $1 FOR UPDATE OF a`,
    [id],
  );
  return rows[0] ?? null;
}

/** Makes a locked proposal that was handed in an operator's own. The database refuses who may not. */
export async function takeUpApproval(
  tx: SystemTransaction,
  id: string,
  operatorId: string,
  at: Date,
): Promise<void> {
  await tx.query(
    'UPDATE approvals SET proposed_by = $2, taken_up_at = $3 WHERE id = $1 AND proposed_by IS NULL',
    [id, operatorId, at],
  );
}

/**
 * Writes the decision of a locked approval that waits; answers when it was taken, which is at most five minutes
 * after the database's own time. The database refuses the same operator twice.
 */
export async function decideApproval(
  tx: SystemTransaction,
  id: string,
  decision: ApprovalDecision,
): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>(
    `UPDATE approvals SET decision = :decision, decided_by = :operator, decided_at = :at,
       decision_reason = :reason WHERE id = :id AND decision IS NULL RETURNING decided_at AS at`,
    { id, ...decision },
  );
  if (row === undefined) throw new Error(`approval ${id} was decided before`);
  return row.at;
}

/**
 * Makes void what was approved and is neither in effect nor void; false where it is. Its row is locked: what
 * was being used has ended. The database refuses who may not withdraw it.
 */
export async function voidApproval(
  tx: SystemTransaction,
  id: string,
  voiding: ApprovalVoiding,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE approvals a SET void_as = :as, void_by = :operator, void_at = :at, void_reason = :reason
     WHERE a.id = :id AND a.decision = 'APPROVED' AND a.void_at IS NULL
       AND NOT EXISTS (SELECT FROM approval_uses u WHERE u.approval_id = a.id) RETURNING a.id`,
    { id, ...voiding },
  );
  return rows.length > 0;
}

/**
 * Where approvals stand: they wait for an operator or for their effect; they ran out before; or they were
 * refused, are in effect or void.
 */
export const APPROVAL_STATES = [
  'WAITING',
  'HANDED_IN',
  'PROPOSED',
  'NOT_IN_EFFECT',
  'RAN_OUT',
  'DECIDED',
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

const IS_OPEN = `(a.decision IS NULL
  OR a.decision = 'APPROVED' AND a.void_at IS NULL AND u.approval_id IS NULL)`;
const IN_STATE: Readonly<Record<ApprovalState, string>> = {
  WAITING: `${IS_OPEN} AND a.expires_at > :now`,
  HANDED_IN: 'a.decision IS NULL AND a.proposed_by IS NULL AND a.expires_at > :now',
  PROPOSED: 'a.decision IS NULL AND a.proposed_by IS NOT NULL AND a.expires_at > :now',
  NOT_IN_EFFECT: `${IS_OPEN} AND a.decision = 'APPROVED' AND a.expires_at > :now`,
  RAN_OUT: `${IS_OPEN} AND a.expires_at <= :now`,
  DECIDED: `NOT ${IS_OPEN} AND :now::timestamptz IS NOT NULL`,
};

/** Approvals in a state, newest first. */
export async function listApprovals(
  tx: SystemTransaction,
  { state, now }: { readonly state: ApprovalState; readonly now: Date },
  { before, limit }: PageRequest,
): Promise<Page<ApprovalRow & { readonly seq: bigint }>> {
  const rows = await tx.query<ApprovalRow & { readonly seq: bigint }>(
    `SELECT a.seq, ${COLUMNS} ${FROM}
     WHERE ${IN_STATE[state]} AND (:before::bigint IS NULL OR a.seq < :before)
     ORDER BY a.seq DESC LIMIT :rows`,
    { now, before, rows: limit + 1 },
  );
  return toPage(rows, limit);
}

/** Whether every operator who proposed or approved it may still do so: otherwise it takes no effect. */
export async function doOperatorsCount(
  tx: SystemTransaction,
  { action, proposedBy, decidedBy }: ApprovalRow,
): Promise<boolean> {
  const people = [proposedBy, decidedBy].filter((one) => one !== null);
  const rows = await tx.query<{ doAll: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM unnest($2::text[]) AS person(id) WHERE NOT EXISTS (
       SELECT FROM operators o JOIN approval_actions a ON o.role = ANY (a.roles)
       WHERE o.id = person.id AND o.status = 'ACTIVE' AND a.action = $1)) AS "doAll"`,
    [action, people],
  );
  return rows[0]?.doAll === true;
}

/** Whether a proposal about a subject waits for operators, or for its effect. */
export async function doesApprovalWait(
  tx: AnyTransaction,
  subject: { readonly action: ApprovalAction; readonly subjectId: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT a.id ${FROM} WHERE a.action = :action AND a.subject_id = :subjectId
       AND ${IN_STATE.WAITING} LIMIT 1`,
    { ...subject, now },
  );
  return rows.length > 0;
}

/** The proposals about one subject, newest first, at most 20. */
export async function listApprovalsOf(
  tx: SystemTransaction,
  subject: { readonly action: ApprovalAction; readonly subjectId: string },
): Promise<ApprovalRow[]> {
  return tx.query<ApprovalRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE a.action = :action AND a.subject_id = :subjectId
     ORDER BY a.seq DESC LIMIT 20`,
    subject,
  );
}

/** Marks an approval as acted upon; false where it was before. Throws where it was not approved or ran out. */
export async function markApprovalUsed(
  tx: AnyTransaction,
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

/** The approval of one exception that a set ends; null while there is none. */
export async function findApprovalOfSet(
  tx: SystemTransaction,
  setId: string,
  exceptionId: string,
): Promise<ApprovalRow | null> {
  const rows = await tx.query<ApprovalRow>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE a.action = 'EXCEPTION_ACT' AND a.subject_id = $2 AND a.content ->> 'set' = $1`,
    [setId, exceptionId],
  );
  return rows[0] ?? null;
}

/** What became of the exceptions of a set, by their ids: those that got an approval. */
export async function listApprovalsOfSet(
  tx: SystemTransaction,
  setId: string,
): Promise<readonly Pick<ApprovalRow, 'subjectId' | 'usedAt' | 'voidReason'>[]> {
  return tx.query<Pick<ApprovalRow, 'subjectId' | 'usedAt' | 'voidReason'>>(
    `SELECT a.subject_id AS "subjectId", u.used_at AS "usedAt", a.void_reason AS "voidReason" ${FROM}
     WHERE a.action = 'EXCEPTION_ACT' AND a.content ->> 'set' = $1 LIMIT 1000`,
    [setId],
  );
}
