import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import {
  PAYMENT_COLUMNS,
  toPaymentRow,
  type PaymentRow,
  type StoredPayment,
} from './payment-store.ts';

/** Held payments and approvals are counted up to this. */
export const ATTENTION_COUNTED = 1_000;

/** Newest payments of each status that are shown. */
const SHOWN = 5;

export interface Attention {
  /** ON_HOLD, of 1,000 at the most. */
  readonly held: number;
  /** Since when the oldest of these is held; null where there is none. */
  readonly oldestHeldSince: Date | null;
  /** End-users whose approval ends until then, of 1,000 at the most. */
  readonly expiring: number;
  /** The first end among them. */
  readonly firstExpiry: Date | null;
  /** The newest that are ON_HOLD, and the newest that FAILED or were RETURNED and are new enough. */
  readonly payments: readonly PaymentRow[];
}

type AttentionRow = Omit<Attention, 'payments'> & {
  readonly [Name in keyof StoredPayment]: unknown;
};

/**
 * Payments of a status, by the customer's own index: the planner is not told which status, or it would take the
 * index of all payments that wait, and read every customer's.
 */
const ofStatus = (status: string) => `customer_id = (SELECT :customerId::text)
  AND environment = (SELECT :environment::text) AND status = (SELECT '${status}'::text)`;

const walk = (status: string) => `(SELECT ${PAYMENT_COLUMNS} FROM payments
  WHERE ${ofStatus(status)}
  ORDER BY seq DESC LIMIT ${String(SHOWN)})`;

/**
 * What a customer should look at. Reads a few rows of indexes, and as many of those that it counts as it counts,
 * however many payments there are.
 */
export async function readAttention(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endedSince: Date,
  expiringUntil: Date,
): Promise<Attention> {
  const rows = await tx.query<AttentionRow>(
    `SELECT counted.*, newest.* FROM (
       SELECT holding.count AS held, holding.first AS "oldestHeldSince",
         ending.count AS expiring, ending.first AS "firstExpiry"
       FROM (SELECT count(*)::integer AS count, min(since) AS first FROM (
           SELECT coalesce(held_since, updated_at) AS since FROM payments
           WHERE ${ofStatus('ON_HOLD')}
           ORDER BY seq DESC LIMIT ${String(ATTENTION_COUNTED)}) AS waiting) AS holding,
         (SELECT count(*)::integer AS count, min(expires_at) AS first FROM (
           SELECT expires_at FROM kyc_checks
           WHERE customer_id = :customerId AND environment = :environment AND status = 'APPROVED'
             AND expires_at <= :expiringUntil
           ORDER BY expires_at LIMIT ${String(ATTENTION_COUNTED)}) AS soon) AS ending) AS counted
     LEFT JOIN (${['ON_HOLD', 'FAILED', 'RETURNED'].map(walk).join(' UNION ALL ')}) AS newest
       ON newest.status = 'ON_HOLD' OR newest."createdAt" >= :endedSince
     ORDER BY newest.status = 'ON_HOLD' DESC, newest.seq DESC`,
    { customerId, environment, endedSince, expiringUntil },
  );
  const [first] = rows;
  if (first === undefined) throw new Error('a select of scalars answers one row');
  const { held, oldestHeldSince, expiring, firstExpiry } = first;
  const payments = rows
    .filter(({ id }) => id !== null)
    .map((row) => toPaymentRow(row as unknown as StoredPayment));
  return { held, oldestHeldSince, expiring, firstExpiry, payments };
}
