import type { AttemptPhase } from '../domain/payments/transfer-report.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

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
  tx: ScopedTransaction,
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
  tx: ScopedTransaction,
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
     VALUES (:reference, :customerId, :environment, :paymentId, :number, :rail, :request, 'SENDING',
       :deadlineAt, :now, :now, :now, :now)`,
    {
      reference: attempt.reference,
      customerId: scope.customerId,
      environment: scope.environment,
      paymentId: attempt.paymentId,
      number: attempt.number,
      rail: attempt.rail,
      request: attempt.request,
      deadlineAt: attempt.deadlineAt,
      now,
    },
  );
}

/** Writes what became known of an attempt. The payment's row lock is held by the caller. */
export async function updateAttempt(
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE settlement_attempts SET phase = :phase, sends = :sends,
       fruitless_sends = :fruitlessSends, refused_by_bank = :refusedByBank,
       deadline_at = :deadlineAt, answered_at = :answeredAt, unknown_since = :unknownSince,
       ask_base_at = :askBaseAt, next_ask_at = :nextAskAt, missing_count = :missingCount,
       last_answer = :lastAnswer, bank_reference = :bankReference, reason = :reason,
       settled_at = :settledAt, is_rejection_confirmed = :isRejectionConfirmed, updated_at = :now
     WHERE customer_id = :customerId AND environment = :environment AND reference = :reference`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      reference: attempt.reference,
      phase: attempt.phase,
      sends: attempt.sends,
      fruitlessSends: attempt.fruitlessSends,
      refusedByBank: attempt.refusedByBank,
      deadlineAt: attempt.deadlineAt,
      answeredAt: attempt.answeredAt,
      unknownSince: attempt.unknownSince,
      askBaseAt: attempt.askBaseAt,
      nextAskAt: attempt.nextAskAt,
      missingCount: attempt.missingCount,
      lastAnswer: attempt.lastAnswer,
      bankReference: attempt.bankReference,
      reason: attempt.reason,
      settledAt: attempt.settledAt,
      now,
      isRejectionConfirmed: attempt.isRejectionConfirmed,
    },
  );
}
