import { actorText, type Actor } from '../domain/actor.ts';
import type { EventDraft } from '../domain/events/envelope.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';
import { eventValues, RECORD_EVENT_CTES } from './event-store.ts';
import type { BoundAnswer } from './idempotency-store.ts';
import type { PaymentRow } from './payment-store.ts';

/** A new payment, its first history row, its event with deliveries, and its key: one statement. */
const INSERT_PAYMENT = `
  WITH ${RECORD_EVENT_CTES},
  new_payment AS (
    INSERT INTO payments (id, customer_id, environment, end_user_id, bank_account_id,
      idempotency_key, workflow_id, rail, currency, amount, source_currency, source_amount, rate,
      external_id, purpose, personal, status, status_detail, funds_status, created_at, updated_at)
    VALUES (:resourceId, :customerId, :environment, :endUserId, :bankAccountId, :idempotencyKey,
      :workflowId, :rail, :currency, :amount, :sourceCurrency, :sourceAmount, :rate, :externalId,
      :purpose, :personal, :status, :statusDetail, :fundsStatus, :at, :at)
  ),
  first_version AS (
    INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
      status_detail, funds_status, reconciliation_status, actor, at)
    VALUES (:customerId, :environment, :resourceId, 1, :status, :statusDetail, :fundsStatus,
      'PENDING', :actor, :at)
  ),
  bound_key AS (
    INSERT INTO idempotency_keys (customer_id, environment, key, fingerprint, status_code, response,
      created_at)
    VALUES (:customerId, :environment, :idempotencyKey, :fingerprint, :statusCode, :response, :at)
    -- A key that another kind of request used is free again once its 30 days are over.
    ON CONFLICT (customer_id, environment, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, status_code = excluded.status_code,
        response = excluded.response, created_at = excluded.created_at, expires_at = NULL
      WHERE idempotency_keys.expires_at <= excluded.created_at
    RETURNING key
  )
  SELECT (SELECT count(*) FROM bound_key) AS bound, ARRAY(SELECT id FROM wakes) AS wakes`;

/**
 * Writes a new payment with everything that must never exist without it; its key is bound to `answer`
 * for ever.
 */
export async function insertPayment(
  tx: ScopedTransaction,
  scope: Scope,
  payment: Omit<PaymentRow, 'seq'>,
  event: EventDraft,
  answer: BoundAnswer,
  actor: Actor,
): Promise<void> {
  const rows = await tx.query<{ bound: bigint; wakes: string[] }>(INSERT_PAYMENT, {
    ...eventValues(scope, event, payment.createdAt),
    endUserId: payment.endUserId,
    bankAccountId: payment.bankAccountId,
    idempotencyKey: payment.idempotencyKey,
    workflowId: payment.workflowId,
    rail: payment.rail,
    currency: payment.currency,
    amount: payment.amount,
    sourceCurrency: payment.sourceCurrency,
    sourceAmount: payment.sourceAmount,
    rate: payment.rate,
    externalId: payment.externalId,
    purpose: payment.purpose,
    personal: payment.personal,
    status: payment.status,
    statusDetail: payment.statusDetail,
    fundsStatus: payment.fundsStatus,
    actor: actorText(actor),
    fingerprint: answer.fingerprint,
    statusCode: answer.statusCode,
    response: answer.response,
  });
  if (rows[0]?.bound !== 1n) throw new Error('the idempotency key was bound by another request');
  for (const wake of rows[0].wakes) tx.noteWake(wake);
}

/** The payment's next version, its history row and its event with deliveries: one statement. */
const UPDATE_PAYMENT = `
  WITH ${RECORD_EVENT_CTES},
  changed AS (
    UPDATE payments SET status = :status, status_detail = :statusDetail,
      funds_status = :fundsStatus, finality = :finality, final_at = :finalAt, failure = :failure, return_info = :returnInfo,
      reconciliation_status = :reconciliationStatus,
      reconciliation_evidence = :reconciliationEvidence, refs = :refs, rejections = :rejections,
      has_open_attempt = :hasOpenAttempt, held_since = :heldSince, version = :resourceVersion,
      updated_at = :at
    WHERE customer_id = :customerId AND environment = :environment AND id = :resourceId
  ),
  next_version AS (
    INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
      status_detail, funds_status, reconciliation_status, actor, at)
    VALUES (:customerId, :environment, :resourceId, :resourceVersion, :status, :statusDetail,
      :fundsStatus, :reconciliationStatus, :actor, :at)
  )
  SELECT id FROM wakes`;

/** Writes the next version of a locked payment. The database refuses an illegal move or a gap. */
export async function updatePayment(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
  event: EventDraft,
  actor: Actor,
): Promise<void> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const wakes = await tx.query<{ id: string }>(UPDATE_PAYMENT, {
    ...eventValues(scope, event, payment.updatedAt),
    status: payment.status,
    statusDetail: payment.statusDetail,
    fundsStatus: payment.fundsStatus,
    finality: payment.finality,
    finalAt: payment.finalAt,
    failure: json(payment.failure),
    returnInfo: json(payment.returnInfo),
    reconciliationStatus: payment.reconciliationStatus,
    reconciliationEvidence: json(payment.reconciliationEvidence),
    refs: json(payment.refs),
    rejections: payment.rejections,
    hasOpenAttempt: payment.hasOpenAttempt,
    heldSince: payment.heldSince,
    actor: actorText(actor),
  });
  for (const wake of wakes) tx.noteWake(wake.id);
}
