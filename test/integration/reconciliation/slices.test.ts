import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createReconciliationHarness,
  type ReconciliationHarness,
} from '../../support/reconciliation/reconciliation-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';

/** Lines that are judged in one transaction. */
const SLICE_LINES = 5_000;

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());

it('a statement of two slices: every line counts, and a return finds the debit of the slice before', async () => {
  const pay = () => harness.pay('COMPLETED');
  const [first, returned, last] = [await pay(), await pay(), await pay()];
  // Lines that move no money are quick to judge, and fill the slice.
  const pending: EntryDraft = { amount: '10.00', status: 'PDNG' };
  const debit = (reference: string): EntryDraft => ({ reference, amount: '10.00' });
  const entries = Array.from({ length: SLICE_LINES + 10 }, () => pending);
  entries[0] = debit(first.reference);
  entries[SLICE_LINES - 1] = debit(returned.reference);
  entries[SLICE_LINES] = { ...debit(returned.reference), direction: 'CRDT', returnReason: 'AC04' };
  entries[SLICE_LINES + 9] = debit(last.reference);

  const ref = await harness.reconcile({ entries });

  expect(await harness.statement(ref)).toMatchObject({
    status: 'RECONCILED',
    lines: entries.length,
  });
  const outcomes = await harness.outcomes(ref);
  expect(outcomes.filter((outcome) => outcome !== 'IGNORED')).toEqual([
    ...['RECONCILED', 'RECONCILED', 'RETURN', 'RECONCILED'],
  ]);
  expect(outcomes).toHaveLength(entries.length);
  expect(harness.alarms).toEqual([]);
});
