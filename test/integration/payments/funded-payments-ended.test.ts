import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  credit,
  orphan,
  readUpTo,
  seeDeposit,
  type FundedAnswer,
} from '../../support/funded-payments.ts';
import { publishRates, RATES } from '../../support/quoted-harness.ts';
import {
  createFundedHarness,
  FUNDING,
  minorOf,
  type FundedHarness,
} from '../../support/payments/funded-harness.ts';

let funded: FundedHarness;
beforeAll(async () => {
  funded = await createFundedHarness();
});
afterEach(() => funded.resetRails());
afterAll(() => funded.close());

const cancel = (id: string) =>
  funded.harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });

describe('a deposit that does not come in time', () => {
  it('ends the payment only once no block in time can be found any more', async () => {
    const payment = await funded.ordered();
    funded.moveTo(new Date(new Date(payment.funding.expiresAt).getTime() + 60_000));
    await readUpTo(funded.harness, new Date(payment.funding.expiresAt));
    expect(await funded.settle(payment.id)).toMatchObject({ kind: 'WAIT', needsHuman: false });
    expect(await funded.shown(payment.id)).toMatchObject({ status: 'PROCESSING' });
    await funded.expire(payment);
    expect(await funded.settle(payment.id)).toEqual({ kind: 'DONE', status: 'EXPIRED' });
    expect(await funded.shown(payment.id)).toMatchObject({
      ...{ status: 'EXPIRED', statusDetail: 'DEPOSIT_EXPIRED', cancelable: false },
      failure: { code: 'deposit_expired', category: 'NOT_FUNDED', retryable: true },
    });
  });

  it('ends the payment sooner where the clock of the sandbox was moved', async () => {
    const { harness } = funded;
    const payment = await funded.ordered();
    harness.clock.advance(10);
    const move = { method: 'POST', url: '/sandbox/clock', body: { advance: 'P1D' } } as const;
    expect((await harness.ask(move)).statusCode).toBe(200);
    expect(await funded.shown(payment.id)).toMatchObject({
      funding: { expiresAt: harness.clock.now().toISOString() },
    });
    funded.moveTo(new Date(harness.clock.now().getTime() + 60_000));
    await readUpTo(harness, harness.clock.now());
    expect(await funded.settle(payment.id)).toEqual({ kind: 'DONE', status: 'EXPIRED' });
  });

  it('leaves the part that came to the balance, and what comes later too', async () => {
    const before = await funded.usdc();
    const payment = await funded.ordered();
    await credit(funded.harness, await seeDeposit(funded.harness, payment, { amount: 7n }));
    await funded.wake(payment.id);
    await funded.expire(payment);
    await funded.settle(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({
      ...{ status: 'EXPIRED', statusDetail: 'DEPOSIT_UNDERPAID' },
      funding: { amountReceived: '0.000007' },
    });
    await credit(funded.harness, await seeDeposit(funded.harness, payment, { amount: 11n }));
    await funded.wake(payment.id);
    expect(await funded.usdc()).toEqual({ ...before, available: before.available + 18n });
  });

  it('waits for a sender that is still looked up', async () => {
    const payment = await funded.ordered();
    const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
    await funded.expire(payment);
    expect(await funded.settle(payment.id)).toMatchObject({ kind: 'WAIT' });
    await credit(funded.harness, deposit);
    await funded.wake(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({ statusDetail: 'QUEUED' });
  });

  it('keeps the rate of its quote for an hour of that and no longer: then the deposit is late', async () => {
    const asked = funded.harness.order({ funding: FUNDING });
    const payment = (await funded.harness.pay(asked)).json<FundedAnswer>();
    const minor = minorOf(payment);
    const deposit = await seeDeposit(funded.harness, payment, { amount: minor });
    const end = new Date(payment.funding.expiresAt).getTime();
    for (const [past, step] of [
      [3_600_000, { kind: 'WAIT' }],
      [3_601_000, { kind: 'DONE', status: 'EXPIRED' }],
    ] as const) {
      funded.moveTo(new Date(end + past));
      await readUpTo(funded.harness, new Date(end + past));
      expect(await funded.settle(payment.id)).toMatchObject(step);
    }
    const before = await funded.usdc();
    await credit(funded.harness, deposit);
    expect(await funded.usdc()).toEqual({ ...before, available: before.available + minor });
    const shownDeposit = (
      await funded.harness.ask({ url: `/deposits/${deposit.id}` })
    ).json<object>();
    expect(shownDeposit).toMatchObject({ appliedTo: 'BALANCE', reason: 'LATE' });
    await publishRates(funded.harness, { ...RATES, USDC: '1' }, funded.harness.clock.now());
  });

  it('is judged under one lock with the deposit that completes it', async () => {
    const payment = await funded.ordered();
    const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
    await funded.expire(payment);
    await Promise.all([
      funded.settle(payment.id),
      credit(funded.harness, deposit),
      funded.settle(payment.id),
    ]);
    await funded.wake(payment.id);
    const { status } = (await funded.shown(payment.id)) as { status: string };
    expect(['PROCESSING', 'SENT']).toContain(status);
  });
});

describe('canceling a payment that waits for a deposit', () => {
  it('gives the part that came to the balance', async () => {
    const before = await funded.usdc();
    const payment = await funded.ordered();
    await credit(funded.harness, await seeDeposit(funded.harness, payment, { amount: 9n }));
    const answer = await cancel(payment.id);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'CANCELED', fundsStatus: 'BACK_IN_BALANCE' });
    expect(await funded.usdc()).toEqual({ ...before, available: before.available + 9n });
    expect(await funded.settle(payment.id)).toEqual({ kind: 'DONE', status: 'CANCELED' });
  });

  it('gives a deposit that was seen to the balance when it is credited', async () => {
    const before = await funded.usdc();
    const payment = await funded.ordered();
    const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
    await funded.wake(payment.id);
    expect((await cancel(payment.id)).statusCode).toBe(200);
    await credit(funded.harness, deposit);
    const available = before.available + minorOf(payment);
    expect(await funded.usdc()).toEqual({ ...before, available });
  });

  it('is refused once all that is due is there', async () => {
    const payment = await funded.ordered();
    await credit(
      funded.harness,
      await seeDeposit(funded.harness, payment, { amount: minorOf(payment) }),
    );
    const answer = await cancel(payment.id);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      ...{ error: 'payment_not_cancelable', details: [{ meta: { reason: 'DEPOSIT_COMPLETE' } }] },
    });
  });

  it('and the deposit that completes it at the same moment: one of them has it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const before = await funded.usdc();
      const payment = await funded.ordered();
      const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
      const [answer] = await Promise.all([cancel(payment.id), credit(funded.harness, deposit)]);
      const isCanceled = answer.statusCode === 200;
      const after = await funded.usdc();
      const due = minorOf(payment);
      expect(after.available - before.available).toBe(isCanceled ? due : 0n);
      expect(after.reserved - before.reserved).toBe(isCanceled ? 0n : due);
    }
  });
});

describe('a deposit that its network takes back', () => {
  it('lets the payment wait again while nothing of it was handed to its rail', async () => {
    const before = await funded.usdc();
    const payment = await funded.ordered();
    const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
    await credit(funded.harness, deposit);
    await funded.wake(payment.id);
    await orphan(funded.harness, deposit);
    await funded.settle(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({
      ...{ statusDetail: 'AWAITING_DEPOSIT', fundsStatus: 'AWAITED', cancelable: true },
      funding: { amountReceived: '0.000000' },
    });
    expect(await funded.usdc()).toEqual(before);
  });

  it('and a claim at the same moment: it was taken back and waits, or it left and is owed', async () => {
    for (let round = 0; round < 4; round += 1) {
      const payment = await funded.ordered();
      const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
      await credit(funded.harness, deposit);
      await funded.wake(payment.id);
      const sent = funded.chain.orders.size;
      await Promise.all([funded.settle(payment.id), orphan(funded.harness, deposit)]);
      await funded.wake(payment.id);
      const hasLeft = funded.chain.orders.size > sent;
      expect(await funded.shown(payment.id)).toMatchObject(
        hasLeft ? { status: 'SENT' } : { statusDetail: 'AWAITING_DEPOSIT' },
      );
    }
  });
});
