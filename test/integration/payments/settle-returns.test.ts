import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeStatementReport } from '../../../src/db/payments/transfer-report-store.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

async function paid(status: 'SETTLED' | 'ACCEPTED'): Promise<{ id: string; reference: string }> {
  harness.bank.onPut = says(status);
  const id = await harness.accept();
  await harness.settle(id);
  return { id, reference: (await harness.tell(id)).attempts[0]?.reference ?? '' };
}

/** A statement line that says how much came back, in major units. */
function readOnStatement(paymentId: string, reference: string, amount: string): Promise<boolean> {
  const line = { reportId: randomUUID(), paymentId, reference, bankReference: null };
  return harness.deps.db.write(harness.scope, (tx) =>
    storeStatementReport(
      tx,
      harness.scope,
      { ...line, status: 'RETURNED', reason: 'AC04', amount, bookedAt: null },
      harness.clock.now(),
    ),
  );
}

describe('money that comes back', () => {
  it('in full is in the balance again', async () => {
    const before = await harness.balance();
    const { id, reference } = await paid('SETTLED');
    await harness.callback({ reference, status: 'RETURNED', reason: 'AC04' });
    expect(await harness.applyTransferReports(id)).toEqual({ kind: 'DONE', status: 'RETURNED' });
    const { payment } = await harness.tell(id);
    expect(payment).toMatchObject({ finality: 'FINAL', fundsStatus: 'BACK_IN_BALANCE' });
    expect(payment.returnInfo).toMatchObject({ reason: 'AC04', amount: '1000', fee: '0' });
    expect(await harness.balance()).toEqual(before);
  });

  it("less the bank's fee is credited as far as it came, and the fee is told", async () => {
    const before = await harness.balance();
    const { id, reference } = await paid('SETTLED');
    await readOnStatement(id, reference, '7.50');
    await harness.applyTransferReports(id);
    const answer = await harness.ask({ url: `/payments/${id}` });
    expect(answer.json()).toMatchObject({
      status: 'RETURNED',
      return: { reason: 'AC04', amount: '7.50', fee: '2.50' },
    });
    expect(BigInt(before.available) - BigInt((await harness.balance()).available)).toBe(250n);
  });

  it('more than was paid is credited up to what was paid', async () => {
    const before = await harness.balance();
    const { id, reference } = await paid('SETTLED');
    await readOnStatement(id, reference, '50.00');
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment.returnInfo).toMatchObject({ amount: '1000', fee: '0' });
    expect(await harness.balance()).toEqual(before);
  });

  it('eaten up by fees returns the payment and credits nothing', async () => {
    const before = await harness.balance();
    const { id, reference } = await paid('SETTLED');
    await readOnStatement(id, reference, '0');
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'RETURNED',
      returnInfo: { amount: '0', fee: '1000' },
    });
    expect(BigInt(before.available) - BigInt((await harness.balance()).available)).toBe(1_000n);
  });

  it('before any report that it was paid: paid and returned, in two versions', async () => {
    const before = await harness.balance();
    const { id, reference } = await paid('ACCEPTED');
    await harness.callback({ reference, status: 'RETURNED', reason: 'AC04' });
    await harness.applyTransferReports(id);
    const { story } = await harness.tell(id);
    expect(story.slice(-3)).toEqual([
      'SENT/IN_RAIL',
      'COMPLETED/DELIVERED',
      'RETURNED/RETURNED_BY_BANK',
    ]);
    expect(await harness.balance()).toEqual(before);
  });

  it('told by callback with its amount is credited as far as it came', async () => {
    const before = await harness.balance();
    const { id, reference } = await paid('SETTLED');
    await harness.callback({ reference, status: 'RETURNED', reason: 'AC04', amount: '7.50' });
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment).toMatchObject({
      status: 'RETURNED',
      returnInfo: { amount: '750', fee: '250' },
    });
    expect(BigInt(before.available) - BigInt((await harness.balance()).available)).toBe(250n);
  });

  it('told with an amount that the currency cannot have counts as told without one', async () => {
    const { id, reference } = await paid('SETTLED');
    await harness.callback({ reference, status: 'RETURNED', reason: 'AC04', amount: '7.505' });
    await harness.applyTransferReports(id);
    expect((await harness.tell(id)).payment.returnInfo).toMatchObject({ amount: '1000' });
  });

  it('told by callback and by statement comes back once', async () => {
    const before = await harness.balance();
    const { id, reference } = await paid('SETTLED');
    await harness.callback({ reference, status: 'RETURNED', reason: 'AC04' });
    await readOnStatement(id, reference, '10.00');
    await harness.applyTransferReports(id);
    expect(await harness.balance()).toEqual(before);
  });
});
