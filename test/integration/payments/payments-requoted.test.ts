import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import {
  createBatchHarness,
  type BatchHarness,
} from '../../support/payments/batches/batch-harness.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';

const GRACE_MS = 60_000;
const pricing = {
  ...{ markupBps: 0, feeBps: 0, feeFixed: '0' },
  ...{
    assetMarkupBps: ASSET_MARKUP_BPS,
    lockMarkupPercent: 0,
    hasCurrencies: true,
    graceMs: GRACE_MS,
  },
};

let harness: BatchHarness;
beforeAll(async () => {
  const quotes = { test: pricing, live: pricing };
  harness = await createBatchHarness({ settings: testSettings({ quotes }) });
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 10_000n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** 10.00 EUR cost 11.12 USD. */
const REQUOTE = { sourceCurrency: 'USD', onQuoteExpiry: 'REQUOTE', maxSourceAmount: '12.00' };
const told = async (overrides: object) => {
  const answer = await harness.pay(harness.order({ amount: '10.00', ...overrides }), randomUUID());
  const { details = [] } = answer.json<{ details?: { path: string; code: string }[] }>();
  return [answer.statusCode, ...details.map(({ path, code }) => `${path} ${code}`)];
};

describe('POST /payments with onQuoteExpiry REQUOTE', () => {
  it('tells what is reserved, and until when it is priced anew', async () => {
    const at = harness.clock.now().getTime();
    const answer = await harness.pay(harness.order({ amount: '10.00', ...REQUOTE }), randomUUID());
    expect(answer.statusCode, answer.body).toBe(201);
    const heldUntil = at + 60_000 + GRACE_MS;
    expect(answer.json()).toMatchObject({
      source: { currency: 'USD', amount: '11.12' },
      ...{ onQuoteExpiry: 'REQUOTE', maxSourceAmount: '12.00' },
      rateHeldUntil: new Date(heldUntil).toISOString(),
      requoteUntil: new Date(heldUntil + 24 * 3_600_000).toISOString(),
    });
    const failing = await harness.pay(
      harness.order({ amount: '10.00', sourceCurrency: 'USD' }),
      randomUUID(),
    );
    expect(failing.json()).toMatchObject({
      ...{ onQuoteExpiry: 'FAIL', maxSourceAmount: null, requoteUntil: null },
    });
  });

  it('is the same request however its maximum is written', async () => {
    const key = randomUUID();
    const order = (maxSourceAmount: unknown) =>
      harness.order({ amount: '10.00', ...REQUOTE, maxSourceAmount });
    const first = await harness.pay(order('12.00'), key);
    expect((await harness.pay(order(12), key)).body).toBe(first.body);
    expect((await harness.pay(order('12.01'), key)).statusCode).toBe(422);
  });

  it.each<[string, object, (number | string)[]]>([
    ['in one currency', { onQuoteExpiry: 'FAIL' }, [400, '/onQuoteExpiry unexpected']],
    [
      'in one currency that is named',
      { ...REQUOTE, sourceCurrency: 'EUR' },
      [400, '/onQuoteExpiry unexpected'],
    ],
    [
      'that is unknown',
      { ...REQUOTE, onQuoteExpiry: 'WAIT' },
      [400, '/onQuoteExpiry validation_failed'],
    ],
    [
      'without a maximum',
      { ...REQUOTE, maxSourceAmount: undefined },
      [400, '/maxSourceAmount required'],
    ],
    [
      'FAIL with a maximum',
      { ...REQUOTE, onQuoteExpiry: 'FAIL' },
      [400, '/maxSourceAmount unexpected'],
    ],
    [
      'a maximum alone',
      { ...REQUOTE, onQuoteExpiry: undefined },
      [400, '/maxSourceAmount unexpected'],
    ],
    [
      'a maximum without its currency',
      { ...REQUOTE, sourceCurrency: undefined, quoteId: 'quo_x' },
      [400, '/sourceCurrency required'],
    ],
    ['a maximum of 1e30', { ...REQUOTE, maxSourceAmount: 1e30 }, [400, '/maxSourceAmount format']],
    [
      'a maximum of 10^12',
      { ...REQUOTE, maxSourceAmount: '1000000000000.00' },
      [400, '/maxSourceAmount too_large'],
    ],
    [
      'a maximum of too many decimals',
      { ...REQUOTE, maxSourceAmount: '12.000' },
      [400, '/maxSourceAmount amount_precision_exceeded'],
    ],
    [
      'a maximum of zero',
      { ...REQUOTE, maxSourceAmount: 0 },
      [400, '/maxSourceAmount not_positive'],
    ],
    [
      'a maximum below the price',
      { ...REQUOTE, maxSourceAmount: '11.11' },
      [422, '/maxSourceAmount amount_below_minimum'],
    ],
    [
      'a maximum that the balance does not cover',
      { ...REQUOTE, maxSourceAmount: '999999999999.99' },
      [422, '/amount insufficient_balance'],
    ],
    [
      'a deposit that pays',
      {
        ...{ ...REQUOTE, sourceCurrency: undefined },
        funding: { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' },
      },
      [400, '/onQuoteExpiry unexpected'],
    ],
    [
      'a wallet',
      {
        ...{ ...REQUOTE, bankAccountId: undefined, currency: undefined },
        ...{ asset: 'USDC', walletId: 'wal_x' },
      },
      [400, '/onQuoteExpiry unexpected'],
    ],
  ])('refuses %s', async (_case, overrides, expected) => {
    const before = await harness.balance('USD');
    expect(await told(overrides)).toEqual(expected);
    expect(await harness.balance('USD')).toEqual(before);
  });

  it('takes a maximum that is the price of a named quote, and leaves a quote above it unused', async () => {
    const { id: quoteId, targetAmount: amount } = await quote(harness);
    expect(await told({ amount, quoteId, ...REQUOTE, maxSourceAmount: '11.11' })).toEqual([
      ...[422, '/maxSourceAmount amount_below_minimum'],
    ]);
    expect(await told({ amount, quoteId, ...REQUOTE, maxSourceAmount: '11.12' })).toEqual([201]);
  });
});

it('an item of a batch is accepted with its maximum, and refused for one that cannot be', async () => {
  const amount = '10.00';
  const { id } = await harness.take([
    harness.item('requote-0', { amount, ...REQUOTE }),
    harness.item('requote-1', { amount, ...REQUOTE, maxSourceAmount: '12.000' }),
    harness.item('requote-2', { amount, ...REQUOTE, maxSourceAmount: '11.11' }),
    harness.item('requote-3', { amount, onQuoteExpiry: 'FAIL' }),
  ]);
  await harness.finish(id);
  const [accepted, ...refused] = await harness.items(id);
  const payment = await harness.ask({ url: `/payments/${accepted?.paymentId ?? ''}` });
  expect(payment.json()).toMatchObject({ maxSourceAmount: '12.00' });
  expect(refused.map(({ error }) => error?.details.map(({ path }) => path))).toEqual([
    ...[['/maxSourceAmount'], ['/maxSourceAmount'], ['/onQuoteExpiry']],
  ]);
});

describe('POST /payments/validate with onQuoteExpiry REQUOTE', () => {
  const validate = async (overrides: object) => {
    const body = harness.order({ amount: '10.00', ...REQUOTE, ...overrides });
    const answer = await harness.ask({ method: 'POST', url: '/payments/validate', body });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<object>();
  };

  it('tells the price, and until when it would be priced anew', async () => {
    const heldUntil = harness.clock.now().getTime() + 60_000 + GRACE_MS;
    expect(await validate({})).toMatchObject({
      valid: true,
      cost: {
        source: { currency: 'USD', amount: '11.12' },
        requoteUntil: new Date(heldUntil + 24 * 3_600_000).toISOString(),
      },
    });
  });

  it('tells of a balance that covers the price and not the maximum', async () => {
    expect(await validate({ maxSourceAmount: '5000.00' })).toMatchObject({
      ...{ valid: false, problems: [{ path: '/amount', code: 'insufficient_balance' }] },
    });
  });
});
