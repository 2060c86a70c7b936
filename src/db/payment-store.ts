import type { PaymentKind } from '../domain/payments/payment-kind.ts';
import type { PaymentState } from '../domain/payments/payment.ts';
import type { Environment, Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

export interface PaymentRow extends PaymentState {
  readonly id: string;
  readonly seq: bigint;
  readonly customerId: string;
  readonly environment: Environment;
  readonly kind: PaymentKind;
  readonly endUserId: string;
  readonly bankAccountId: string;
  readonly idempotencyKey: string;
  readonly workflowId: string;
  readonly rail: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly sourceCurrency: string;
  readonly sourceAmount: bigint;
  readonly rate: string | null;
  readonly externalId: string | null;
  readonly purpose: string | null;
  readonly personal: Buffer;
  /** See `KeyOwner`. */
  readonly ownerKey: Buffer | null;
  readonly finality: 'NONE' | 'PROVISIONAL' | 'FINAL';
  readonly finalAt: Date | null;
  readonly heldSince: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Of `payments`, under that name. `hasOpenAttempt` is as of the statement's beginning. */
export const PAYMENT_COLUMNS = `
  id, seq, customer_id AS "customerId", environment, kind, end_user_id AS "endUserId",
  bank_account_id AS "bankAccountId", idempotency_key AS "idempotencyKey",
  workflow_id AS "workflowId", rail, currency, amount, source_currency AS "sourceCurrency",
  source_amount AS "sourceAmount", rate, external_id AS "externalId", purpose, personal,
  ${ownerKeyOf('payments.end_user_id')}, status,
  status_detail AS "statusDetail", funds_status AS "fundsStatus", finality, final_at AS "finalAt",
  failure, return_info AS "returnInfo", reconciliation_status AS "reconciliationStatus",
  reconciliation_evidence AS "reconciliationEvidence", refs, rejections,
  EXISTS (SELECT FROM settlement_attempts WHERE payment_id = payments.id AND is_open)
    AS "hasOpenAttempt",
  held_since AS "heldSince", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Reads one payment; null where the scope has none of that id. */
export async function findPayment(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<PaymentRow | null> {
  const rows = await tx.query<PaymentRow>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/**
 * Reads payments and holds them until the transaction ends: every change goes through here. In order of
 * id, so that two transactions that want the same ones do not wait for each other; to be called before
 * anything else is locked. Those that the scope lacks are left out.
 */
export async function lockPayments(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<PaymentRow[]> {
  return tx.query<PaymentRow>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3) ORDER BY id FOR UPDATE`,
    [scope.customerId, scope.environment, [...ids]],
  );
}
