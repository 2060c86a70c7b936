import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';
import { createReconciliationHarness } from '../../support/reconciliation/reconciliation-harness.ts';

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
});
afterAll(() => harness.close());

const postings = (paymentId: string) =>
  harness.rows<{ kind: string; amount: bigint }>(
    `SELECT t.kind, abs(max(e.amount)) AS amount FROM ledger_transactions t
     JOIN ledger_entries e ON e.transaction_id = t.id
     WHERE t.payment_id = $1 GROUP BY t.seq, t.kind ORDER BY t.seq`,
    [paymentId],
  );

const LOSS = { account: 'suspense', amount: -100n };
const suspense = (paymentId: string) =>
  harness.rows<{ account: string; amount: bigint }>(
    `SELECT e.account, e.amount FROM ledger_transactions t
     JOIN ledger_entries e ON e.transaction_id = t.id
     WHERE t.payment_id = $1 AND t.kind = 'RETURN_DIFFERENCE' ORDER BY e.account`,
    [paymentId],
  );

describe('the beneficiary of a payout knows our reference', () => {
  const code = ['RCDT', 'ESCT'] as const;

  it('a cent paid under it returns no payment and hides no later return', async () => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    const ref = await harness.reconcile({
      entries: [
        { reference, amount: '10.00' },
        { reference, amount: '0.01', direction: 'CRDT', code },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'UNKNOWN_RETURN']);
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'RECONCILED',
    });
    const returned = {
      reference,
      amount: '9.50',
      direction: 'CRDT',
      code: ['ICDT', 'RRTN'],
    } as const;
    expect(await harness.outcomes(await harness.reconcile({ entries: [returned] }))).toEqual([
      'RETURN',
    ]);
    expect(await harness.payment(paid.id)).toMatchObject({ status: 'RETURNED' });
  });

  it.each([
    { amount: '0.01' },
    { amount: '0.01', proprietaryCode: '166' },
    { amount: '10.00', code },
    { amount: '10.00', proprietaryCode: 'RRTN' },
    { amount: '10.00', code: ['RRCT', 'RRCT'] as const },
    { amount: '10.00', purpose: 'RRCT' },
    { amount: '10.00', remittance: '/RETN/ RtrInf AC04' },
  ])('a credit that the bank does not mark is no return: %o', async (credit) => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    const ref = await harness.reconcile({
      entries: [
        { reference, amount: '10.00' },
        { reference, direction: 'CRDT', ...credit },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'UNKNOWN_RETURN']);
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'RECONCILED',
    });
    expect(await postings(paid.id)).toHaveLength(2);
  });

  it.each([
    { amount: '9.50', code, returnReason: 'AC04' },
    { amount: '9.50', code, returnReason: '' },
    { amount: '9.50', code, reversal: true },
    { amount: '9.50', code: ['RCDT', 'RRTN'] as const },
    { amount: '9.50', code: ['IRCT', 'RPCR'] as const },
    { amount: '10.00', code: ['ICDT', 'ARET'] as const },
  ])('a credit that the bank marks as a return is one: %o', async (credit) => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    const ref = await harness.reconcile({
      entries: [
        { reference, amount: '10.00' },
        { reference, direction: 'CRDT', ...credit },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'RETURN']);
  });
});

describe('a statement is evidence', () => {
  it('completes a payment whose outcome was unknown, and wakes its workflow', async () => {
    const unknown = await harness.pay('UNKNOWN');
    await harness.reconcile({ entries: [{ reference: unknown.reference, amount: '10.00' }] });
    expect(await harness.payment(unknown.id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'RECONCILED',
      evidence: { line: 1 },
    });
    expect(await postings(unknown.id)).toEqual([
      { kind: 'HOLD', amount: 1_000n },
      { kind: 'SETTLE', amount: 1_000n },
    ]);
    expect(harness.wakes.map(({ workflowId }) => workflowId)).toEqual([
      `payment/test/${unknown.id}`,
    ]);
  });

  it('does not wake payments whose workflow has ended', async () => {
    harness.wakes.splice(0);
    const paid = await harness.pay('COMPLETED');
    await harness.reconcile({ entries: [{ reference: paid.reference, amount: '10.00' }] });
    expect(await harness.payment(paid.id)).toMatchObject({ reconciliation: 'RECONCILED' });
    expect(harness.wakes).toEqual([]);
  });

  it('returns a payment that came back, crediting what came back', async () => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    const ref = await harness.reconcile({
      entries: [
        { reference, amount: '10.00' },
        { reference, amount: '9.50', direction: 'CRDT', returnReason: 'AC04' },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'RETURN']);
    expect(await harness.payment(paid.id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'RECONCILED',
      evidence: { line: 1, return: { line: 2 } },
    });
    expect((await postings(paid.id)).at(-1)).toEqual({ kind: 'RETURN', amount: 950n });
    const [row] = await harness.rows<{ info: object }>(
      'SELECT return_info AS info FROM payments WHERE id = $1',
      [paid.id],
    );
    expect(row?.info).toMatchObject({ reason: 'AC04', amount: '950', fee: '50' });
  });

  it('a return that a callback brought before moves nothing again', async () => {
    const returned = await harness.pay('RETURNED');
    const { reference } = returned;
    const before = await postings(returned.id);
    await harness.reconcile({
      entries: [
        { reference, amount: '10.00' },
        { reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
      ],
    });
    expect(await postings(returned.id)).toEqual(before);
    expect(await harness.payment(returned.id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'RECONCILED',
      evidence: { return: { line: 2 } },
    });
  });

  it('a return of less than was credited is an exception: the credit stays, the difference is in suspense', async () => {
    const returned = await harness.pay('RETURNED');
    const { reference } = returned;
    const before = await postings(returned.id);
    const ref = await harness.reconcile({
      entries: [
        { reference, amount: '10.00' },
        { reference, amount: '9.00', direction: 'CRDT', returnReason: 'AC04' },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual(['RECONCILED', 'AMOUNT_MISMATCH']);
    expect(await postings(returned.id)).toEqual([
      ...before,
      { kind: 'RETURN_DIFFERENCE', amount: 100n },
    ]);
    expect(await suspense(returned.id)).toEqual([{ account: 'nostro:SEPA', amount: 100n }, LOSS]);
    expect(await harness.payment(returned.id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'EXCEPTION',
      evidence: {
        exception: 'AMOUNT_MISMATCH',
        amount: '9.00',
        suspense: { minorUnits: '100', currency: 'EUR' },
        before: { line: 1 },
      },
    });
    const again = await harness.fingerprint();
    await harness.activities.reconcileStatement(ref);
    expect(await harness.fingerprint()).toEqual(again);
  });

  it('a return of more than was credited leaves in suspense what the customer is owed', async () => {
    const returned = await harness.pay('COMPLETED');
    const { reference } = returned;
    await harness.callback(returned, { status: 'RETURNED', amount: '4.00' });
    await harness.reconcile({
      entries: [
        { reference, amount: '10.00' },
        { reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
      ],
    });
    expect(await suspense(returned.id)).toEqual([
      { account: 'nostro:SEPA', amount: -600n },
      { account: 'suspense', amount: 600n },
    ]);
  });

  it('completes and returns at once where nothing was known', async () => {
    const unknown = await harness.pay('UNKNOWN');
    const { reference } = unknown;
    await harness.reconcile({
      entries: [{ reference, amount: '10.00', direction: 'CRDT', reversal: true }],
    });
    expect(await harness.payment(unknown.id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'PENDING',
      evidence: { return: { line: 1 } },
    });
    await harness.reconcile({ entries: [{ reference, amount: '10.00' }] });
    expect(await harness.payment(unknown.id)).toMatchObject({
      reconciliation: 'RECONCILED',
      evidence: { line: 1, return: { line: 1 } },
    });
  });

  it('a rejection that was stored first makes the debit a late one', async () => {
    const unknown = await harness.pay('UNKNOWN');
    const { customerId } = harness.customer.scope;
    await harness.rows(
      `INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source, report_id,
         status, reason, received_at)
       VALUES ($1, 'test', $2, $3, 'CALLBACK', $3, 'REJECTED', 'AC04', now())`,
      [customerId, unknown.id, unknown.reference],
    );
    const ref = await harness.reconcile({
      entries: [{ reference: unknown.reference, amount: '10.00' }],
    });
    expect(await harness.outcomes(ref)).toEqual(['LATE']);
    expect(await harness.payment(unknown.id)).toMatchObject({
      status: 'FAILED',
      reconciliation: 'EXCEPTION',
    });
  });
});
