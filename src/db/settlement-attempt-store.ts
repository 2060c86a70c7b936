import type { AttemptPhase } from '../domain/payments/transfer-report.ts';
import type { Scope } from '../domain/scope.ts';
import type { Transaction } from './database.ts';

export interface AttemptRow {
  readonly reference: string;
  readonly paymentId: string;
  readonly number: number;
  readonly rail: string;
  /** The exact bytes for the bank, sealed. */
  readonly request: Buffer;
  readonly phase: AttemptPhase;
  readonly sends: number;
  readonly fruitlessSends: number;
  readonly refusedByBank: boolean;
  readonly deadlineAt: Date;
  readonly answeredAt: Date | null;
  readonly unknownSince: Date | null;
  readonly askBaseAt: Date;
  readonly nextAskAt: Date | null;
  readonly missingCount: number;
  readonly lastAnswer: string | null;
  readonly bankReference: string | null;
  readonly reason: string | null;
  readonly settledAt: Date | null;
  /** The last rejection was heard again when asked: a new reference may go out. */
  readonly isRejectionConfirmed: boolean;
  readonly updatedAt: Date;
}

const COLUMNS = `reference, payment_id AS "paymentId", number, rail, request, phase, sends,
  fruitless_sends AS "fruitlessSends", refused_by_bank AS "refusedByBank",
  deadline_at AS "deadlineAt", answered_at AS "answeredAt", unknown_since AS "unknownSince",
  ask_base_at AS "askBaseAt", next_ask_at AS "nextAskAt", missing_count AS "missingCount",
  last_answer AS "lastAnswer", bank_reference AS "bankReference", reason, settled_at AS "settledAt",
  is_rejection_confirmed AS "isRejectionConfirmed", updated_at AS "updatedAt"`;

/** All attempts of a payment whose row is locked, first one first. */
export async function readAttempts(
  tx: Transaction,
  scope: Scope,
  paymentId: string,
): Promise<AttemptRow[]> {
  return tx.query<AttemptRow>(
    `SELECT ${COLUMNS} FROM settlement_attempts
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3 ORDER BY number`,
    [scope.customerId, scope.environment, paymentId],
  );
}

/** Writes an attempt that is about to be sent. The caller commits before the first byte leaves. */
export async function insertAttempt(
  tx: Transaction,
  scope: Scope,
  attempt: Pick<
    AttemptRow,
    'reference' | 'paymentId' | 'number' | 'rail' | 'request' | 'deadlineAt'
  >,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number, rail,
       request, phase, deadline_at, unknown_since, ask_base_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'SENDING', $8, $9, $9, $9, $9)`,
    [
      attempt.reference,
      scope.customerId,
      scope.environment,
      attempt.paymentId,
      attempt.number,
      attempt.rail,
      attempt.request,
      attempt.deadlineAt,
      now,
    ],
  );
}

/** Writes what became known of an attempt. The payment's row lock is held by the caller. */
export async function updateAttempt(
  tx: Transaction,
  scope: Scope,
  attempt: AttemptRow,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE settlement_attempts SET phase = $4, sends = $5, fruitless_sends = $6,
       refused_by_bank = $7, deadline_at = $8, answered_at = $9, unknown_since = $10,
       ask_base_at = $11, next_ask_at = $12, missing_count = $13, last_answer = $14,
       bank_reference = $15, reason = $16, settled_at = $17, updated_at = $18,
       is_rejection_confirmed = $19
     WHERE customer_id = $1 AND environment = $2 AND reference = $3`,
    [
      scope.customerId,
      scope.environment,
      attempt.reference,
      attempt.phase,
      attempt.sends,
      attempt.fruitlessSends,
      attempt.refusedByBank,
      attempt.deadlineAt,
      attempt.answeredAt,
      attempt.unknownSince,
      attempt.askBaseAt,
      attempt.nextAskAt,
      attempt.missingCount,
      attempt.lastAnswer,
      attempt.bankReference,
      attempt.reason,
      attempt.settledAt,
      now,
      attempt.isRejectionConfirmed,
    ],
  );
}
