import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRecipient } from '../../support/add-recipient.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { addCustomer } from '../../support/test-customer.ts';
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
  // 90.00 EUR are 100 USD, and the dollar is no risk.
  const quotes = { test: { ...FREE, positionLimit: '100' }, live: FREE };
  harness = await createPaymentHarness({ settings: testSettings({ quotes }) });
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 100_000_00n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const ask = (body: object, token?: string) =>
  harness.ask({
    ...{ method: 'POST', url: '/quotes', ...(token && { token }) },
    body: { sourceCurrency: 'USD', targetCurrency: 'EUR', lockFor: '1m', ...body },
  });
const REFUSED = { error: 'rate_unavailable' };

it('quotes the other way round make no room: a customer who asks for them need not use them', async () => {
  await quote(harness, { targetAmount: '90.00' });
  const opposite = { sourceCurrency: 'EUR', targetCurrency: 'USD', targetAmount: '60.00' };
  expect((await ask({ targetAmount: '0.01' })).json()).toMatchObject(REFUSED);
  for (let n = 0; n < 3; n += 1) {
    const { statusCode } = await ask(opposite);
    // The third would leave more than the limit of euros, were all of them used and the first not.
    expect(statusCode).toBe(n === 0 ? 201 : 503);
    expect((await ask({ targetAmount: '0.01' })).json()).toMatchObject(REFUSED);
  }
  const order = harness.order({ sourceCurrency: 'USD', amount: '1.00' });
  expect((await harness.pay(order)).json()).toMatchObject(REFUSED);
});

it('what another customer does not use keeps no customer from a quote; what it pays counts for all', async () => {
  harness.clock.advance(60_000);
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  const scope = { customerId, environment: 'test' } as const;
  const { token, endUserId, bankAccountId } = await harness.addPayer(scope);
  await fund(harness, scope, 'USD', 100_000_00n);
  const { id: quoteId } = await quote(harness, { targetAmount: '85.00' }, token);
  expect((await ask({ targetAmount: '85.00' }, token)).json()).toMatchObject(REFUSED);
  expect((await ask({ targetAmount: '85.00' })).statusCode).toBe(201);
  const order = harness.order({ endUserId, bankAccountId, quoteId, amount: '85.00' });
  const paid = await harness.pay(order, undefined, token);
  expect(paid.statusCode, paid.body).toBe(201);
  harness.clock.advance(60_000);
  expect((await ask({ targetAmount: '6.00' })).json()).toMatchObject(REFUSED);
  expect((await ask({ targetAmount: '5.00' })).statusCode).toBe(201);
});

it('requests of one customer at the same moment take no more than one after the other', async () => {
  harness.clock.advance(60_000);
  const askForOne = () => ask({ targetAmount: '5.00' });
  let fit = 0;
  while ((await askForOne()).statusCode === 201) fit += 1;
  expect(fit).toBeGreaterThan(0);
  harness.clock.advance(60_000);
  const order = harness.order({ sourceCurrency: 'USD', amount: '5.00' });
  const asked = Array.from({ length: fit + 20 }, (_, n) =>
    n % 2 === 0 ? askForOne() : harness.pay(order),
  );
  const codes = (await Promise.all(asked)).map(({ statusCode }) => statusCode).sort();
  expect(codes).toEqual([...Array<number>(fit).fill(201), ...Array<number>(20).fill(503)]);
});

it('a payment the other way round makes no room while it may be canceled', async () => {
  harness.clock.advance(60_000);
  const { endUserId, bankAccountId } = await addRecipient(harness, {
    ...{ country: 'US', currency: 'USD' },
    details: { routingNumber: '021000021', accountNumber: '123456789', accountType: 'CHECKING' },
  });
  await fund(harness, harness.scope, 'EUR', 100_00n);
  const isQuoted = async () => (await ask({ targetAmount: '1.00' })).statusCode === 201;
  while (await isQuoted());
  const opposite = { endUserId, bankAccountId, currency: 'USD', sourceCurrency: 'EUR' };
  const paid = await harness.pay(harness.order({ ...opposite, amount: '50.00' }));
  expect(paid.statusCode, paid.body).toBe(201);
  expect(await isQuoted()).toBe(false);
  const { id } = paid.json<{ id: string }>();
  const answer = await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
  expect(answer.json()).toMatchObject({ status: 'CANCELED' });
});
