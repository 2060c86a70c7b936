import { listStuckPayments, type OpsPayment } from '../../db/operations/ops-store.ts';
import type { Database, SystemTransaction } from '../../db/client/database.ts';
import { listUnsurePayments } from '../../db/payments/unsure-payment-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { toDoAbout, unsureBefore } from '../../domain/payments/paid-before-restore.ts';
import { readEvidence } from './stuck-evidence.ts';
import type { StuckSection } from './stuck-section.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * What has not moved for so long is not what it should be: no worker acts on it, the bank cannot be
 * reached, or it has taken a transfer on and not settled it within a long weekend.
 */
const QUIET_AFTER_MS = {
  test: { PROCESSING: MINUTE_MS, SENT: MINUTE_MS },
  live: { PROCESSING: HOUR_MS, SENT: 4 * 24 * HOUR_MS },
} as const;

/**
 * What waits for a human: payments, those that have been under way for too long without a word, and
 * what banks told us that no payment's row can show. `limit` rows of each kind at the most.
 */
export async function readStuckSections(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  limit: number,
): Promise<readonly StuckSection[]> {
  const now = clock.now();
  return db.system(async (tx) => [
    sectionOf(await listStuckPayments(tx, quietSince(now), limit)),
    await readUnsure(tx, limit),
    ...(await readEvidence(tx, now, limit)),
  ]);
}

/** Since when a payment must have been quiet to be stuck, by environment and status. */
export function quietSince(now: Date) {
  const since = ({ PROCESSING, SENT }: Readonly<Record<'PROCESSING' | 'SENT', number>>) => ({
    PROCESSING: new Date(now.getTime() - PROCESSING),
    SENT: new Date(now.getTime() - SENT),
  });
  return { test: since(QUIET_AFTER_MS.test), live: since(QUIET_AFTER_MS.live) };
}

const sectionOf = ({
  payments,
  hasMore,
}: {
  readonly payments: readonly OpsPayment[];
  readonly hasMore: boolean;
}): StuckSection => ({
  hasMore,
  title: 'Payments that are held, contradict the bank, or do not move',
  head: ['payment', 'amount', 'status', 'detail', 'reconciliation', 'since'],
  rows: payments.map((payment) => [
    payment.id,
    `${formatAmount(payment.amount, payment.currency)} ${payment.currency}`,
    payment.status,
    payment.statusDetail,
    payment.reconciliationStatus,
    (payment.heldSince ?? payment.updatedAt).toISOString(),
  ]),
  next: 'npm run ops -- payments show <id>; docs/how-to/resolve-stuck-payments.md says what each detail asks for.',
});

/** Payments that a network may have paid before a restore: they are not sent before it is known. */
async function readUnsure(tx: SystemTransaction, limit: number): Promise<StuckSection> {
  const payments = await listUnsurePayments(tx, limit + 1);
  return {
    hasMore: payments.length > limit,
    title: 'Payments that a network may have paid before a restore',
    head: ['payment', 'environment', 'reference', 'not sent for', 'since'],
    rows: payments
      .slice(0, limit)
      .map((row) => [
        row.paymentId,
        row.environment,
        row.reference,
        row.heldBy,
        row.since.toISOString(),
      ]),
    next: toDoAbout(unsureBefore([])),
  };
}
