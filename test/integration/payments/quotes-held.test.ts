import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { fund, publishRates } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const pricing = {
  ...{ markupBps: 5, feeBps: 0, feeFixed: '0', assetMarkupBps: ASSET_MARKUP_BPS },
  ...{ lockMarkupPercent: 100, hasCurrencies: true, graceMs: 15 * MINUTE_MS },
};

let harness: PaymentHarness;
let live: Payer;
beforeAll(async () => {
  const settings = testSettings({ quotes: { test: pricing, live: pricing } });
  harness = await createPaymentHarness({ settings });
  const { customerId } = harness.scope;
  live = await harness.addPayer({ customerId, environment: 'live' });
  await fund(harness, live.scope, 'USD', 100_000n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

interface Shown {
  readonly markupBps: number;
  readonly marketClosed: boolean;
  readonly rateAsOf: string;
}
async function quoteOf(lockFor: string, targetCurrency = 'EUR'): Promise<Shown> {
  const pair = { sourceCurrency: 'USD', targetCurrency, targetAmount: '10.00' };
  const body = { ...pair, lockFor };
  const answer = await harness.ask({ method: 'POST', url: '/quotes', body, token: live.token });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Shown>();
}
const markupOf = async (lockFor: string, targetCurrency?: string) =>
  (await quoteOf(lockFor, targetCurrency)).markupBps;
/** On every second day of these a percent more than on the others. */
const swing = (nth: number) => ({ EUR: nth % 2 === 0 ? '0.9' : '0.909' });

describe('a live quote', () => {
  it('costs more the longer it is locked, by the table where few rates of the pair are stored', async () => {
    await publishRates(harness, { CHF: '0.8' });
    // 5, and of 70 basis points a day what 16, 30 and 75 minutes come to.
    expect(await markupOf('1m', 'CHF')).toBe(10);
    expect(await markupOf('15m', 'CHF')).toBe(12);
    expect(await markupOf('1h', 'CHF')).toBe(15);
  });

  it('costs what the pair itself moves where its rates are stored, with a payment without a quote too', async () => {
    const weekdays = Array.from({ length: 60 }, (_, back) => back)
      .map((back) => new Date(harness.clock.now().getTime() - back * DAY_MS))
      .filter((day) => ![0, 6].includes(day.getUTCDay()))
      .reverse();
    // Today comes last.
    const last = weekdays.length - 1;
    for (const [nth, day] of weekdays.entries())
      await publishRates(harness, swing(last - nth), day);
    // 100 basis points a day.
    expect([await markupOf('1m'), await markupOf('1h')]).toEqual([12, 20]);
    const { endUserId, bankAccountId, token } = live;
    const order = harness.order({ endUserId, bankAccountId, sourceCurrency: 'USD' });
    const paid = await harness.pay(order, 'by-rates', token);
    expect(paid.statusCode, paid.body).toBe(201);
    // Nine tenths less 12 basis points.
    expect(paid.json()).toMatchObject({ rate: '0.89892' });
  });

  it('at a rate of a closed market is marked and costs the time since it was traded', async () => {
    harness.clock.advance(4 * DAY_MS);
    const close = new Date('2026-10-02T20:59:00.000Z');
    await publishRates(harness, swing(1), close);
    const closed = await quoteOf('1h');
    expect(closed).toMatchObject({ marketClosed: true, rateAsOf: close.toISOString() });
    // 5, and 15 hours, a minute and 75 minutes of 100 basis points a day.
    expect(closed.markupBps).toBe(57);
    const rates = await harness.ask({ url: '/fx-rates?quote=EUR', token: live.token });
    expect(rates.json()).toMatchObject({ marketClosed: true });
    harness.clock.advance(-4 * DAY_MS);
  });
});
