import type { Environment, Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import {
  PAYMENT_COLUMNS,
  toPaymentRow,
  type PaymentRow,
  type StoredPayment,
} from './payment-store.ts';

/** A payment whose return window is over. */
export interface DuePayment {
  readonly customerId: string;
  readonly paymentId: string;
  /** Since when it is due; the page behind it begins here. */
  readonly dueAt: Date;
}

export interface DuePage {
  readonly environment: Environment;
  readonly now: Date;
  /** Due at that moment or before. */
  readonly until: Date;
  readonly after: DuePayment | null;
  readonly limit: number;
}

/**
 * What the bank said and no statement has shown: the payment may still come back, or its report waits to
 * be judged.
 */
const IS_AWAITED = `(processed_at IS NULL
  OR effect IN ('AWAIT_STATEMENT', 'COMPLETE_AND_AWAIT_STATEMENT'))`;

/**
 * What a listed statement says of payments is not known before it is read. One that cannot be read, or
 * is not for a day, holds nothing up.
 */
const UNREAD_SINCE_MS = 24 * 3_600_000;
const IS_UNREAD = `EXISTS (SELECT FROM statements s WHERE s.environment = :environment
  AND s.status IN ('LISTED', 'READ') AND s.listed_at > :unreadSince)`;

/** A line of a statement waits to take its effect. */
const HAS_LINE = `EXISTS (SELECT FROM statement_lines l
  WHERE l.payment_id = p.id AND l.judged_at IS NOT NULL AND l.processed_at IS NULL)`;

const DUE = `
  SELECT p.customer_id AS "customerId", p.id AS "paymentId", p.final_due_at AS "dueAt"
  FROM payments p
  WHERE p.environment = :environment AND p.finality = 'PROVISIONAL'
    AND p.reconciliation_status = 'RECONCILED' AND p.final_due_at <= :until
    AND (:afterId::text IS NULL OR (p.final_due_at, p.id) > (:afterAt, :afterId))
    AND NOT EXISTS (SELECT FROM transfer_reports r WHERE r.payment_id = p.id AND ${IS_AWAITED})
    AND NOT ${HAS_LINE} AND NOT ${IS_UNREAD}
  ORDER BY p.final_due_at, p.id LIMIT :limit`;

/** A page of reconciled payments whose return window is over, the longest over first. System role only. */
export function readDuePayments(tx: SystemTransaction, page: DuePage): Promise<DuePayment[]> {
  const { environment, now, until, after, limit } = page;
  const from = { afterAt: after?.dueAt ?? null, afterId: after?.paymentId ?? null };
  const unreadSince = new Date(now.getTime() - UNREAD_SINCE_MS);
  return tx.query<DuePayment>(DUE, { environment, until, limit, unreadSince, ...from });
}

/**
 * Locks those of the payments that may become final. One that another transaction holds is left out:
 * its holder may be returning it, and the next run sees what came of it.
 */
export async function lockProvisionalPayments(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<PaymentRow[]> {
  const rows = await tx.query<StoredPayment>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3) AND status = 'COMPLETED'
       AND finality = 'PROVISIONAL' AND reconciliation_status = 'RECONCILED'
     ORDER BY id FOR UPDATE SKIP LOCKED`,
    [scope.customerId, scope.environment, [...ids]],
  );
  return rows.map(toPaymentRow);
}

/**
 * Which of the locked payments the bank has said something of that has had no effect yet. Its callbacks
 * refer to the payment, so none can be stored between this look and the lock's end.
 */
export async function findAwaitedPayments(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ paymentId: string }>(
    `SELECT DISTINCT payment_id AS "paymentId" FROM transfer_reports
     WHERE customer_id = $1 AND environment = $2 AND payment_id = ANY ($3) AND ${IS_AWAITED}`,
    [scope.customerId, scope.environment, [...ids]],
  );
  return new Set(rows.map(({ paymentId }) => paymentId));
}
