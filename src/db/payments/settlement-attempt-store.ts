import type { Attempt } from '../../domain/payments/attempt.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

/** An attempt as stored: the rules' part of it, whose it is, and what it sends. */
export interface AttemptRow extends Attempt {
  readonly paymentId: string;
  readonly number: number;
  readonly rail: string;
  /** Sealed under the end-user's key. */
  readonly encodedTransfer: Buffer;
}

const COLUMNS = `reference, payment_id AS "paymentId", number, rail, request AS "encodedTransfer", phase, sends,
  fruitless_sends AS "fruitlessSends", refused_by_bank AS "refusedByBank",
  first_sent_at AS "firstSentAt", sent_at AS "sentAt",
  deadline_at AS "deadlineAt", answered_at AS "answeredAt", unknown_since AS "unknownSince",
  ask_base_at AS "askBaseAt", next_ask_at AS "nextAskAt", missing_count AS "missingCount",
  last_answer AS "lastAnswer", bank_reference AS "bankReference", reason, settled_at AS "settledAt",
  is_rejection_confirmed AS "isRejectionConfirmed", is_restored AS "isRestored",
  held_by AS "heldBy", confirmed_by AS "confirmedBy", updated_at AS "updatedAt"`;

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

/** The payment that a reference of ours was given to; null where the scope has none. */
export async function findPaymentIdByReference(
  tx: ScopedTransaction,
  scope: Scope,
  reference: string,
): Promise<string | null> {
  const rows = await tx.query<{ paymentId: string }>(
    `SELECT payment_id AS "paymentId" FROM settlement_attempts
     WHERE customer_id = $1 AND environment = $2 AND reference = $3`,
    [scope.customerId, scope.environment, reference],
  );
  return rows[0]?.paymentId ?? null;
}

const ATTEMPTS = rowSource('attempt', {
  reference: 'text',
  paymentId: 'text',
  number: 'integer',
  rail: 'text',
  request: 'bytea',
  phase: 'text',
  sends: 'integer',
  fruitlessSends: 'integer',
  refusedByBank: 'boolean',
  firstSentAt: 'timestamptz',
  sentAt: 'timestamptz',
  deadlineAt: 'timestamptz',
  answeredAt: 'timestamptz',
  unknownSince: 'timestamptz',
  askBaseAt: 'timestamptz',
  nextAskAt: 'timestamptz',
  missingCount: 'integer',
  lastAnswer: 'text',
  bankReference: 'text',
  reason: 'text',
  settledAt: 'timestamptz',
  isRejectionConfirmed: 'boolean',
  isRestored: 'boolean',
  heldBy: 'text',
  confirmedBy: 'text',
  updatedAt: 'timestamptz',
});

/** Writes new attempts. For `attemptValues`. */
export const INSERT_ATTEMPTS = `
  INSERT INTO settlement_attempts (customer_id, environment, created_at, ${ATTEMPTS.columns})
  SELECT :customerId, :environment, attempt.updated_at,
    ${ATTEMPTS.columns.replace(/\w+/g, 'attempt.$&')}
  FROM ${ATTEMPTS.sql}`;

/** The values that `INSERT_ATTEMPTS` names. */
export const attemptValues = (
  { customerId, environment }: Scope,
  attempts: readonly AttemptRow[],
) => ({
  ...{ customerId, environment },
  ...ATTEMPTS.values(attempts.map((attempt) => ({ ...attempt, request: attempt.encodedTransfer }))),
});

/** Writes a new attempt. The caller commits before the first of its bytes is sent. */
export async function insertAttempt(
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
): Promise<void> {
  await tx.query(INSERT_ATTEMPTS, attemptValues(scope, [attempt]));
}

const IDENTITY = new Set(['reference', 'payment_id', 'number', 'rail', 'request']);

/** What changes in an attempt: everything but whose it is and its bytes. */
const SET_STATE = ATTEMPTS.columns
  .split(', ')
  .filter((column) => !IDENTITY.has(column))
  .map((column) => `${column} = attempt.${column}`)
  .join(', ');

/** Writes an attempt's next state. The payment's row lock is held by the caller. */
export async function updateAttempt(
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
): Promise<void> {
  await tx.query(
    `UPDATE settlement_attempts a SET ${SET_STATE} FROM ${ATTEMPTS.sql}
     WHERE a.customer_id = :customerId AND a.environment = :environment
       AND a.reference = attempt.reference`,
    attemptValues(scope, [attempt]),
  );
}

/** An attempt as the bank's answer leaves it, and the version at which its payment was when it was sent. */
export interface AnsweredSend {
  readonly attempt: AttemptRow;
  readonly version: number;
}

const VERSIONS = rowSource('before', { paymentId: 'text', version: 'integer' });

/**
 * Locks the payments of several sends and writes their attempts' next states: of those that are as they
 * were sent, at the version given, still SENDING, and without a report of the bank that is unread.
 * Answers how many that are: with fewer than given the caller rolls back.
 */
export async function updateUntouchedSends(
  tx: ScopedTransaction,
  scope: Scope,
  answered: readonly AnsweredSend[],
): Promise<number> {
  const attempts = answered.map(({ attempt }) => attempt);
  const versions = answered.map(({ attempt, version }) => ({
    paymentId: attempt.paymentId,
    version,
  }));
  const updated = await tx.query(
    `WITH locked AS MATERIALIZED (
       SELECT p.id FROM payments p
         JOIN ${VERSIONS.sql} ON p.id = before.payment_id AND p.version = before.version
       WHERE p.customer_id = :customerId AND p.environment = :environment
         AND p.id = ANY (:before_paymentId::text[]) AND NOT EXISTS (
         SELECT FROM transfer_reports r WHERE r.payment_id = p.id AND r.processed_at IS NULL)
       ORDER BY p.id FOR NO KEY UPDATE OF p)
     UPDATE settlement_attempts a SET ${SET_STATE}
     FROM ${ATTEMPTS.sql} JOIN locked ON locked.id = attempt.payment_id
     WHERE a.customer_id = :customerId AND a.environment = :environment
       AND a.reference = ANY (:attempt_reference::text[]) AND a.reference = attempt.reference
       AND a.payment_id = locked.id
       AND a.phase = 'SENDING' AND a.sends = attempt.sends
     RETURNING a.reference`,
    { ...attemptValues(scope, attempts), ...VERSIONS.values(versions) },
  );
  return updated.length;
}
