import { toPage, type Page, type PageRequest } from '../domain/lists.ts';
import type { PaymentStatus } from '../domain/payments/payment-states.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';
import { PAYMENT_COLUMNS, type PaymentRow } from './payment-store.ts';

export interface PaymentFilter {
  readonly status?: PaymentStatus;
  readonly endUserId?: string;
  readonly bankAccountId?: string;
  readonly externalId?: string;
  readonly idempotencyKey?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

/** Payments of the scope, newest first, that satisfy every filter given. */
export async function listPayments(
  tx: ScopedTransaction,
  scope: Scope,
  filter: PaymentFilter,
  page: PageRequest,
): Promise<Page<PaymentRow>> {
  const values: unknown[] = [scope.customerId, scope.environment];
  const conditions = ['customer_id = $1', 'environment = $2'];
  const narrow = (condition: string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(`${condition} $${String(values.length)}`);
  };
  narrow('status =', filter.status);
  narrow('end_user_id =', filter.endUserId);
  narrow('bank_account_id =', filter.bankAccountId);
  narrow('external_id =', filter.externalId);
  narrow('idempotency_key =', filter.idempotencyKey);
  narrow('created_at >', filter.createdAfter);
  narrow('created_at <', filter.createdBefore);
  narrow('seq <', page.before);
  values.push(page.limit + 1);
  const rows = await tx.query<PaymentRow>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE ${conditions.join(' AND ')}
     ORDER BY seq DESC LIMIT $${String(values.length)}`,
    values,
  );
  return toPage(rows, page.limit);
}

/** Payments of an end-user that wait for a KYC approval, oldest first. */
export async function listHeldForKyc(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  limit: number,
): Promise<{ readonly id: string; readonly workflowId: string }[]> {
  return tx.query<{ id: string; workflowId: string }>(
    `SELECT id, workflow_id AS "workflowId" FROM payments
     WHERE customer_id = $1 AND environment = $2 AND end_user_id = $3
       AND status = 'ON_HOLD' AND status_detail = 'KYC_WITHDRAWN'
     ORDER BY seq LIMIT $4`,
    [scope.customerId, scope.environment, endUserId, limit],
  );
}
