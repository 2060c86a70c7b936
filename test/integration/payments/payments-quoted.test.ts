import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { fund, publishRates, quote, RATES } from '../../support/quoted-harness.ts';
import { createFeeSchedule, type FeeRow } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { testSettings } from '../../support/test-app.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';

const pricing = {
  markupBps: 50,
  feeBps: 30,
  feeFixed: '0.50',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};
const scheduled: FeeRow = {
  ...{ type: 'SERVICE', currency: 'USD', environment: null, rail: null, country: null },
  ...{ fixed: 999n, bps: 0, min: null, max: null },
};

let harness: PaymentHarness;
let live: Payer;
let stranger: Payer;
beforeAll(async () => {
  const quotes = { test: pricing, live: { ...pricing, markupBps: 0 } };
  const fees = createFeeSchedule([scheduled]);
  harness = await createPaymentHarness({ settings: testSettings({ quotes, fees }) });
  await publishRates(harness);
  const { customerId } = harness.scope;
  live = await harness.addPayer({ customerId, environment: 'live' });
  const other = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await harness.addPayer({ customerId: other, environment: 'test' });
  await fund(harness, harness.scope, 'USD', 100_000_00n);
  await fund(harness, live.scope, 'USD', 100_000_00n);
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

const statusOf = async (id: string) =>
  (await harness.ask({ url: `/quotes/${id}` })).json<{
    status: string;
    paymentId: string | null;
  }>();
const payBy = (quoteId: string, overrides: object = {}, key = randomUUID()) =>
  harness.pay(harness.order({ quoteId, ...overrides }), key);
interface Told {
  id: string;
  quoteId: string;
  source: { currency: string; amount: string };
  rate: string;
  fees: object[];
}

describe('a payment by a quote', () => {
  it('takes what was quoted from the balance, fees included, and keeps rate and fees', async () => {
    const before = await harness.balance('USD');
    const quoted = await quote(harness);
    const answer = await payBy(quoted.id);
    expect(answer.statusCode, answer.body).toBe(201);
    const payment = answer.json<Told>();
    expect(payment).toMatchObject({
      ...{ quoteId: quoted.id, amount: '10.00', currency: 'EUR', rate: quoted.rate },
      source: { currency: 'USD', amount: quoted.sourceAmount },
      fees: quoted.fees,
    });
    expect(payment.fees).toHaveLength(2);
    expect(await statusOf(quoted.id)).toMatchObject({ status: 'CONSUMED', paymentId: payment.id });
    const after = await harness.balance('USD');
    const minor = BigInt(quoted.sourceAmount.replace('.', ''));
    expect(BigInt(before.available) - BigInt(after.available)).toBe(minor);
    expect(BigInt(after.reserved) - BigInt(before.reserved)).toBe(minor);
    const read = await harness.ask({ url: `/payments/${payment.id}` });
    expect(read.json()).toEqual(answer.json());
  });

  it('whose source was fixed pays what arrives, and the whole of what was asked for', async () => {
    const quoted = await quote(harness, { sourceAmount: '1000.00' });
    expect(quoted.targetAmount).toBe('892.37');
    const answer = await payBy(quoted.id, { amount: quoted.targetAmount, sourceCurrency: 'USD' });
    expect(answer.json()).toMatchObject({ source: { currency: 'USD', amount: '1000.00' } });
  });

  it('tells of quote, source, rate and fees in its event', async () => {
    const quoted = await quote(harness);
    const { id } = (await payBy(quoted.id)).json<Told>();
    const [event] = await harness.rows<{ data: object }>(
      `SELECT body::jsonb -> 'data' AS data FROM events WHERE resource_id = $1`,
      [id],
    );
    expect(event?.data).toMatchObject({
      ...{ quoteId: quoted.id, rate: quoted.rate, fees: quoted.fees },
      source: { currency: 'USD', amount: quoted.sourceAmount },
    });
  });

  it('repeated is answered as before, though the quote is used', async () => {
    const quoted = await quote(harness);
    const key = randomUUID();
    const first = await payBy(quoted.id, {}, key);
    const again = await payBy(quoted.id, {}, key);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('under another key finds the quote used', async () => {
    const quoted = await quote(harness);
    expect((await payBy(quoted.id)).statusCode).toBe(201);
    const second = await payBy(quoted.id);
    expect([second.statusCode, second.json<{ error: string }>().error]).toEqual([
      409,
      'quote_already_used',
    ]);
  });
});

describe('a payment by a quote is refused, and the quote stays', () => {
  const refusal = (answer: Awaited<ReturnType<typeof payBy>>) => {
    const { error, details } = answer.json<{ error: string; details?: object[] }>();
    return { status: answer.statusCode, error, details };
  };

  it.each<[string, object, object[]]>([
    [
      'another amount',
      { amount: '10.01' },
      [{ path: '/amount', meta: { quoted: '10.00', currency: 'EUR' } }],
    ],
    [
      'another source currency',
      { sourceCurrency: 'GBP' },
      [{ path: '/sourceCurrency', meta: { quoted: 'USD' } }],
    ],
    [
      "the payment's own currency as source",
      { sourceCurrency: 'EUR' },
      [{ path: '/sourceCurrency', meta: { quoted: 'USD' } }],
    ],
    [
      'another amount and source currency, both named',
      { amount: '9.99', sourceCurrency: 'JPY' },
      [{ path: '/amount' }, { path: '/sourceCurrency' }],
    ],
  ])('for %s', async (_what, overrides, details) => {
    const quoted = await quote(harness);
    const before = await harness.balance('USD');
    expect(refusal(await payBy(quoted.id, overrides))).toMatchObject({
      ...{ status: 422, error: 'quote_mismatch', details },
    });
    expect(await statusOf(quoted.id)).toMatchObject({ status: 'ACTIVE' });
    expect(await harness.balance('USD')).toEqual(before);
  });

  it('for another target currency, whose amount then compares with nothing', async () => {
    const quoted = await quote(harness, { targetCurrency: 'GBP' });
    const { status, error, details } = refusal(await payBy(quoted.id));
    expect([status, error]).toEqual([422, 'quote_mismatch']);
    expect(details).toEqual([
      expect.objectContaining({ path: '/currency', meta: { quoted: 'GBP' } }),
    ]);
    expect(await statusOf(quoted.id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('from the moment of its end on', async () => {
    const [late, last] = [await quote(harness), await quote(harness)];
    harness.clock.advance(59_999);
    expect((await payBy(last.id)).statusCode).toBe(201);
    harness.clock.advance(1);
    expect(refusal(await payBy(late.id))).toMatchObject({ status: 422, error: 'quote_expired' });
    expect(await statusOf(late.id)).toMatchObject({ status: 'EXPIRED' });
    await publishRates(harness);
  });

  it('for a quote of no customer, of another customer or environment: the same answer', async () => {
    const foreign = [
      `quo_${'0'.repeat(26)}`,
      'EUR',
      (await quote(harness, {}, stranger.token)).id,
      (await quote(harness, {}, live.token)).id,
    ];
    const answers = [];
    for (const id of foreign) answers.push(refusal(await payBy(id)));
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      ...{ status: 422, error: 'resource_not_found', details: [{ path: '/quoteId' }] },
    });
  });

  it('for a balance that does not cover it, or that there is none of', async () => {
    const large = await quote(harness, { targetAmount: '500000.00' });
    const none = await quote(harness, { sourceCurrency: 'GBP' });
    for (const [quoted, amount, balance] of [
      [large, '500000.00', 'USD'],
      [none, '10.00', 'GBP'],
    ] as const) {
      const answer = await payBy(quoted.id, { amount });
      expect(refusal(answer)).toMatchObject({ status: 422, error: 'insufficient_balance' });
      expect(answer.json<{ message: string }>().message).toContain(balance);
      expect(await statusOf(quoted.id)).toMatchObject({ status: 'ACTIVE' });
    }
  });

  it('for an end-user who may not be paid', async () => {
    const quoted = await quote(harness);
    const answer = await payBy(quoted.id, { endUserId: stranger.endUserId });
    expect(refusal(answer)).toMatchObject({ error: 'resource_not_found' });
    expect(await statusOf(quoted.id)).toMatchObject({ status: 'ACTIVE' });
  });

  it.each([
    ['sourceCurrency', 'XXX', 'unsupported_currency'],
    ['sourceCurrency', 'usd', 'unsupported_currency'],
    ['sourceCurrency', 5, 'validation_failed'],
    ['quoteId', '', 'validation_failed'],
    ['quoteId', null, 'validation_failed'],
    ['quoteId', 'x'.repeat(101), 'validation_failed'],
  ])('for %s %j', async (field, value, error) => {
    const answer = await harness.pay(harness.order({ [field]: value }));
    expect(refusal(answer)).toMatchObject({ status: 400, error, details: [{ path: `/${field}` }] });
  });
});

describe("a payment from another currency's balance without a quote", () => {
  it('is quoted at the moment, target side kept, and the quote is kept as used', async () => {
    const before = await harness.balance('USD');
    const answer = await harness.pay(harness.order({ sourceCurrency: 'USD' }));
    expect(answer.statusCode, answer.body).toBe(201);
    const payment = answer.json<Told>();
    const asQuoted = await quote(harness);
    expect(payment.source).toEqual({ currency: 'USD', amount: asQuoted.sourceAmount });
    expect([payment.rate, payment.fees]).toEqual([asQuoted.rate, asQuoted.fees]);
    const kept = (await harness.ask({ url: `/quotes/${payment.quoteId}` })).json<object>();
    const now = harness.clock.now().toISOString();
    expect(kept).toMatchObject({
      ...{ status: 'CONSUMED', paymentId: payment.id, fixedSide: 'TARGET', lockFor: '1m' },
      ...{ targetAmount: '10.00', sourceAmount: payment.source.amount, consumedAt: now },
    });
    const after = await harness.balance('USD');
    const minor = BigInt(payment.source.amount.replace('.', ''));
    expect(BigInt(before.available) - BigInt(after.available)).toBe(minor);
  });

  it('that is the same currency is a plain one, and asks for no rate', async () => {
    const answer = await harness.pay(harness.order({ sourceCurrency: 'EUR' }));
    expect(answer.json()).toMatchObject({
      ...{ quoteId: null, rate: null, fees: [], source: { currency: 'EUR', amount: '10.00' } },
    });
  });

  it('refused leaves no quote', async () => {
    const count = () => harness.rows('SELECT id FROM quotes');
    const before = await count();
    const answer = await harness.pay(harness.order({ sourceCurrency: 'GBP' }));
    expect(answer.json()).toMatchObject({ error: 'insufficient_balance' });
    expect(await count()).toEqual(before);
  });

  it('without a rate is refused with a time to come again', async () => {
    const answer = await harness.pay(harness.order({ sourceCurrency: 'KWD' }));
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
    expect(answer.json()).toMatchObject({
      ...{ error: 'rate_unavailable', details: [{ path: '/sourceCurrency' }] },
    });
  });

  it('at a stale rate is accepted in test and refused in live', async () => {
    const order = harness.order({ sourceCurrency: 'USD' });
    const own = { endUserId: live.endUserId, bankAccountId: live.bankAccountId };
    expect((await harness.pay({ ...order, ...own }, randomUUID(), live.token)).statusCode).toBe(
      201,
    );
    harness.clock.advance(27 * 3_600_000);
    expect((await harness.pay(order)).statusCode).toBe(201);
    const refused = await harness.pay({ ...order, ...own }, randomUUID(), live.token);
    expect(refused.json()).toMatchObject({ error: 'rate_unavailable' });
    await publishRates(harness, RATES);
  });

  it('whose source would be 10^12 or more is refused', async () => {
    const answer = await harness.pay(
      harness.order({ sourceCurrency: 'JPY', amount: '99999999999.99' }),
    );
    expect(answer.json()).toMatchObject({
      error: 'amount_above_maximum',
      details: [{ path: '/amount' }],
    });
  });
});
