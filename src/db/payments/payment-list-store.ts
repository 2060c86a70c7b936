import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payments/payment-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import {
  PAYMENT_COLUMNS,
  toPaymentRow,
  type PaymentRow,
  type StoredPayment,
} from './payment-store.ts';
import { TIME_CONDITIONS, timeBounds } from '../client/time-bounds.ts';

export interface PaymentFilter {
  /** One payment, if it passes the other filters. */
  readonly id?: string;
  readonly status?: PaymentStatus;
  readonly endUserId?: string;
  readonly bankAccountId?: string;
  readonly walletId?: string;
  readonly externalId?: string;
  readonly idempotencyKey?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

const IN_SCOPE = 'customer_id = :customerId AND environment = :environment';

const TIME_BOUNDS = timeBounds('payments');

/** What a filter narrows the list by; it takes the values of the same names. */
const CONDITIONS: Readonly<Record<Exclude<keyof PaymentFilter, 'status'> | 'before', string>> = {
  id: 'id = :id',
  endUserId: 'end_user_id = :endUserId',
  bankAccountId: 'bank_account_id = :bankAccountId',
  walletId: 'wallet_id = :walletId',
  externalId: 'external_id = :externalId',
  idempotencyKey: 'idempotency_key = :idempotencyKey',
  ...TIME_CONDITIONS,
  before: 'seq < :before',
};

/** An account has one owner: asked with another end-user, no row of it is looked at. */
const IS_OWNER = `EXISTS (SELECT FROM bank_accounts
    WHERE ${IN_SCOPE} AND id = :bankAccountId AND end_user_id = :endUserId)`;

/**
 * Payments of the scope, newest first, that satisfy every filter given. Whatever they are, about as
 * many rows are read as are shown: each status is a walk of its own along an index that ends in
 * (status, seq), and a span of time is turned into sequences first.
 */
export async function listPayments(
  tx: ScopedTransaction,
  scope: Scope,
  { status, ...filter }: PaymentFilter,
  page: PageRequest,
): Promise<Page<PaymentRow>> {
  const { customerId, environment } = scope;
  const given = Object.fromEntries(
    Object.entries({ ...filter, before: page.before ?? undefined }).filter(
      ([name, value]) => name in CONDITIONS && value !== undefined,
    ),
  );
  const conditions = [
    IN_SCOPE,
    ...Object.keys(given).map((name) => CONDITIONS[name as keyof typeof CONDITIONS]),
    ...('endUserId' in given && 'bankAccountId' in given ? [IS_OWNER] : []),
    // No payment goes to both.
    ...('bankAccountId' in given && 'walletId' in given ? ['false'] : []),
  ].join(' AND ');
  const statuses = status === undefined ? PAYMENT_STATUSES : [status];
  const walks = statuses.map(
    (one) => `(SELECT ${PAYMENT_COLUMNS} FROM payments WHERE ${conditions} AND status = '${one}'
      ORDER BY seq DESC LIMIT :rows)`,
  );
  const bounds = Object.entries(TIME_BOUNDS).flatMap(([name, bound]) =>
    name in given ? [bound] : [],
  );
  const rows = await tx.query<StoredPayment>(
    `${bounds.length > 0 ? `WITH bounds AS MATERIALIZED (SELECT ${bounds.join(', ')})` : ''}
     SELECT * FROM (${walks.join(' UNION ALL ')}) AS walks ORDER BY seq DESC LIMIT :rows`,
    { customerId, environment, ...given, rows: page.limit + 1 },
  );
  return toPage(rows.map(toPaymentRow), page.limit);
}

/** Whether an end-user has a payment that may still leave, or has left and has no outcome yet. */
export async function hasOpenPayments(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM payments
     WHERE customer_id = $1 AND environment = $2 AND end_user_id = $3
       AND status IN ('PROCESSING', 'ON_HOLD', 'SENT') LIMIT 1`,
    [scope.customerId, scope.environment, endUserId],
  );
  return rows.length > 0;
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
