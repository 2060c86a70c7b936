import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDueDeposits } from '../../../src/db/onchain/deposit-exit-store.ts';
import { payOnDeposit } from '../../../src/modules/onchain/deposits/pay-on-deposit.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates, RATES } from '../../support/quoted-harness.ts';
import { bookStandingDeposit } from '../../support/standing-deposit.ts';
import { whileStopped } from '../../support/stopped-network.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  ENCODERS,
  fundAsset,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await publishRates(harness, { ...RATES, USDC: '1' });
  await fundAsset(harness, 'USDC', 1_000_000_000n);
});
afterAll(() => harness.close());

const CLOSED = { statusCode: 422, error: 'corridor_unavailable' };

async function quoteToBase() {
  const pair = { sourceCurrency: 'EUR', targetAsset: 'USDC', network: 'BASE' };
  const body = { ...pair, lockFor: '15m', sourceAmount: '10.00' };
  const answer = await harness.ask({ method: 'POST', url: '/quotes', body });
  return { statusCode: answer.statusCode, error: answer.json<{ error?: string }>().error };
}

async function pay() {
  const wallet = await addWallet(harness);
  const answer = await harness.pay(toWallet(harness, wallet.id));
  return { statusCode: answer.statusCode, error: answer.json<{ error?: string }>().error };
}

const statuses = async () => {
  const answer = await harness.ask({ url: '/networks' });
  const { data } = answer.json<{ data: { network: string; status: string }[] }>();
  return data.map(({ network, status }) => `${network} ${status}`);
};

describe('while a network stands still behind a block that was final', () => {
  it('it is PAUSED, and the others are not', async () => {
    expect(await whileStopped(harness, statuses)).toEqual(['BASE PAUSED', 'ETHEREUM ACTIVE']);
    expect(await statuses()).toEqual(['BASE ACTIVE', 'ETHEREUM ACTIVE']);
  });

  it('no payment to a wallet there is accepted, and no quote made', async () => {
    const refused = await whileStopped(harness, async () => [await pay(), await quoteToBase()]);
    expect(refused).toEqual([CLOSED, CLOSED]);
    expect([await pay(), await quoteToBase()]).toMatchObject([
      { statusCode: 201 },
      { statusCode: 201 },
    ]);
  });

  it('a deposit there waits to be paid on, and is not refused for good', async () => {
    const { endUserId, bankAccountId } = harness.payer;
    const body = { endUserId, bankAccountId };
    const made = await harness.ask({ method: 'POST', url: '/deposit-addresses', body });
    const depositId = await bookStandingDeposit(harness, made.json<{ id: string }>().id);
    const due = () =>
      harness.database.db.system((tx) => readDueDeposits(tx, new Date('2100-01-01'), '', 10));
    const payOn = () => payOnDeposit(harness.deps, { ...harness.scope, depositId });
    const payments = () =>
      harness.rows('SELECT FROM payments WHERE idempotency_key = $1', [`deposit·${depositId}`]);
    await whileStopped(harness, async () => {
      await payOn();
      expect([await due(), await payments()]).toEqual([[], []]);
    });
    expect(await due()).toMatchObject([{ depositId }]);
    await payOn();
    expect(await payments()).toHaveLength(1);
  });
});
