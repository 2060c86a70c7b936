import type { EventDraft } from '../domain/events/envelope.ts';
import type { Scope } from '../domain/scope.ts';
import type { Transaction } from './database.ts';
import { eventValues, RECORD_EVENT_CTES } from './event-store.ts';
import type { PaymentRow } from './payment-store.ts';

/** The answer that a key is bound to for ever. */
export interface BoundAnswer {
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly statusCode: number;
  readonly response: Buffer;
}

/** A new payment, its first history row, its event with deliveries, and its key: one statement. */
const INSERT_PAYMENT = `
  WITH ${RECORD_EVENT_CTES},
  new_payment AS (
    INSERT INTO payments (id, customer_id, environment, end_user_id, bank_account_id,
      idempotency_key, workflow_id, rail, currency, amount, source_currency, source_amount, rate,
      external_id, purpose, personal, status, status_detail, funds_status, created_at, updated_at)
    VALUES ($6, $2, $3, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
      $26, $9, $9)
  ),
  first_version AS (
    INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
      status_detail, funds_status, reconciliation_status, actor, at)
    VALUES ($2, $3, $6, 1, $24, $25, $26, 'PENDING', $27, $9)
  ),
  bound_key AS (
    INSERT INTO idempotency_keys (customer_id, environment, key, fingerprint, status_code, response,
      created_at)
    VALUES ($2, $3, $13, $28, $29, $30, $9)
    -- A key that another kind of request used is free again once its 30 days are over.
    ON CONFLICT (customer_id, environment, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, status_code = excluded.status_code,
        response = excluded.response, created_at = excluded.created_at, expires_at = NULL
      WHERE idempotency_keys.expires_at <= excluded.created_at
    RETURNING key
  )
  SELECT (SELECT count(*) FROM bound_key) AS bound, ARRAY(SELECT id FROM wakes) AS wakes`;

/** Writes a new payment with everything that must never exist without it. */
export async function insertPayment(
  tx: Transaction,
  scope: Scope,
  payment: Omit<PaymentRow, 'seq'>,
  event: EventDraft,
  answer: BoundAnswer,
  actor: string,
): Promise<void> {
  const rows = await tx.query<{ bound: bigint; wakes: string[] }>(INSERT_PAYMENT, [
    ...eventValues(scope, event, payment.createdAt),
    payment.endUserId,
    payment.bankAccountId,
    payment.idempotencyKey,
    payment.workflowId,
    payment.rail,
    payment.currency,
    payment.amount,
    payment.sourceCurrency,
    payment.sourceAmount,
    payment.rate,
    payment.externalId,
    payment.purpose,
    payment.personal,
    payment.status,
    payment.statusDetail,
    payment.fundsStatus,
    actor,
    answer.fingerprint,
    answer.statusCode,
    answer.response,
  ]);
  if (rows[0]?.bound !== 1n) throw new Error('the idempotency key was bound by somebody else');
  for (const wake of rows[0].wakes) tx.noteWake(wake);
}

/** The payment's next version, its history row and its event with deliveries: one statement. */
const UPDATE_PAYMENT = `
  WITH ${RECORD_EVENT_CTES},
  changed AS (
    UPDATE payments SET status = $11, status_detail = $12, funds_status = $13, finality = $14,
      final_at = $15, failure = $16, return_info = $17, reconciliation_status = $18,
      reconciliation_evidence = $19, refs = $20, rejections = $21, has_open_attempt = $22,
      held_since = $23, version = $7, updated_at = $9
    WHERE customer_id = $2 AND environment = $3 AND id = $6
  ),
  next_version AS (
    INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
      status_detail, funds_status, reconciliation_status, actor, at)
    VALUES ($2, $3, $6, $7, $11, $12, $13, $18, $24, $9)
  )
  SELECT id FROM wakes`;

/** Writes the next version of a locked payment. The database refuses an illegal move or a gap. */
export async function updatePayment(
  tx: Transaction,
  scope: Scope,
  payment: PaymentRow,
  event: EventDraft,
  actor: string,
): Promise<void> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const wakes = await tx.query<{ id: string }>(UPDATE_PAYMENT, [
    ...eventValues(scope, event, payment.updatedAt),
    payment.status,
    payment.statusDetail,
    payment.fundsStatus,
    payment.finality,
    payment.finalAt,
    json(payment.failure),
    json(payment.returnInfo),
    payment.reconciliationStatus,
    json(payment.reconciliationEvidence),
    json(payment.refs),
    payment.rejections,
    payment.hasOpenAttempt,
    payment.heldSince,
    actor,
  ]);
  for (const wake of wakes) tx.noteWake(wake.id);
}
