import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());
beforeEach(() => harness.alarms.splice(0));

const exceptionAlarms = () =>
  harness.alarms
    .filter(({ kind }) => kind === 'EXCEPTION')
    .map(({ exception, line, paymentId }) => ({ exception, line, paymentId }));

describe('a statement with planted anomalies', () => {
  it('gives exactly those, and everything else is reconciled', async () => {
    const good = await harness.pay('COMPLETED');
    const altered = await harness.pay('COMPLETED');
    const doubled = await harness.pay('COMPLETED');
    const failed = await harness.pay('FAILED');
    const neverSent = await harness.pay('NOT_SENT');
    const returned = await harness.pay('RETURNED');
    const pending = await harness.pay('COMPLETED');
    const ref = await harness.reconcile({
      entries: [
        { reference: good.reference.toLowerCase(), amount: '10.00' },
        { reference: altered.reference, amount: '10.01' },
        { reference: doubled.reference, amount: '10' },
        { reference: doubled.reference, amount: '10.00' },
        { reference: failed.reference, amount: '10.00' },
        { reference: neverSent.reference, amount: '10.00' },
        { reference: returned.reference, amount: '10.00' },
        { reference: returned.reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
        { reference: 'ANOTHER-PAYERS', amount: '3.00' },
        { amount: '4.00', direction: 'CRDT' },
        { reference: pending.reference, amount: '10.00', status: 'PDNG' },
      ],
    });

    expect(await harness.outcomes(ref)).toEqual([
      'RECONCILED',
      'AMOUNT_MISMATCH',
      'RECONCILED',
      'DUPLICATE_AT_BANK',
      'LATE',
      'UNEXPECTED_AT_BANK',
      'RECONCILED',
      'RETURN',
      'UNEXPECTED_AT_BANK',
      'UNKNOWN_RETURN',
      'IGNORED',
    ]);
    expect(await harness.statement(ref)).toEqual({ status: 'RECONCILED', problems: [], lines: 11 });
    const harnesses = [good, altered, doubled, failed, neverSent, returned, pending].map(
      async ({ id }) => {
        const { status, reconciliation, evidence } = await harness.payment(id);
        return [status, reconciliation, evidence?.['exception'] ?? null];
      },
    );
    expect(await Promise.all(harnesses)).toEqual([
      ['COMPLETED', 'RECONCILED', null],
      ['COMPLETED', 'EXCEPTION', 'AMOUNT_MISMATCH'],
      ['COMPLETED', 'EXCEPTION', 'DUPLICATE_AT_BANK'],
      ['FAILED', 'EXCEPTION', 'LATE'],
      ['PROCESSING', 'EXCEPTION', 'UNEXPECTED_AT_BANK'],
      ['RETURNED', 'RECONCILED', null],
      ['COMPLETED', 'PENDING', null],
    ]);
    const byLine = exceptionAlarms().sort((left, right) => Number(left.line) - Number(right.line));
    expect(byLine).toEqual([
      { exception: 'AMOUNT_MISMATCH', line: 2, paymentId: altered.id },
      { exception: 'DUPLICATE_AT_BANK', line: 4, paymentId: doubled.id },
      { exception: 'LATE', line: 5, paymentId: failed.id },
      { exception: 'UNEXPECTED_AT_BANK', line: 6, paymentId: neverSent.id },
      { exception: 'UNEXPECTED_AT_BANK', line: 9, paymentId: null },
      { exception: 'UNKNOWN_RETURN', line: 10, paymentId: null },
    ]);
  });

  it('evidence says where the bank shows the payment, in one version and one event', async () => {
    const paid = await harness.pay('COMPLETED');
    const { version } = await harness.payment(paid.id);
    await harness.reconcile({ entries: [{ reference: paid.reference, amount: '10.00' }] });
    const payment = await harness.payment(paid.id);
    expect(payment).toMatchObject({
      version: version + 1,
      evidence: {
        statementId: expect.stringMatching(/^STMT-/) as string,
        line: 1,
        bankReference: 'BANK-1',
        bookedAt: '2026-09-29T12:00:00.000Z',
      },
    });
    const events = await harness.rows<{ type: string }>(
      'SELECT type FROM events WHERE resource_id = $1 AND resource_version = $2',
      [paid.id, payment.version],
    );
    expect(events).toEqual([{ type: 'payment.reconciled' }]);
  });

  it('a double debit is found when the second line is on another statement', async () => {
    const paid = await harness.pay('COMPLETED');
    const debit = { reference: paid.reference, amount: '10.00' };
    await harness.reconcile({ entries: [{ ...debit, bankReference: 'DEBIT-1' }] });
    const second = await harness.reconcile({ entries: [{ ...debit, bankReference: 'DEBIT-2' }] });
    expect(await harness.outcomes(second)).toEqual(['DUPLICATE_AT_BANK']);
    expect((await harness.payment(paid.id)).evidence).toMatchObject({
      exception: 'DUPLICATE_AT_BANK',
      before: { line: 1 },
    });
  });

  it('an exception is not washed away by a line that is right', async () => {
    const failed = await harness.pay('FAILED');
    const entries = [{ reference: failed.reference, amount: '10.00' }];
    await harness.reconcile({ entries });
    const { version } = await harness.payment(failed.id);
    await harness.reconcile({ entries });
    expect(await harness.payment(failed.id)).toMatchObject({
      version,
      reconciliation: 'EXCEPTION',
      evidence: { exception: 'LATE' },
    });
  });

  it("a reference of the other environment is no payment's", async () => {
    const other = await seedPayingCustomer(harness.db, 'live');
    const paid = await other.pay({ fate: 'COMPLETED', at: new Date('2026-09-29T11:00:00Z') });
    const ref = await harness.reconcile({
      entries: [{ reference: paid.reference, amount: '10.00' }],
    });
    expect(await harness.outcomes(ref)).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'PENDING' });
  });

  it('nothing of a statement is kept but references, amounts and dates', async () => {
    const [found] = await harness.rows<{ lines: string; statements: string }>(
      `SELECT (SELECT string_agg(l::text, ' ') FROM statement_lines l) AS lines,
         (SELECT string_agg(s::text, ' ') FROM statements s) AS statements`,
    );
    expect(found?.lines).toContain('BANK-1');
    expect(found?.lines).not.toMatch(/\bAda\b/);
    expect(found?.statements).not.toMatch(/\bAda\b/);
  });
});
