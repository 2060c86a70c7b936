import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { createFeeSchedule, type FeeRow } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates, quote } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  createScriptedChain,
  ENCODERS,
  fundAsset,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';
import { resumeRelease, stopRelease } from '../../support/payments/stop-release.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';

const row = (more: Partial<FeeRow>): FeeRow => ({
  ...{ type: 'NETWORK', currency: 'EUR', environment: null, rail: 'BASE', country: null },
  ...{ fixed: 0n, bps: 0, min: null, max: null },
  ...more,
});
const FEES = [
  row({ fixed: 30n }),
  row({ type: 'SERVICE', rail: null, bps: 40 }),
  row({ currency: 'USDC', fixed: 250_000n }),
];

const chain = createScriptedChain();
/** The chain does not get what it is sent. */
let isLost = false;
let submits = 0;
let harness: PaymentHarness;
let settle: (paymentId: string) => Promise<unknown>;
beforeAll(async () => {
  const free = {
    markupBps: 0,
    feeBps: 0,
    feeFixed: '0',
    assetMarkupBps: ASSET_MARKUP_BPS,
    lockMarkupPercent: 0,
    hasCurrencies: true,
    graceMs: 60_000,
  };
  const quotes = { test: free, live: free };
  const fees = createFeeSchedule(FEES);
  const settings = testSettings({ networks: NETWORKS, quotes, fees });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await fundAsset(harness, 'USDC', 10_000_000_000n);
  await publishRates(harness, { EUR: '0.8', USDC: '1', EURC: '0.8' });
  const { db, corridors, networks } = harness.deps;
  const activities = createPaymentActivities({
    ...{ db, vault: harness.vault, clock: harness.clock, corridors, networks },
    connectors: createConnectorRegistry([
      {
        environment: 'test',
        payout: {
          ...chain,
          submit: (order, call) => {
            submits += 1;
            return isLost
              ? Promise.resolve({ kind: 'SILENCE', why: 'TIMEOUT' } as const)
              : chain.submit(order, call);
          },
        },
        statements: null,
      },
    ]),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: harness.deps.addressScreening,
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  settle = (paymentId) => activities.settle({ ...harness.scope, paymentId, isFirst: true });
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** What a payment has moved, by account and currency, in the end. */
async function moved(id: string): Promise<string[]> {
  const rows = await harness.rows<{ line: string }>(
    `SELECT concat_ws(' ', e.account, e.currency, sum(e.amount)) AS line FROM ledger_entries e
     JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.payment_id = $1
     GROUP BY e.account, e.currency HAVING sum(e.amount) <> 0 ORDER BY line`,
    [id],
  );
  return rows.map(({ line }) => line);
}
const eurToUsdc = { sourceCurrency: 'EUR', targetCurrency: undefined, targetAsset: 'USDC' };

async function payBy(quoteId: string, overrides: object) {
  const wallet = await addWallet(harness);
  const answer = await harness.pay(toWallet(harness, wallet.id, { quoteId, ...overrides }));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>();
}

describe('a payment to a wallet by a quote', () => {
  it('pays out what was quoted, and every unit of the source is somewhere', async () => {
    const quoted = await quote(harness, {
      ...{ ...eurToUsdc, network: 'BASE', sourceAmount: '1000.00', lockFor: '15m' },
    });
    const { id, ...payment } = await payBy(quoted.id, { amount: quoted.targetAmount });
    expect(payment).toMatchObject({
      ...{ amount: quoted.targetAmount, asset: 'USDC', quoteId: quoted.id, rate: quoted.rate },
      ...{ source: { currency: 'EUR', amount: '1000.00' }, fees: quoted.fees },
    });
    chain.word = { status: 'SETTLED' };
    await settle(id);
    expect((await harness.ask({ url: `/payments/${id}` })).json()).toMatchObject({
      status: 'COMPLETED',
    });
    expect(await moved(id)).toEqual([
      ...['available EUR -100000', 'fees EUR 429', 'fx EUR 99571'],
      ...['fx USDC -1240281268', 'nostro:BASE USDC 1240281268'],
    ]);
  });

  it('from an asset leaves what rounding leaves on an account of its own', async () => {
    const quoted = await quote(harness, {
      ...{ sourceCurrency: undefined, sourceAsset: 'USDC', targetCurrency: undefined },
      ...{ targetAsset: 'EURC', network: 'BASE', sourceAmount: '10.250005' },
    });
    expect(quoted.fees).toMatchObject([
      { type: 'NETWORK', amount: '0.250000', asset: 'USDC' },
      { type: 'ROUNDING', amount: '0.000001', asset: 'USDC' },
    ]);
    const { id } = await payBy(quoted.id, { amount: quoted.targetAmount, asset: 'EURC' });
    chain.word = { status: 'SETTLED' };
    await settle(id);
    expect(await moved(id)).toEqual([
      ...['available USDC -10250005', 'fees USDC 250000', 'fx EURC -7992003'],
      ...['fx USDC 10000004', 'nostro:BASE EURC 7992003', 'rounding USDC 1'],
    ]);
  });

  it('that the network refuses gives all of it back, and nothing was converted', async () => {
    const quoted = await quote(harness, {
      ...{ ...eurToUsdc, network: 'BASE', sourceAmount: '20.00' },
    });
    const { id } = await payBy(quoted.id, { amount: quoted.targetAmount });
    chain.word = { status: 'REJECTED' };
    await settle(id);
    expect(await moved(id)).toEqual([]);
  });

  it('that the network never saw is not handed to it again while release is stopped, its rate over or not', async () => {
    const quoted = await quote(harness, {
      ...{ ...eurToUsdc, network: 'BASE', sourceAmount: '20.00' },
    });
    const { id } = await payBy(quoted.id, { amount: quoted.targetAmount });
    chain.word = { status: 'ACCEPTED' };
    [isLost, submits] = [true, 0];
    await settle(id);
    await stopRelease(harness);
    const look = async () => {
      harness.clock.advance(120_000);
      await settle(id);
    };
    for (let looks = 0; looks < 6; looks += 1) await look();
    expect(submits).toBe(1);
    isLost = false;
    await resumeRelease(harness);
    await look();
    // Its rail judges the rate.
    expect(submits).toBe(2);
  });

  it('is used once, by payments that come at the same time too', async () => {
    const quoted = await quote(harness, {
      ...{ ...eurToUsdc, network: 'BASE', targetAmount: '5.000000' },
    });
    const wallet = await addWallet(harness);
    const body = toWallet(harness, wallet.id, { quoteId: quoted.id, amount: '5.000000' });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => harness.pay(body, randomUUID())),
    );
    const codes = answers.map(({ statusCode }) => statusCode).sort();
    expect(codes).toEqual([201, 409, 409, 409, 409]);
  });

  it('is not paid to a wallet on another network, nor to a bank account', async () => {
    const quoted = await quote(harness, {
      ...{ ...eurToUsdc, network: 'BASE', targetAmount: '5.000000' },
    });
    const wallet = await addWallet(harness, { network: 'ETHEREUM' });
    const order = { quoteId: quoted.id, amount: '5.000000' };
    for (const body of [toWallet(harness, wallet.id, order), harness.order(order)]) {
      expect((await harness.pay(body)).statusCode).toBeGreaterThanOrEqual(400);
    }
    const read = await harness.ask({ url: `/quotes/${quoted.id}` });
    expect(read.json()).toMatchObject({ status: 'ACTIVE', paymentId: null });
  });
});
