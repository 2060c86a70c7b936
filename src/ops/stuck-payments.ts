import { listStuckPayments } from '../db/ops-store.ts';
import { amountOf } from './amount.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * What has not moved for so long is not what it should be: nobody works on it, the bank cannot be
 * reached, or it has taken a transfer on and not settled it within a long weekend.
 */
const QUIET_AFTER_MS = {
  test: { PROCESSING: MINUTE_MS, SENT: MINUTE_MS },
  live: { PROCESSING: HOUR_MS, SENT: 4 * 24 * HOUR_MS },
} as const;

/** What waits for a human, and what has been under way for too long without a word. */
export async function showStuckPayments(
  deps: Pick<OpsDeps, 'db' | 'clock' | 'print'>,
  limit: number,
): Promise<void> {
  const now = deps.clock.now().getTime();
  const since = ({ PROCESSING, SENT }: Readonly<Record<'PROCESSING' | 'SENT', number>>) => ({
    PROCESSING: new Date(now - PROCESSING),
    SENT: new Date(now - SENT),
  });
  const quietSince = { test: since(QUIET_AFTER_MS.test), live: since(QUIET_AFTER_MS.live) };
  const { payments, hasMore } = await deps.db.system((tx) =>
    listStuckPayments(tx, quietSince, limit),
  );
  if (payments.length === 0) {
    deps.print('Nothing waits for a human.');
    return;
  }
  deps.print(
    table(
      ['payment', 'amount', 'status', 'detail', 'reconciliation', 'since'],
      payments.map((payment) => [
        payment.id,
        amountOf(payment),
        payment.status,
        payment.statusDetail,
        payment.reconciliationStatus,
        (payment.heldSince ?? payment.updatedAt).toISOString(),
      ]),
    ),
  );
  if (hasMore) deps.print('There are more. Ask for them with a higher --limit.');
}
