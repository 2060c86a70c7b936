import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { createFeeSchedule, type FeeRow } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { ASSET_MARKUP_BPS } from '../../../src/domain/payments/quotes/asset-markup.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createSnapshotSource } from '../../../src/adapters/fx/snapshot.ts';
import { LISTED_NETWORKS } from '../../support/listed-networks.ts';
import { publishRates } from '../../support/quoted-harness.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createTestApp, testSettings, type TestApp } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';

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
/** Units for one dollar. */
const RATES = { EUR: '0.8', JPY: '150', USDC: '1.0001', USDT: '0.9995', EURC: '0.8008' };

const row = (more: Partial<FeeRow>): FeeRow => ({
  ...{ type: 'SERVICE', currency: 'EUR', environment: null, rail: null, country: null },
  ...{ fixed: 0n, bps: 0, min: null, max: null },
  ...more,
});
const fees = createFeeSchedule([
  row({ bps: 40, min: 50n }),
  row({ type: 'NETWORK', rail: 'BASE', fixed: 30n }),
  row({ type: 'NETWORK', rail: 'ETHEREUM', fixed: 450n }),
  row({ type: 'RAIL', fixed: 10n }),
  row({ currency: 'USDC', fixed: 250_000n }),
]);

let harness: TestApp;
let liveToken: string;
beforeAll(async () => {
  const quotes = { test: pricing, live: pricing };
  const networks = { test: LISTED_NETWORKS, live: LISTED_NETWORKS };
  harness = await createTestApp({ settings: testSettings({ quotes, fees, networks }) });
  const live: Scope = { ...harness.scope, environment: 'live' };
  const key = await harness.database.db.system((tx) =>
    addApiKey(tx, harness.vault, { ...live, approvedRanges: ['127.0.0.1/32'] }),
  );
  liveToken = key.token;
  await publishRates(harness, RATES);
});
afterAll(() => harness.close());

const post = (body: object, token = harness.token) =>
  harness.app.inject({
    ...{ method: 'POST', url: '/api/v1/quotes' },
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
const toUsdc = { sourceCurrency: 'EUR', targetAsset: 'USDC', network: 'BASE', lockFor: '15m' };

describe('POST /quotes with an asset', () => {
  it('shows every fee by itself, the markup of its lock and the network', async () => {
    const answer = await post({ ...toUsdc, sourceAmount: '1000.00' });
    expect(answer.statusCode, answer.body).toBe(201);
    const quote = answer.json();
    expect(quote).toEqual({
      id: expect.stringMatching(/^quo_[0-9a-z]{26}$/),
      ...{ status: 'ACTIVE', sourceCurrency: 'EUR', targetAsset: 'USDC', network: 'BASE' },
      ...{ fixedSide: 'SOURCE', sourceAmount: '1000.00', convertedAmount: '995.61' },
      ...{ targetAmount: '1240.280721', midMarketRate: '1.250125', rate: '1.2457495625' },
      ...{ markupBps: 35 },
      fees: [
        {
          ...{ type: 'SERVICE', amount: '3.99', currency: 'EUR', bps: 40 },
          description: 'Fee of the service',
        },
        {
          ...{ type: 'NETWORK', amount: '0.30', currency: 'EUR', bps: null },
          description: 'Fee of the network',
        },
        {
          ...{ type: 'RAIL', amount: '0.10', currency: 'EUR', bps: null },
          description: 'Fee of the rail',
        },
      ],
      ...{
        rateAsOf: '2026-09-29T12:00:00.000Z',
        rateSource: 'sample',
        stale: false,
        marketClosed: false,
      },
      ...{ lockFor: '15m', createdAt: '2026-09-29T12:00:00.000Z' },
      ...{ expiresAt: '2026-09-29T12:15:00.000Z', consumedAt: null, paymentId: null },
    });
    const read = await harness.app.inject({
      ...{ url: `/api/v1/quotes/${quote.id}`, headers: harness.headers },
    });
    expect(read.json()).toEqual(quote);
  });

  it('asked for by what arrives costs what is paid for so much', async () => {
    const answer = await post({ ...toUsdc, targetAmount: '1240.280721' });
    expect(answer.json()).toMatchObject({ sourceAmount: '1000.00', targetAmount: '1240.280721' });
  });

  it('charges the network that is named', async () => {
    const answer = await post({ ...toUsdc, network: 'ETHEREUM', sourceAmount: '1000.00' });
    expect(answer.json().fees[1]).toMatchObject({ type: 'NETWORK', amount: '4.50' });
  });

  it.each([
    ['1m', 10],
    ['5m', 20],
    ['15m', 35],
    ['1h', 60],
  ])('held for %s takes %i basis points', async (lockFor, markupBps) => {
    const answer = await post({ ...toUsdc, lockFor, sourceAmount: '10.00' });
    expect(answer.json()).toMatchObject({ lockFor, markupBps });
  });

  it('pays with an asset, has its fees in it and shows what rounding leaves over', async () => {
    const body = { sourceAsset: 'USDC', targetCurrency: 'EUR', lockFor: '1m' };
    const answer = await post({ ...body, sourceAmount: '100.123456' });
    expect(answer.statusCode, answer.body).toBe(201);
    const quote = answer.json();
    expect(quote).toMatchObject({ sourceAsset: 'USDC', targetCurrency: 'EUR' });
    expect(quote).not.toHaveProperty('sourceCurrency');
    expect(quote).not.toHaveProperty('network');
    expect(quote.fees).toMatchObject([
      { type: 'SERVICE', amount: '0.250000', asset: 'USDC' },
      { type: 'ROUNDING', asset: 'USDC', bps: null },
    ]);
    expect(quote.fees[0]).not.toHaveProperty('currency');
  });

  it('knows currencies without decimals', async () => {
    const answer = await post({ ...toUsdc, sourceCurrency: 'JPY', targetAmount: '0.000001' });
    expect(answer.json()).toMatchObject({ sourceAmount: '1', targetAmount: '0.000001', fees: [] });
  });

  it('between two assets is a quote too', async () => {
    const answer = await post({
      ...{ sourceAsset: 'USDC', targetAsset: 'EURC', network: 'BASE', lockFor: '1m' },
      targetAmount: '5.000000',
    });
    expect(answer.json()).toMatchObject({ sourceAsset: 'USDC', targetAsset: 'EURC' });
  });

  it.each<[string, object, number, string, string]>([
    ['no source', { sourceCurrency: undefined }, 400, 'validation_failed', '/sourceCurrency'],
    ['two sources', { sourceAsset: 'EURC' }, 400, 'validation_failed', '/sourceCurrency'],
    ['two targets', { targetCurrency: 'USD' }, 400, 'validation_failed', '/targetCurrency'],
    ['no network', { network: undefined }, 400, 'validation_failed', '/network'],
    [
      'a network for a currency',
      { targetAsset: undefined, targetCurrency: 'USD' },
      ...([400, 'validation_failed', '/network'] as const),
    ],
    ['a network of none', { network: 'PIGEON' }, 400, 'unsupported_network', '/network'],
    ['one not served', { network: 'ARBITRUM' }, 400, 'unsupported_network', '/network'],
    ['an asset of none', { targetAsset: 'DOGE' }, 400, 'unsupported_asset', '/targetAsset'],
    ['a currency as an asset', { targetAsset: 'USD' }, 400, 'unsupported_asset', '/targetAsset'],
    [
      'an asset as a currency',
      { sourceCurrency: 'USDC' },
      400,
      'unsupported_currency',
      '/sourceCurrency',
    ],
    [
      'an asset that the network does not list',
      { targetAsset: 'EURC', network: 'ETHEREUM' },
      ...([400, 'unsupported_asset', '/targetAsset'] as const),
    ],
    [
      'an asset to pay with that is listed nowhere',
      { sourceCurrency: undefined, sourceAsset: 'USDT' },
      ...([400, 'unsupported_asset', '/sourceAsset'] as const),
    ],
    ['a paused network', { network: 'POLYGON' }, 422, 'corridor_unavailable', '/network'],
    [
      'one asset twice',
      { sourceCurrency: undefined, sourceAsset: 'USDC' },
      ...([400, 'validation_failed', '/targetAsset'] as const),
    ],
    [
      'a seventh decimal',
      { sourceAmount: undefined, targetAmount: '1.0000000' },
      ...([400, 'amount_precision_exceeded', '/targetAmount'] as const),
    ],
    [
      'what the fees eat up',
      { sourceAmount: '0.90' },
      422,
      'amount_below_minimum',
      '/sourceAmount',
    ],
  ])('with %s is refused, and says where', async (_what, change, status, error, path) => {
    const answer = await post({ ...toUsdc, sourceAmount: '10.00', ...change });
    expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
    expect(answer.json().details[0].path).toBe(path);
  });

  it('is refused where the environment has no networks', async () => {
    const networks = { test: [], live: [] };
    const bare = await createTestApp({ settings: testSettings({ networks }) });
    const answer = await bare.app.inject({
      ...{ method: 'POST', url: '/api/v1/quotes', headers: bare.headers },
      payload: { ...toUsdc, sourceAmount: '10.00' },
    });
    expect([answer.statusCode, answer.json().error]).toEqual([422, 'corridor_unavailable']);
    await bare.close();
  });

  it('repeated under its key is the first answer, also once the network is not listed any more', async () => {
    const order = {
      ...({ method: 'POST', url: '/api/v1/quotes' } as const),
      headers: { ...harness.headers, 'idempotency-key': 'listed-then' },
      payload: { ...toUsdc, sourceAmount: '10.00' },
    };
    const first = await harness.app.inject(order);
    const settings = testSettings({ networks: { test: [], live: [] } });
    const later = buildCheckedApp({ ...harness.deps, settings });
    const again = await later.inject(order);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    await later.close();
  });

  it('uses no rate of old in live, and says so in test', async () => {
    harness.clock.advance(27 * HOUR_MS);
    const test = await post({ ...toUsdc, sourceAmount: '10.00' });
    expect(test.json()).toMatchObject({ stale: true });
    const live = await post({ ...toUsdc, sourceAmount: '10.00' }, liveToken);
    expect([live.statusCode, live.json().error]).toEqual([503, 'rate_unavailable']);
    harness.clock.advance(-27 * HOUR_MS);
    expect((await post({ ...toUsdc, sourceAmount: '10.00' }, liveToken)).statusCode).toBe(201);
  });

  it.each([
    ['the coin is 100 basis points off its peg', 'sample', '1.0102'],
    ['a second source is 50 basis points away', 'other', '1.0052'],
  ])('is refused in either environment while %s', async (_what, source, rate) => {
    const at = harness.clock.now();
    const leg = { source, base: 'USD', quote: 'USDC', rate, asOf: at };
    await harness.database.db.system((tx) => replaceRates(tx, [leg], at));
    for (const token of [harness.token, liveToken]) {
      const answer = await post({ ...toUsdc, sourceAmount: '10.00' }, token);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
      expect(answer.json()).toMatchObject({
        error: 'rate_unavailable',
        details: [{ path: '/targetAsset', code: 'rate_unavailable' }],
      });
    }
    const other = await post({ ...toUsdc, targetAsset: 'EURC', sourceAmount: '10.00' });
    expect(other.statusCode).toBe(201);
    const near = [{ ...leg, rate: RATES.USDC }];
    await harness.database.db.system((tx) => replaceRates(tx, near, at));
    expect((await post({ ...toUsdc, sourceAmount: '10.00' })).statusCode).toBe(201);
  });

  it('counts towards the limit of our position', async () => {
    const limited = { ...pricing, positionLimit: '100' };
    const quotes = { test: limited, live: pricing };
    const networks = { test: LISTED_NETWORKS, live: [] };
    const own = await createTestApp({ settings: testSettings({ quotes, networks }) });
    await publishRates(own, RATES);
    const ask = (targetAmount: string) =>
      own.app.inject({
        ...{ method: 'POST', url: '/api/v1/quotes', headers: own.headers },
        payload: { ...toUsdc, sourceCurrency: 'USD', targetAmount },
      });
    expect((await ask('60.000000')).statusCode).toBe(201);
    expect((await ask('60.000000')).json()).toMatchObject({ error: 'rate_unavailable' });
    expect((await ask('40.000000')).statusCode).toBe(201);
    await own.close();
  });

  it('has a rate offline, from what ships with the program', async () => {
    const networks = { test: LISTED_NETWORKS, live: [] };
    const own = await createTestApp({ settings: testSettings({ networks }) });
    const legs = await createSnapshotSource().fetch();
    await own.database.db.system((tx) => replaceRates(tx, legs, own.clock.now()));
    const answer = await own.app.inject({
      ...{ method: 'POST', url: '/api/v1/quotes', headers: own.headers },
      payload: { ...toUsdc, sourceAmount: '100.00' },
    });
    expect(answer.json()).toMatchObject({ targetAsset: 'USDC', rateSource: 'snapshot' });
    await own.close();
  });
});

describe('GET /fx-rates', () => {
  const ask = (query: string) =>
    harness.app.inject({ url: `/api/v1/fx-rates${query}`, headers: harness.headers });

  it('answers currencies alone where no asset is named', async () => {
    const quotes = async (query: string) =>
      (await ask(query)).json<{ data: { quote: string }[] }>().data.map(({ quote }) => quote);
    expect(await quotes('')).toEqual(['EUR', 'JPY']);
    expect(await quotes('?base=USDC')).toEqual(['EUR', 'JPY', 'USD']);
    const cross = (await ask('?base=EUR&quote=USDC,EURC')).json();
    expect(cross.data).toEqual([
      { base: 'EUR', quote: 'USDC', rate: '1.250125' },
      { base: 'EUR', quote: 'EURC', rate: '1.001' },
    ]);
    expect((await ask('?base=USDC&quote=EUR')).statusCode).toBe(200);
    expect((await ask('?base=DOGE')).json()).toMatchObject({ error: 'unsupported_currency' });
  });
});
