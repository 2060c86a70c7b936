import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createTestApp, testSettings, type TestApp } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';

const HOUR_MS = 3_600_000;
const pricing = {
  markupBps: 50,
  feeBps: 30,
  feeFixed: '0.50',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};

let harness: TestApp;
let liveToken: string;
beforeAll(async () => {
  const quotes = {
    test: pricing,
    live: {
      markupBps: 0,
      feeBps: 0,
      feeFixed: '0',
      assetMarkupBps: ASSET_MARKUP_BPS,
      lockMarkupPercent: 0,
      hasCurrencies: true,
      graceMs: 60_000,
    },
  };
  harness = await createTestApp({ settings: testSettings({ quotes }) });
  const live: Scope = { ...harness.scope, environment: 'live' };
  const key = await harness.database.db.system((tx) =>
    addApiKey(tx, harness.vault, { ...live, approvedRanges: ['127.0.0.1/32'] }),
  );
  liveToken = key.token;
  const rates = { EUR: '0.9', JPY: '150', KWD: '0.3', IRR: '1400000' };
  const asOf = harness.clock.now();
  const legs = Object.entries(rates).map(([quote, rate]) => {
    return { source: 'sample', base: 'USD', quote, rate, asOf };
  });
  await harness.database.db.system((tx) => replaceRates(tx, legs, asOf));
});
afterAll(() => harness.close());

interface More {
  readonly key?: string;
  readonly token?: string;
}
const post = (body: object | string, { key, token = harness.token }: More = {}) =>
  harness.app.inject({
    method: 'POST',
    url: '/api/v1/quotes',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
const get = (path: string, token = harness.token) =>
  harness.app.inject({
    url: `/api/v1/quotes${path}`,
    headers: { authorization: `Bearer ${token}` },
  });
const pair = { sourceCurrency: 'USD', targetCurrency: 'EUR', lockFor: '15m' };

describe('POST /quotes', () => {
  it('locks a rate with everything that it costs: the example of the documentation', async () => {
    const answer = await post({ ...pair, sourceAmount: '1000.00' });
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^quo_[0-9a-z]{26}$/),
      ...{ status: 'ACTIVE', sourceCurrency: 'USD', targetCurrency: 'EUR', fixedSide: 'SOURCE' },
      ...{ sourceAmount: '1000.00', convertedAmount: '996.51', targetAmount: '892.37' },
      ...{ midMarketRate: '0.9', rate: '0.8955', markupBps: 50 },
      fees: [
        {
          ...{ type: 'FIXED', amount: '0.50', currency: 'USD', bps: null },
          description: 'Fixed fee of a conversion',
        },
        {
          ...{ type: 'PERCENTAGE', amount: '2.99', currency: 'USD', bps: 30 },
          description: 'Share of the converted amount',
        },
      ],
      ...{ rateAsOf: '2026-09-29T12:00:00.000Z', rateSource: 'sample', stale: false },
      ...{ marketClosed: false, lockFor: '15m', createdAt: '2026-09-29T12:00:00.000Z' },
      ...{ expiresAt: '2026-09-29T12:15:00.000Z', consumedAt: null, paymentId: null },
    });
    const { id } = answer.json<{ id: string }>();
    expect((await get(`/${id}`)).json()).toEqual(answer.json());
    expect((await get('?limit=1')).json()).toMatchObject({ data: [answer.json()] });
  });

  it('keeps the side that was asked for', async () => {
    const answer = await post({ ...pair, targetAmount: '892.37' });
    expect(answer.json()).toMatchObject({
      ...{ fixedSide: 'TARGET', targetAmount: '892.37', sourceAmount: '1000.00' },
    });
  });

  it('takes the fixed fee in the source currency, and knows how many decimals it has', async () => {
    const yen = { sourceCurrency: 'JPY', targetCurrency: 'KWD', lockFor: '1h' };
    const answer = (await post({ ...yen, targetAmount: 1.25 })).json();
    expect(answer).toMatchObject({ targetAmount: '1.250', fees: [{ amount: '75' }, {}] });
    expect(answer.sourceAmount).toMatch(/^[0-9]+$/);
    expect(answer.midMarketRate).toBe('0.002');
  });

  it.each([
    ['1m', '12:01'],
    ['5m', '12:05'],
    ['15m', '12:15'],
    ['1h', '13:00'],
  ])('for %s holds until %s', async (lockFor, time) => {
    const answer = (await post({ ...pair, lockFor, sourceAmount: '10' })).json();
    expect(answer.expiresAt).toBe(`2026-09-29T${time}:00.000Z`);
  });

  it('reads an amount from the text, not through a double', async () => {
    const body = JSON.stringify({ ...pair, sourceAmount: 0 });
    const exact = await post(body.replace('"sourceAmount":0', '"sourceAmount":999999999999.99'));
    expect(exact.json()).toMatchObject({ sourceAmount: '999999999999.99' });
    const fine = await post(body.replace('"sourceAmount":0', '"sourceAmount":10.0000000000000000'));
    expect(fine.json()).toMatchObject({ error: 'amount_precision_exceeded' });
  });

  it('is EXPIRED at the end of its lock by the clock alone, and stays readable', async () => {
    const { id } = (await post({ ...pair, lockFor: '1m', sourceAmount: '10' })).json();
    harness.clock.advance(59_999);
    expect((await get(`/${id}`)).json().status).toBe('ACTIVE');
    harness.clock.advance(1);
    expect((await get(`/${id}`)).json().status).toBe('EXPIRED');
    const listed = async (status: string) =>
      (await get(`?status=${status}`)).json<{ data: { id: string }[] }>().data.map((one) => one.id);
    expect(await listed('EXPIRED')).toContain(id);
    expect(await listed('ACTIVE')).not.toContain(id);
    expect(await listed('CONSUMED')).toEqual([]);
    harness.clock.advance(-60_000);
  });

  it('under one key is one quote, however the amount is written', async () => {
    const first = await post({ ...pair, sourceAmount: '10.00' }, { key: 'one' });
    harness.clock.advance(1_000);
    const again = await post({ ...pair, sourceAmount: 10 }, { key: 'one' });
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    const other = await post({ ...pair, sourceAmount: '10.01' }, { key: 'one' });
    expect([other.statusCode, other.json().error]).toEqual([422, 'idempotency_key_mismatch']);
    harness.clock.advance(-1_000);
  });

  it.each<[string, object, number, string, string]>([
    ['no amount', {}, 400, 'validation_failed', '/sourceAmount'],
    [
      'two amounts',
      { sourceAmount: '1', targetAmount: '1' },
      400,
      'validation_failed',
      '/sourceAmount',
    ],
    [
      'one currency',
      { targetCurrency: 'USD', sourceAmount: '1' },
      400,
      'validation_failed',
      '/targetCurrency',
    ],
    [
      'a currency of none',
      { targetCurrency: 'XXQ', sourceAmount: '1' },
      400,
      'unsupported_currency',
      '/targetCurrency',
    ],
    [
      'gold',
      { sourceCurrency: 'XAU', sourceAmount: '1' },
      400,
      'unsupported_currency',
      '/sourceCurrency',
    ],
    [
      'a token',
      { targetCurrency: 'USDC', sourceAmount: '1' },
      400,
      'unsupported_currency',
      '/targetCurrency',
    ],
    ['nothing', { sourceAmount: '0.00' }, 400, 'validation_failed', '/sourceAmount'],
    ['less than nothing', { sourceAmount: '-1' }, 400, 'validation_failed', '/sourceAmount'],
    ['an exponent', { sourceAmount: '1e3' }, 400, 'validation_failed', '/sourceAmount'],
    [
      'a million millions',
      { targetAmount: '1000000000000' },
      400,
      'validation_failed',
      '/targetAmount',
    ],
    [
      'a third decimal',
      { targetAmount: '1.000' },
      400,
      'amount_precision_exceeded',
      '/targetAmount',
    ],
    [
      'a lock of its own',
      { sourceAmount: '1', lockFor: '2h' },
      400,
      'validation_failed',
      '/lockFor',
    ],
    ['no lock', { sourceAmount: '1', lockFor: undefined }, 400, 'validation_failed', '/lockFor'],
    ['a field too many', { sourceAmount: '1', rate: '9' }, 400, 'validation_failed', '/rate'],
    [
      'what the fees eat up',
      { sourceAmount: '0.50' },
      422,
      'amount_below_minimum',
      '/sourceAmount',
    ],
    [
      'less than the smallest unit',
      { sourceCurrency: 'IRR', sourceAmount: '700100.00' },
      ...([422, 'amount_below_minimum', '/sourceAmount'] as const),
    ],
    [
      'more than can be written on the other side',
      { targetCurrency: 'IRR', sourceAmount: '999999999999' },
      ...([422, 'amount_above_maximum', '/sourceAmount'] as const),
    ],
    [
      'more to pay than can be',
      { targetCurrency: 'KWD', targetAmount: '999999999999' },
      422,
      'amount_above_maximum',
      '/targetAmount',
    ],
    [
      'a currency without a rate',
      { targetCurrency: 'CHF', sourceAmount: '1' },
      503,
      'rate_unavailable',
      '/targetCurrency',
    ],
  ])('about %s is refused, and says where', async (_what, change, status, error, path) => {
    const answer = await post({ ...pair, ...change });
    expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
    expect(answer.json().details[0].path).toBe(path);
  });

  it('tells all problems at once', async () => {
    const answer = await post({ ...pair, sourceCurrency: 'XXQ', targetAmount: '1.005' });
    const paths = answer.json<{ details: { path: string }[] }>().details.map(({ path }) => path);
    expect(paths).toEqual(['/sourceCurrency', '/targetAmount']);
  });

  it('at a stale rate says so in test, and is refused in live with a time to come again', async () => {
    harness.clock.advance(27 * HOUR_MS);
    const test = await post({ ...pair, sourceAmount: '10' });
    expect([test.statusCode, test.json().stale]).toEqual([201, true]);
    const live = await post({ ...pair, sourceAmount: '10' }, { token: liveToken });
    expect([live.statusCode, live.json().error, live.headers['retry-after']]).toEqual([
      ...[503, 'rate_unavailable', '60'],
    ]);
    expect((await get('', liveToken)).json().data).toEqual([]);
    harness.clock.advance(-27 * HOUR_MS);
    const fresh = await post({ ...pair, sourceAmount: '10' }, { token: liveToken });
    expect(fresh.json()).toMatchObject({ stale: false, markupBps: 0, fees: [], rate: '0.9' });
  });

  it("needs the permission, and another environment's quote is a 404", async () => {
    const { scope, vault, database } = harness;
    const reader = await database.db.system((tx) =>
      addApiKey(tx, vault, { ...scope, scopes: ['quotes:read'] }),
    );
    const refused = await post({ ...pair, sourceAmount: '10' }, { token: reader.token });
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'insufficient_scope']);
    const { id } = (await post({ ...pair, sourceAmount: '10' })).json();
    expect((await get(`/${id}`, reader.token)).statusCode).toBe(200);
    expect((await get(`/${id}`, liveToken)).statusCode).toBe(404);
    const events = await database.db.system((tx) =>
      tx.query("SELECT FROM events WHERE resource_id LIKE 'quo%'"),
    );
    expect(events).toEqual([]);
  });
});
