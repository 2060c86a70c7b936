import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countStatementLines } from '../../../src/db/reconciliation/statement-count-store.ts';
import { lineKindOf } from '../../../src/domain/reconciliation/match-lines.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());

const debit = (reference: string): EntryDraft => ({ reference, amount: '10.00' });
const undone = (reference: string, amount = '10.00'): EntryDraft => ({
  reference,
  amount,
  direction: 'CRDT',
  reversal: true,
});

describe('lines of one payment on one statement', () => {
  it('debited, taken back and debited again: paid once, and nothing is credited', async () => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    const ref = await harness.reconcile({
      entries: [debit(reference), undone(reference), debit(reference)],
    });
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'RECONCILED',
    });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'OFFSET', 'OFFSET']);
    expect(harness.alarms).toEqual([]);
  });

  it('net zero is a return, with the credit before the debit too', async () => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    await harness.reconcile({ entries: [undone(reference, '9.50'), debit(reference)] });
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'RECONCILED',
      evidence: { line: 2, return: { line: 1 } },
    });
  });

  it('a correction on a later statement is no return', async () => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    await harness.reconcile({ entries: [debit(reference), debit(reference)] });
    const later = await harness.reconcile({ entries: [undone(reference)] });
    expect(await harness.outcomes(later)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await harness.payment(paid.id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('are netted though more than a slice of other lines stands between them', async () => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    // Of no amount, so that they are ignored; a slice is 5,000 lines.
    const between = Array.from({ length: 5_000 }, () => ({ amount: '0' }));
    const entries = [debit(reference), undone(reference), ...between, debit(reference)];
    const ref = await harness.reconcile({ entries });
    const outcomes = await harness.outcomes(ref);
    expect(outcomes.filter((outcome) => outcome !== 'IGNORED')).toEqual([
      'RECONCILED',
      'OFFSET',
      'OFFSET',
    ]);
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'RECONCILED',
    });
  });
});

describe('counting the lines of a statement', () => {
  const amounts = ['10.00', '10', '10.000', '9.50', '9.501', '10.01', '0', '10000000000000000.00'];
  const lines = amounts.flatMap((amount) =>
    (['EUR', 'USD'] as const).flatMap((currency) =>
      ([debit, undone] as const).flatMap((draft) =>
        [true, false].map((reversal) => ({
          ...draft('CW-COUNTED'),
          amount,
          currency,
          reversal,
          returnReason: 'AC04',
        })),
      ),
    ),
  );

  it.each([false, true])(
    'SQL and the domain see the same kinds, funds back: %s',
    async (isDead) => {
      const candidate = {
        paymentId: 'pay-counted',
        reference: 'CW-COUNTED',
        minor: 1_000n,
        currency: 'EUR',
        attempt: 'OPEN',
        areFundsReleased: isDead,
      } as const;
      for (const currency of ['EUR', 'USD'] as const) {
        const entries = lines.filter((line) => line.currency === currency);
        const ref = await harness.list({ entries, currency });
        await harness.activities.readStatement(ref);
        const counted = await harness.db.system((tx) =>
          countStatementLines(tx, BigInt(ref.statementId), [
            { ...candidate, amount: '10.00', minorDigits: 2, isDead },
          ]),
        );
        const expected = new Map<string, number>();
        for (const { amount, direction = 'DBIT', reversal } of entries) {
          const kind = lineKindOf(
            {
              lineNumber: 1,
              reference: candidate.reference,
              amount,
              currency,
              direction,
              isReversal: reversal,
              isReturn: true,
              status: 'BOOK',
            },
            candidate,
          );
          expected.set(kind, (expected.get(kind) ?? 0) + 1);
        }
        expect(new Map(counted.map(({ kind, count }) => [kind, Number(count)]))).toEqual(expected);
        expect(counted.every(({ isJudged }) => !isJudged)).toBe(true);
      }
    },
  );
});
