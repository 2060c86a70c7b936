import { expect } from 'vitest';
import type { BankTruth } from './fate.ts';
import type { Decisions } from './operators.ts';
import type { PaymentView } from './read-payments.ts';
import { RETURN_WINDOW_MS } from './world.ts';

/** What is gathered in one turn of the agenda counts as one moment. */
const MOMENT_MS = 6 * 60_000;

/**
 * The same truth, or LATE where the payment was final before its return was known. Fails where it became
 * final before its return window was over, or although the bank had told of the return by then.
 */
export function lateTruth(truth: BankTruth, view: PaymentView, decisions: Decisions): BankTruth {
  const { transfer, fate, returned } = truth;
  const { state, finalAt } = view.finality;
  const where = JSON.stringify({ view, transfer }, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (transfer === null || view.status !== 'COMPLETED' || state !== 'FINAL') return truth;
  const finalAtMs = Date.parse(finalAt!);
  expect(finalAtMs, where).toBeGreaterThanOrEqual(transfer.executedAt! + RETURN_WINDOW_MS);
  if (fate !== 'RETURNED') return truth;
  const knownAt = Math.min(transfer.returnSaidAt ?? Infinity, transfer.returnShownAt ?? Infinity);
  expect(finalAtMs, where).toBeLessThanOrEqual(knownAt + MOMENT_MS);
  const isCredited = decisions.creditedLate.has(view.id);
  return { ...truth, fate: 'LATE', credits: [isCredited ? returned : 0n] };
}
