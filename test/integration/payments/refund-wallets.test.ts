import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DepositRow } from '../../../src/db/onchain/deposit-store.ts';
import { payOnDeposit } from '../../../src/modules/onchain/deposits/pay-on-deposit.ts';
import { createFeeSchedule } from '../../../src/domain/payments/fees/fee-schedule.ts';
import {
  credit,
  finalise,
  orphan,
  seeDeposit,
  type FundedAnswer,
} from '../../support/funded-payments.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates, RATES } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { addWallet, disableWallet, ENCODERS, NETWORKS } from '../../support/wallet-payments.ts';

/** Half a unit, of what is paid over BASE. */
const FEE = 500_000n;
const fees = createFeeSchedule([
  {
    ...{ type: 'NETWORK', currency: 'USDC', environment: null, rail: 'BASE', country: null },
    ...{ fixed: FEE, bps: 0, min: null, max: null },
  },
]);

let harness: PaymentHarness;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS, fees });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await publishRates(harness, { ...RATES, USDC: '1' });
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

interface WithRefunds extends FundedAnswer {
  readonly refundWalletId: string;
}

/** 25 USDC to a wallet, which deposits pay for, and another wallet for what it does not take. */
async function ordered(): Promise<WithRefunds> {
  const { endUserId } = harness.payer;
  const [to, back] = [await addWallet(harness), await addWallet(harness)];
  const funding = { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' };
  const answer = await harness.pay(
    {
      ...{ endUserId, walletId: to.id, amount: '25.00', asset: 'USDC' },
      funding: { ...funding, refundWalletId: back.id },
    },
    randomUUID(),
  );
  expect(answer.statusCode, answer.body).toBe(201);
  return { ...answer.json<FundedAnswer>(), refundWalletId: back.id };
}

const DUE = 25_000_000n + FEE;
const cancel = (id: string) => harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
const judge = ({ id: depositId }: Pick<DepositRow, 'id'>) =>
  payOnDeposit(harness.deps, { ...harness.scope, depositId });
const come = async (payment: FundedAnswer, amount: bigint) => {
  const deposit = await seeDeposit(harness, payment, { amount });
  await credit(harness, deposit);
  return deposit;
};
const show = async ({ id }: Pick<DepositRow, 'id'>) =>
  (await harness.ask({ url: `/deposits/${id}` })).json<{
    reason: string | null;
    onward: { paymentId: string | null; code: string | null } | null;
  }>();
const isDue = async ({ id }: Pick<DepositRow, 'id'>) =>
  (await harness.rows(`SELECT FROM deposit_onward WHERE deposit_id = $1 AND status = 'DUE'`, [id]))
    .length === 1;
const refundsOf = ({ id }: Pick<DepositRow, 'id'>) =>
  harness.rows<{ wallet: string; amount: string; source: string }>(
    `SELECT wallet_id AS wallet, amount::text, source_amount::text AS source FROM payments
     WHERE idempotency_key = $1`,
    [`deposit·${id}`],
  );

async function expectRefund(
  deposit: DepositRow,
  { refundWalletId }: WithRefunds,
  amount: bigint,
): Promise<void> {
  expect(await isDue(deposit)).toBe(true);
  await Promise.all([judge(deposit), judge(deposit), judge(deposit)]);
  const paid = (amount - FEE).toString();
  expect(await refundsOf(deposit)).toEqual([
    { wallet: refundWalletId, amount: paid, source: paid },
  ]);
  const { onward } = await show(deposit);
  expect(onward).toMatchObject({ paymentId: expect.stringMatching(/^pay_/) as string, code: null });
}

describe('what a payment with a wallet for refunds does not take of its deposits', () => {
  it('is refunded once the deposit is final: what is too much', async () => {
    const payment = await ordered();
    const deposit = await come(payment, DUE + 7_000_000n);
    expect(await isDue(deposit)).toBe(false);
    await finalise(harness, deposit);
    await expectRefund(deposit, payment, 7_000_000n);
    expect(await show(deposit)).toMatchObject({ appliedTo: 'PAYMENT', reason: 'SURPLUS' });
  });

  it('is refunded: a part of a payment that ends, whether it was final before or becomes so later', async () => {
    for (const isFinalBefore of [true, false]) {
      const payment = await ordered();
      const deposit = await come(payment, 9_000_000n);
      if (isFinalBefore) await finalise(harness, deposit);
      expect(await isDue(deposit)).toBe(false);
      expect((await cancel(payment.id)).statusCode).toBe(200);
      if (!isFinalBefore) await finalise(harness, deposit);
      await expectRefund(deposit, payment, 9_000_000n);
      expect(await show(deposit)).toMatchObject({ reason: 'UNDERPAID' });
    }
  });

  it('is refunded: what comes late', async () => {
    const payment = await ordered();
    expect((await cancel(payment.id)).statusCode).toBe(200);
    const deposit = await come(payment, 5_000_000n);
    await finalise(harness, deposit);
    await expectRefund(deposit, payment, 5_000_000n);
  });

  it('is not refunded where its block is gone before it is final, nor what the payment takes', async () => {
    const payment = await ordered();
    const gone = await come(payment, DUE + 3_000_000n);
    await orphan(harness, gone);
    expect(await isDue(gone)).toBe(false);
    const taken = await come(payment, DUE);
    await finalise(harness, taken);
    expect(await isDue(taken)).toBe(false);
  });

  it('stays in the balance with the code where it cannot be refunded, and can be by hand', async () => {
    const payment = await ordered();
    const deposit = await come(payment, DUE + 4_000_000n);
    await disableWallet(harness, payment.refundWalletId);
    await finalise(harness, deposit);
    await judge(deposit);
    expect(await refundsOf(deposit)).toEqual([]);
    expect(await show(deposit)).toMatchObject({
      ...{ reason: 'SURPLUS', onward: { paymentId: null, code: 'wallet_not_active' } },
    });
    const { id: walletId } = await addWallet(harness);
    const answer = await harness.ask({
      ...{ method: 'POST', url: `/deposits/${deposit.id}/refund` },
      ...{ body: { walletId, amount: '3.50' }, key: randomUUID() },
    });
    expect(answer.statusCode, answer.body).toBe(201);
  });

  it('is not refunded by hand before that is judged, nor again after it', async () => {
    const payment = await ordered();
    const deposit = await come(payment, DUE + 8_000_000n);
    await finalise(harness, deposit);
    const { id: walletId } = await addWallet(harness);
    const byHand = async () => {
      const answer = await harness.ask({
        ...{ method: 'POST', url: `/deposits/${deposit.id}/refund` },
        ...{ body: { walletId, amount: '1.00' }, key: randomUUID() },
      });
      return answer.json<{ error: string }>().error;
    };
    expect(await byHand()).toBe('deposit_not_final');
    await judge(deposit);
    expect(await byHand()).toBe('refund_exceeds_deposit');
  });

  it('goes to no other wallet, for no one else and for no more, whatever program writes', async () => {
    const payment = await ordered();
    const deposit = await come(payment, DUE + 6_000_000n);
    await finalise(harness, deposit);
    const { id: walletId } = await addWallet(harness);
    const other = await harness.pay(
      { endUserId: harness.payer.endUserId, walletId, amount: '1.00', asset: 'USDC' },
      randomUUID(),
    );
    expect(other.statusCode, other.body).toBe(201);
    await expect(
      harness.rows(
        `UPDATE deposit_onward SET status = 'PAID', payment_id = $2 WHERE deposit_id = $1`,
        [deposit.id, other.json<{ id: string }>().id],
      ),
    ).rejects.toThrow('it is paid on once');
    await judge(deposit);
  });
});
