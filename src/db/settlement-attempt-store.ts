import type { Attempt } from '../domain/payments/attempt.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

/** An attempt as stored: the rules' part of it, whose it is, and the bytes. */
export interface AttemptRow extends Attempt {
  readonly paymentId: string;
  readonly number: number;
  readonly rail: string;
  /** The exact bytes for the bank, sealed. */
  readonly request: Buffer;
}

const COLUMNS = `reference, payment_id AS "paymentId", number, rail, request, phase, sends,
  fruitless_sends AS "fruitlessSends", refused_by_bank AS "refusedByBank", sent_at AS "sentAt",
  deadline_at AS "deadlineAt", answered_at AS "answeredAt", unknown_since AS "unknownSince",
  ask_base_at AS "askBaseAt", next_ask_at AS "nextAskAt", missing_count AS "missingCount",
  last_answer AS "lastAnswer", bank_reference AS "bankReference", reason, settled_at AS "settledAt",
  is_rejection_confirmed AS "isRejectionConfirmed", is_restored AS "isRestored", updated_at AS "updatedAt"`;

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

/** Writes a new attempt. The caller commits before the first of its bytes is sent. */
export async function insertAttempt(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  attempt: AttemptRow,
): Promise<void> {
  await tx.query(
    `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number, rail,
       request, phase, sends, fruitless_sends, refused_by_bank, sent_at, deadline_at, answered_at,
       unknown_since, ask_base_at, next_ask_at, missing_count, last_answer, bank_reference, reason,
       settled_at, is_rejection_confirmed, is_restored, created_at, updated_at)
     VALUES (:reference, :customerId, :environment, :paymentId, :number, :rail, :request, :phase,
       :sends, :fruitlessSends, :refusedByBank, :sentAt, :deadlineAt, :answeredAt, :unknownSince,
       :askBaseAt, :nextAskAt, :missingCount, :lastAnswer, :bankReference, :reason, :settledAt,
       :isRejectionConfirmed, :isRestored, :updatedAt, :updatedAt)`,
    { customerId, environment, ...attempt },
  );
}

/** Writes an attempt's next state. The payment's row lock is held by the caller. */
export async function updateAttempt(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  attempt: AttemptRow,
): Promise<void> {
  const { paymentId: _payment, number: _number, rail: _rail, request: _bytes, ...state } = attempt;
  await tx.query(
    `UPDATE settlement_attempts SET phase = :phase, sends = :sends,
       fruitless_sends = :fruitlessSends, refused_by_bank = :refusedByBank, sent_at = :sentAt,
       deadline_at = :deadlineAt, answered_at = :answeredAt, unknown_since = :unknownSince,
       ask_base_at = :askBaseAt, next_ask_at = :nextAskAt, missing_count = :missingCount,
       last_answer = :lastAnswer, bank_reference = :bankReference, reason = :reason,
       settled_at = :settledAt, is_rejection_confirmed = :isRejectionConfirmed,
       is_restored = :isRestored, updated_at = :updatedAt
     WHERE customer_id = :customerId AND environment = :environment AND reference = :reference`,
    { customerId, environment, ...state },
  );
}
