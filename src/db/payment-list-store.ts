import { toPage, type Page, type PageRequest } from '../domain/lists.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../domain/payments/payment-states.ts';
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

const IN_SCOPE = 'customer_id = :customerId AND environment = :environment';

/**
 * The sequences between which a span of time lies. Rows are numbered in nearly the order of
 * `created_at`: the clocks of several API processes differ by less than 5 minutes. The 20 rows nearest
 * to that margin are asked, so that a few with a wrong time hide no others; where there are fewer, the
 * walk passes them. A bound is never NULL: row-level security keeps a coalesce around it out of the
 * index condition.
 */
const TIME_BOUNDS = {
  createdAfter: `(SELECT CASE count(*) WHEN 20 THEN min(seq) ELSE 0 END FROM (SELECT seq FROM payments
    WHERE ${IN_SCOPE} AND created_at <= :createdAfter::timestamptz - interval '5 minutes'
    ORDER BY created_at DESC LIMIT 20) AS earlier) AS first`,
  createdBefore: `(SELECT CASE count(*) WHEN 20 THEN max(seq) ELSE 9223372036854775807 END
    FROM (SELECT seq FROM payments
    WHERE ${IN_SCOPE} AND created_at >= :createdBefore::timestamptz + interval '5 minutes'
    ORDER BY created_at LIMIT 20) AS later) AS last`,
} as const;

/** What a filter narrows the list by; it takes the values of the same names. */
const CONDITIONS: Readonly<Record<Exclude<keyof PaymentFilter, 'status'> | 'before', string>> = {
  endUserId: 'end_user_id = :endUserId',
  bankAccountId: 'bank_account_id = :bankAccountId',
  externalId: 'external_id = :externalId',
  idempotencyKey: 'idempotency_key = :idempotencyKey',
  createdAfter: 'created_at > :createdAfter AND seq > (SELECT first FROM bounds)',
  createdBefore: 'created_at < :createdBefore AND seq < (SELECT last FROM bounds)',
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
  ].join(' AND ');
  const statuses = status === undefined ? PAYMENT_STATUSES : [status];
  const walks = statuses.map(
    (one) => `(SELECT ${PAYMENT_COLUMNS} FROM payments WHERE ${conditions} AND status = '${one}'
      ORDER BY seq DESC LIMIT :rows)`,
  );
  const bounds = Object.entries(TIME_BOUNDS).flatMap(([name, bound]) =>
    name in given ? [bound] : [],
  );
  const rows = await tx.query<PaymentRow>(
    `${bounds.length > 0 ? `WITH bounds AS MATERIALIZED (SELECT ${bounds.join(', ')})` : ''}
     SELECT * FROM (${walks.join(' UNION ALL ')}) AS walks ORDER BY seq DESC LIMIT :rows`,
    { customerId, environment, ...given, rows: page.limit + 1 },
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
