import type { BatchRow, BatchSum } from '../../../db/payments/payment-batch-store.ts';
import type { BatchItemState } from '../../../domain/payments/payment-batch.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { unitOf } from '../../../domain/money/unit-of.ts';

/**
 * A batch as the API shows it. `sums` may be those of other batches, too. Items whose fields do not fit
 * count, and are in no total.
 */
export function viewBatch(batch: BatchRow, sums: readonly BatchSum[]) {
  const own = sums.filter(({ batchId }) => batchId === batch.id);
  const count = (wanted: BatchItemState): number =>
    own.reduce((sum, { state, items }) => (state === wanted ? sum + Number(items) : sum), 0);
  return {
    id: batch.id,
    status: batch.status,
    counts: {
      total: batch.total,
      pending: count('PENDING'),
      accepted: count('ACCEPTED'),
      refused: count('REFUSED'),
    },
    totals: totalsOf(own),
    version: batch.version,
    createdAt: batch.createdAt.toISOString(),
    completedAt: batch.completedAt?.toISOString() ?? null,
  };
}

/** By currency and asset, in the order of their codes. */
function totalsOf(sums: readonly BatchSum[]) {
  const currencies = new Set(sums.flatMap(({ currency }) => currency ?? []));
  return [...currencies].sort().map((currency) => {
    const inCurrency = sums.filter((sum) => sum.currency === currency);
    const add = (some: readonly BatchSum[]): string => {
      const minor = some.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
      return formatAmount(minor, currency);
    };
    const accepted = inCurrency.filter(({ state }) => state === 'ACCEPTED');
    return { ...unitOf(currency), amount: add(inCurrency), accepted: add(accepted) };
  });
}
