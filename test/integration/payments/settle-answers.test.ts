import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startSandboxHarness,
  type SandboxHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await startSandboxHarness();
});
afterAll(async () => {
  await harness.expectMoneyMovedOnce();
  await harness.close();
});

const comesTo = (id: string, status: string) =>
  expect
    .poll(async () => {
      await harness.applyTransferReports(id);
      return (await harness.tell(id)).payment.status;
    })
    .toBe(status);

describe('what the bank answers decides', () => {
  it('SETTLED completes the payment in one run and moves the reserve out', async () => {
    const before = await harness.balance();
    const id = await harness.accept();
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    const { payment, story, attempts } = await harness.tell(id);
    expect(story).toEqual(['PROCESSING/QUEUED', 'COMPLETED/DELIVERED']);
    expect(payment).toMatchObject({ fundsStatus: 'DELIVERED', finality: 'PROVISIONAL' });
    expect(attempts).toMatchObject([{ number: 1, sends: 1, phase: 'SETTLED' }]);
    expect(payment.refs.map(({ type }) => type)).toEqual(['END_TO_END_ID', 'BANK_REFERENCE']);
    const after = await harness.balance();
    expect(BigInt(before.available) - BigInt(after.available)).toBe(1_000n);
    expect(after.reserved).toBe(before.reserved);
  });

  it('ACCEPTED is SENT until a callback completes it', async () => {
    await harness.fault('accept_then_callback');
    const id = await harness.accept();
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: false });
    expect(await harness.tell(id)).toMatchObject({
      payment: { status: 'SENT', statusDetail: 'IN_RAIL', fundsStatus: 'IN_RAIL' },
    });
    await comesTo(id, 'COMPLETED');
  });

  it('ACCEPTED is SENT until a question completes it, where the callback is lost', async () => {
    await harness.fault('accept_then_callback');
    const id = await harness.accept();
    await harness.settle(id);
    const { reference } = (await harness.tell(id)).attempts[0] ?? { reference: '' };
    await expect.poll(() => harness.bank.countMoney(reference).status).toBe('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it('a callback that overtakes the answer completes it, and the answer changes nothing', async () => {
    await harness.fault('settle_before_answer');
    const id = await harness.accept();
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
    const { story } = await harness.tell(id);
    expect(story.at(-1)).toBe('COMPLETED/DELIVERED');
    expect(story).toHaveLength(2);
  });

  it('a rejection that no retry mends fails the payment and gives the funds back', async () => {
    const before = await harness.balance();
    const id = await harness.accept({ amount: '10.01' });
    await harness.settle(id);
    await comesTo(id, 'FAILED');
    const { payment } = await harness.tell(id);
    expect(payment).toMatchObject({
      statusDetail: 'REJECTED_BY_BANK',
      fundsStatus: 'BACK_IN_BALANCE',
      finality: 'FINAL',
      failure: { code: 'account_not_found', category: 'BANK_REJECTED', retryable: false },
    });
    expect(await harness.balance()).toEqual(before);
  });

  it('four retryable rejections hold it, each attempt under a reference of its own', async () => {
    await harness.fault('reject_retryable', 4);
    const id = await harness.accept();
    const startedAt = harness.clock.now().getTime();
    const { payment, attempts } = await harness.drive(id);
    expect(payment).toMatchObject({ status: 'ON_HOLD', statusDetail: 'SETTLEMENT_FAILED' });
    expect(payment).toMatchObject({ fundsStatus: 'HELD', rejections: 4 });
    expect(attempts.map(({ phase }) => phase)).toEqual(Array(4).fill('REJECTED'));
    expect(new Set(attempts.map(({ reference }) => reference)).size).toBe(4);
    // 1 s, 2 s and 4 s between the four.
    expect(harness.clock.now().getTime() - startedAt).toBe(7_000);
  });

  it('before another reference goes out, the bank is asked about the rejected one', async () => {
    await harness.fault('reject_retryable', 1);
    const { payment, attempts } = await harness.drive(await harness.accept());
    expect(payment.status).toBe('COMPLETED');
    expect(attempts).toMatchObject([
      { phase: 'REJECTED', isRejectionConfirmed: true },
      { phase: 'SETTLED' },
    ]);
  });

  it('a retryable rejection costs one more attempt, not the payment', async () => {
    await harness.fault('reject_retryable', 2);
    const { payment, attempts } = await harness.drive(await harness.accept());
    expect(payment.status).toBe('COMPLETED');
    expect(attempts.map(({ phase }) => phase)).toEqual(['REJECTED', 'REJECTED', 'SETTLED']);
  });

  it('money that comes back is in the balance again', async () => {
    const before = await harness.balance();
    const id = await harness.accept({ amount: '10.02' });
    await harness.settle(id);
    await comesTo(id, 'RETURNED');
    expect((await harness.tell(id)).payment).toMatchObject({
      fundsStatus: 'BACK_IN_BALANCE',
      returnInfo: { reason: 'ACCOUNT_CLOSED', amount: '1002', fee: '0' },
    });
    expect(await harness.balance()).toEqual(before);
  });
});
