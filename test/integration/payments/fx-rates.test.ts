import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const ask = (query = '') => {
  return harness.app.inject({ url: `/api/v1/fx-rates${query}`, headers: harness.headers });
};
const leg = (quote: string, rate: string, asOf: Date) => ({
  source: 'sample',
  base: 'USD',
  quote,
  rate,
  asOf,
});

describe('GET /fx-rates', () => {
  it('GET /fx-rates says that no rate is at hand before any was stored', async () => {
    const answer = await ask();
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('60');
    expect(answer.json()).toMatchObject({ error: 'rate_unavailable' });
  });

  it('GET /fx-rates answers the base against all, any pair by triangulation, and the oldest time', async () => {
    const now = harness.clock.now();
    const older = new Date(now.getTime() - 60_000);
    const legs = [leg('EUR', '0.8', now), leg('GBP', '0.75', older)];
    await harness.database.db.system((tx) => replaceRates(tx, legs, now));

    const all = (await ask()).json();
    expect(all).toEqual({
      data: [
        { base: 'USD', quote: 'EUR', rate: '0.8' },
        { base: 'USD', quote: 'GBP', rate: '0.75' },
      ],
      asOf: older.toISOString(),
      source: 'sample',
      stale: false,
      marketClosed: false,
    });
    const cross = (await ask('?base=EUR&quote=USD,GBP')).json();
    expect(cross.data).toEqual([
      { base: 'EUR', quote: 'USD', rate: '1.25' },
      { base: 'EUR', quote: 'GBP', rate: '0.9375' },
    ]);
  });

  it('an older rate that comes late does not replace the newer one', async () => {
    const older = new Date(harness.clock.now().getTime() - 3_600_000);
    await harness.database.db.system((tx) => replaceRates(tx, [leg('EUR', '9', older)], older));
    expect((await ask('?quote=EUR')).json().data[0].rate).toBe('0.8');
  });

  it('a rate that has become too old is marked as stale', async () => {
    harness.clock.advance(27 * 3_600_000);
    expect((await ask('?quote=EUR')).json().stale).toBe(true);
    harness.clock.advance(-27 * 3_600_000);
  });

  it('a past moment has the rates and the staleness of that moment', async () => {
    const past = (hoursAgo: number) =>
      new Date(harness.clock.now().getTime() - hoursAgo * 3_600_000);
    const store = (legs: ReturnType<typeof leg>[]) =>
      harness.database.db.system((tx) => replaceRates(tx, legs, harness.clock.now()));
    await store([leg('SEK', '9', past(100))]);
    await store([leg('SEK', '10', past(10)), leg('NOK', '11', past(10))]);
    const at = async (hoursAgo: number, quote = 'SEK') =>
      (await ask(`?quote=${quote}&at=${past(hoursAgo).toISOString()}`)).json();
    expect(await at(99)).toMatchObject({ data: [{ rate: '9' }], stale: false });
    expect(await at(100)).toMatchObject({ data: [{ rate: '9' }], asOf: past(100).toISOString() });
    expect(await at(11)).toMatchObject({ data: [{ rate: '9' }], stale: true });
    expect(await at(10)).toMatchObject({ data: [{ rate: '10' }], stale: false });
    expect(await at(0)).toEqual((await ask('?quote=SEK')).json());
    expect(await at(11, 'NOK')).toMatchObject({ error: 'rate_unavailable' });
    expect(await at(101)).toMatchObject({ error: 'rate_unavailable' });
  });

  it.each([
    ['in the future', '2026-09-29T12:00:00.001Z'],
    ['beyond what is kept', '2024-09-29T11:59:59.999Z'],
    ['of no calendar', '2026-02-30T00:00:00Z'],
    ['that a clock cannot show', '2026-06-30T23:59:60Z'],
    ['without a time zone', '2026-09-01T00:00:00'],
  ])('a moment %s is refused', async (_what, at) => {
    const answer = await ask(`?at=${at}`);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: 'invalid_parameter', details: [{ path: '/query/at' }] },
    ]);
  });

  it('a wrong query of rates is refused, naming what is wrong', async () => {
    const unknown = await ask('?base=XXQ&quote=usd');
    expect(unknown.statusCode).toBe(400);
    expect(unknown.json().error).toBe('validation_failed');
    expect(unknown.json().details.map((detail: { path: string }) => detail.path)).toEqual([
      '/query/base',
      '/query/quote',
    ]);
    expect((await ask('?quote=')).json().error).toBe('unsupported_currency');
    expect((await ask('?at=2026-01-01')).json()).toMatchObject({
      error: 'invalid_parameter',
      details: [{ path: '/query/at', code: 'invalid_parameter' }],
    });
    expect((await ask('?quote=CHF')).json().error).toBe('rate_unavailable');
  });
});
