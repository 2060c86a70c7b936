import { beforeEach, describe, expect, it } from 'vitest';
import {
  createReconciliationHarness,
  type ReconciliationHarness,
} from '../../support/reconciliation/reconciliation-harness.ts';

let harness: ReconciliationHarness;
beforeEach(async () => {
  harness = await createReconciliationHarness();
  return () => harness.close();
});

const inSuspense = (paymentId: string) =>
  harness.rows(
    "SELECT FROM ledger_transactions WHERE payment_id = $1 AND kind = 'RETURN_DIFFERENCE'",
    [paymentId],
  );

describe('a return that only a callback told', () => {
  async function returned() {
    const paid = await harness.pay('COMPLETED');
    await harness.callback(paid, { status: 'RETURNED', amount: '10.00' });
    return paid;
  }
  const debit = (reference: string) => ({ reference, amount: '10.00' });
  const credit = (reference: string) =>
    ({ reference, amount: '10.00', direction: 'CRDT', returnReason: 'AC04' }) as const;

  it('is reconciled with the line that shows it, and not by the payout alone', async () => {
    const { id, reference } = await returned();
    const ref = await harness.reconcile({ entries: [debit(reference)] });
    expect(await harness.payment(id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'PENDING',
      evidence: { line: 1 },
    });
    const once = await harness.fingerprint();
    await harness.rows('UPDATE statement_lines SET processed_at = NULL WHERE payment_id = $1', [
      id,
    ]);
    await harness.rows("UPDATE statements SET status = 'READ' WHERE id = $1", [ref.statementId]);
    await harness.activities.reconcileStatement(ref);
    expect(await harness.fingerprint()).toEqual(once);
    await harness.reconcile({ entries: [credit(reference)] });
    expect(await harness.payment(id)).toMatchObject({
      reconciliation: 'RECONCILED',
      evidence: { line: 1, return: { line: 1 } },
    });
  });

  it('and that no statement shows is missing at the bank, until its line comes', async () => {
    const { id, reference } = await returned();
    await harness.reconcile({ entries: [debit(reference)] });
    harness.clock.advance(30 * 24 * 3_600_000);
    await harness.reconcile({ entries: [] }, '2027-01-29T11:00:30.000Z');
    expect(await harness.payment(id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'EXCEPTION',
      evidence: { exception: 'MISSING_AT_BANK', before: { line: 1 } },
    });
    await harness.reconcile({ entries: [credit(reference)] });
    expect(await harness.payment(id)).toMatchObject({
      reconciliation: 'RECONCILED',
      evidence: { line: 1, return: { line: 1 } },
    });
  });

  it('and that the statement takes back again stays open: the bank paid once', async () => {
    const { id, reference } = await returned();
    const back = { reference, amount: '10.00', direction: 'CRDT', reversal: true } as const;
    await harness.reconcile({ entries: [debit(reference), back, debit(reference)] });
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'PENDING' });
  });

  it('keeps what lies in suspense in sight when the bank contradicts itself later', async () => {
    const paid = await returned();
    const { id, reference } = paid;
    const less = { reference, amount: '9.00', direction: 'CRDT', returnReason: 'AC04' } as const;
    const ref = await harness.reconcile({ entries: [debit(reference), less] });
    await harness.callback(paid, { status: 'REJECTED', amount: '0' });
    await harness.reconcile({ entries: [credit(reference)] });
    const { evidence } = await harness.payment(id);
    expect(evidence).toMatchObject({ suspense: { minorUnits: '100', currency: 'EUR' } });
    await harness.rows(
      "UPDATE statement_lines SET processed_at = NULL, outcome = 'RETURN', exception = NULL WHERE payment_id = $1 AND line = 2",
      [id],
    );
    await harness.rows("UPDATE statements SET status = 'READ' WHERE id = $1", [ref.statementId]);
    await harness.activities.reconcileStatement(ref);
    expect(await inSuspense(id)).toHaveLength(1);
  });
});
