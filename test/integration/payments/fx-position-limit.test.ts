import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';

const FREE = {
  markupBps: 0,
  feeBps: 0,
  feeFixed: '0',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};

let harness: PaymentHarness;
beforeAll(async () => {
  const quotes = { test: { ...FREE, positionLimit: '100' }, live: FREE };
  harness = await createPaymentHarness({ settings: testSettings({ quotes }) });
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 100_000_00n);
  await fund(harness, harness.scope, 'GBP', 100_000_00n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const ask = (body: object) =>
  harness.ask({
    ...{ method: 'POST', url: '/quotes' },
    body: { sourceCurrency: 'USD', targetCurrency: 'EUR', lockFor: '1m', ...body },
  });
const REFUSED = { error: 'rate_unavailable' };

it('quotes and payments together stay within the limit; what makes it smaller is let in', async () => {
  // 45.00 EUR are 50 USD short; the dollar is the base, and no risk.
  await quote(harness, { targetAmount: '45.00' });
  await quote(harness, { targetAmount: '45.00' });
  const over = await ask({ targetAmount: '0.01' });
  expect([over.statusCode, over.headers['retry-after']]).toEqual([503, '60']);
  expect(over.json()).toMatchObject(REFUSED);
  expect((await harness.pay(harness.order({ sourceCurrency: 'USD' }))).json()).toMatchObject(
    REFUSED,
  );
  // Buying euros is welcome, as far as it goes.
  expect(
    (await ask({ sourceCurrency: 'EUR', targetCurrency: 'USD', targetAmount: '60.00' })).statusCode,
  ).toBe(201);
});

it('a quote that expires gives its part back, a payment keeps it until it is over', async () => {
  harness.clock.advance(60_000);
  const quoted = await quote(harness, { targetAmount: '80.00' });
  const paid = await harness.pay(harness.order({ quoteId: quoted.id, amount: '80.00' }));
  expect(paid.statusCode, paid.body).toBe(201);
  harness.clock.advance(60_000);
  expect((await ask({ targetAmount: '20.00' })).json()).toMatchObject(REFUSED);
  expect((await ask({ targetAmount: '10.00' })).statusCode).toBe(201);
});

it('between two other currencies the greater side counts, not both', async () => {
  harness.clock.advance(60_000);
  // 80.00 EUR short are 88.89 USD; 6 GBP long are 8.
  const pair = { sourceCurrency: 'GBP', targetCurrency: 'EUR' };
  expect((await ask({ ...pair, targetAmount: '9.00' })).statusCode).toBe(201);
  expect((await ask({ ...pair, targetAmount: '9.00' })).json()).toMatchObject(REFUSED);
});

it('automatic quotes of one moment count each other', async () => {
  harness.clock.advance(60_000);
  const order = harness.order({ sourceCurrency: 'USD', amount: '5.00' });
  const answers = [];
  for (let n = 0; n < 3; n += 1) answers.push((await harness.pay(order)).statusCode);
  expect(answers).toEqual([201, 201, 503]);
});

it('an environment without a limit is not asked', async () => {
  const { customerId } = harness.scope;
  const live = await harness.addPayer({ customerId, environment: 'live' });
  const large = await quote(harness, { targetAmount: '1000000.00' }, live.token);
  expect(large.targetAmount).toBe('1000000.00');
});

it('a quote that was given is honoured, though the position has outgrown the limit since', async () => {
  harness.clock.advance(60_000);
  // The 90.00 EUR that are owed by now are 93.75 USD for a moment.
  await publishRates(harness, { EUR: '0.96', GBP: '0.75' });
  const quoted = await quote(harness, { targetAmount: '4.00' });
  // Half as many euros for a dollar: all that we owe in euros is worth twice as much.
  await publishRates(harness, { EUR: '0.45', GBP: '0.75' });
  const order = harness.order({ amount: '4.00' });
  expect((await harness.pay({ ...order, sourceCurrency: 'USD' })).json()).toMatchObject(REFUSED);
  expect((await harness.pay({ ...order, quoteId: quoted.id })).statusCode).toBe(201);
});
