import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFxActivities } from '../../../activities/payments/fx.ts';
import { readRates } from '../../../src/db/payments/fx-rate-store.ts';
import { quoteTable } from '../../../src/domain/payments/fx/quote-table.ts';
import type { RefusedLeg } from '../../../src/domain/payments/fx/guard.ts';
import { createHttpSource } from '../../../src/adapters/fx/http-source.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startRatePublisher, type RatePublisher } from '../../support/rate-publisher.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { ecbSample } from '../../support/payments/ecb-sample.ts';
import { nbpSample } from '../../support/payments/nbp-sample.ts';

const DAY_MS = 24 * 3_600_000;
const MAX_AGE_MS = 4 * DAY_MS;

let database: TestDatabase;
let ecb: RatePublisher;
let nbp: RatePublisher;
let clock: ReturnType<typeof createTestClock>;
let failed: string[];
let refused: RefusedLeg[];
let disputed: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  ecb = await startRatePublisher(ecbSample);
  nbp = await startRatePublisher(nbpSample);
});
afterAll(async () => {
  await Promise.all([ecb.close(), nbp.close()]);
  await database.close();
});
beforeEach(async () => {
  await database.db.system(async (tx) => {
    await tx.query('DELETE FROM fx_rates');
    await tx.query('DELETE FROM fx_rate_history');
  });
  clock = createTestClock(new Date('2026-09-29T15:00:00.000Z'));
  ecb.answer(ecbSample);
  nbp.answer(nbpSample);
  [failed, refused, disputed] = [[], [], []];
});

const refresh = () =>
  createFxActivities({
    db: database.db,
    clock,
    sources: [
      createHttpSource('ecb', { url: ecb.url, timeoutMs: 3_000 }),
      createHttpSource('nbp', { url: nbp.url, timeoutMs: 3_000 }),
    ],
    releasedPegs: [],
    moveMaxPercent: '20',
    rateMaxAgeMs: MAX_AGE_MS,
    historyMs: 730 * DAY_MS,
    alarms: {
      sourceFailed: ({ source }) => failed.push(source),
      ratesRefused: (legs) => refused.push(...legs),
      sourcesDisagree: (currencies) => disputed.push(...currencies),
    },
  }).refreshRates();

const stored = async (source: string) =>
  (await readRates(database.db)).filter((leg) => leg.source === source);
const history = async () =>
  database.db.query<{ source: string; quote: string; rate: string; asOf: Date }>(
    `SELECT source, quote, rate::text, as_of AS "asOf" FROM fx_rate_history
     ORDER BY source, base, quote, as_of`,
  );
const ask = async (base: string, quote: string) => {
  const legs = await readRates(database.db);
  return quoteTable(legs, { base, quotes: [quote], at: clock.now(), maxAgeMs: MAX_AGE_MS });
};

const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol">${Array.from(
  { length: 9 },
  (_, nth) =>
    `<!ENTITY ${'abcdefghij'[nth + 1] ?? ''} "${`&${'abcdefghij'[nth] ?? ''};`.repeat(10)}">`,
).join('')}]><lolz>&j;</lolz>`;
const endless: RequestListener = (_request, response) => {
  const chunk = Buffer.alloc(1 << 20, ' ');
  let left = 100;
  const send = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) return void response.once('drain', send);
    }
    response.end();
  };
  send();
};

describe('a source of rates that is not what it should be', () => {
  const hostile: readonly (readonly [string, string | RequestListener])[] = [
    ['garbage', Buffer.from([0, 1, 2, 254, 255]).toString('latin1')],
    ['nothing', ''],
    ['a page that asks to log in', '<html><body>Log in</body></html>'],
    ['a negative rate', ecbSample.replace('173.41', '-173.41')],
    ['a zero rate', ecbSample.replace('173.41', '0.000')],
    ['NaN', ecbSample.replace('173.41', 'NaN')],
    ['a huge number', ecbSample.replace('173.41', '9'.repeat(400))],
    ['an exponent', ecbSample.replace('173.41', '1e300')],
    ['a currency twice', ecbSample.replace("'JPY'", "'GBP'")],
    ['an XML bomb', bomb],
    ['an entity of a file', ecbSample.replace('Reference rates', '&x;')],
    ['half of its document', ecbSample.slice(0, 500)],
    ['a redirect', (_q, a) => void a.writeHead(302, { location: nbp.url }).end(ecbSample)],
    ['an error', (_q, a) => void a.writeHead(500).end(ecbSample)],
    ['a hang', () => undefined],
    ['a hang in the middle', (_q, a) => void a.write(ecbSample.slice(0, 400))],
    ['a cut connection', (_q, a) => void a.destroy()],
    ['100 MB', endless],
  ];
  it.each(hostile)('with %s leaves nothing behind, and the others go on', async (_what, bad) => {
    ecb.answer(bad);
    await expect(refresh()).rejects.toMatchObject({ code: 'RATES_UNREACHABLE' });
    expect(failed).toEqual(['ecb']);
    expect(await stored('ecb')).toEqual([]);
    expect(await stored('nbp')).toHaveLength(7);
    expect((await history()).every(({ source }) => source === 'nbp')).toBe(true);
  });

  it('keeps its last good rates, which grow stale and say so', async () => {
    await refresh();
    const before = await stored('ecb');
    expect((await ask('USD', 'JPY')).rows).toMatchObject([{ source: 'ecb', isStale: false }]);
    ecb.answer('garbage');
    clock.advance(MAX_AGE_MS + 1);
    await expect(refresh()).rejects.toMatchObject({ code: 'RATES_UNREACHABLE' });
    expect(await stored('ecb')).toEqual(before);
    const table = await ask('USD', 'JPY');
    expect(table).toMatchObject({ isStale: true, asOf: before[0]?.asOf });
  });

  it('is told from a source that dates its rates in the future', async () => {
    ecb.answer(ecbSample.replace('2026-09-29', '2026-09-30'));
    await refresh();
    expect(await stored('ecb')).toEqual([]);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['from_the_future']));
  });

  it('cannot move a rate out of reach: the one before stays, all others follow', async () => {
    await refresh();
    clock.advance(DAY_MS);
    ecb.answer(ecbSample.replace('2026-09-29', '2026-09-30').replace('173.41', '17341'));
    await refresh();
    expect(refused).toMatchObject([{ leg: { quote: 'JPY' }, reason: 'moved_too_far' }]);
    const legs = new Map((await stored('ecb')).map((leg) => [leg.quote, leg]));
    expect(legs.get('JPY')).toMatchObject({ rate: '173.41' });
    expect(legs.get('GBP')?.asOf).toEqual(new Date('2026-09-30T14:00:00.000Z'));
  });

  it('cannot move a held currency out of its band', async () => {
    nbp.answer(nbpSample.replace('0.4642', '0.5'));
    await refresh();
    expect(refused).toMatchObject([{ leg: { base: 'HKD' }, reason: 'peg_broken' }]);
    expect((await stored('nbp')).map(({ base }) => base)).not.toContain('HKD');
    expect((await history()).filter(({ quote }) => quote === 'HKD')).toEqual([]);
  });

  it('that leaves a currency out lets that one grow stale, not the others', async () => {
    await refresh();
    clock.advance(MAX_AGE_MS);
    const later = ecbSample.replace('2026-09-29', '2026-10-03');
    ecb.answer(later.replace(/.*'ISK'.*\n/, ''));
    nbp.answer(nbpSample.replace('2026-09-29', '2026-10-03'));
    await refresh();
    clock.advance(1);
    expect((await ask('EUR', 'GBP')).isStale).toBe(false);
    expect((await ask('EUR', 'ISK')).isStale).toBe(true);
  });

  it('that contradicts another one raises an alarm, and the rate counts as stale', async () => {
    nbp.answer(nbpSample.replace('4.1376', '4.6').replace('0.5535', '0.6154'));
    await refresh();
    expect(disputed).toEqual(['EUR']);
    expect((await ask('USD', 'EUR')).isStale).toBe(true);
    expect((await ask('USD', 'JPY')).isStale).toBe(false);
  });
});

describe('the history of rates', () => {
  it('has each rate once, however often it is fetched, and a correction in its place', async () => {
    await refresh();
    const first = await history();
    expect(first).toHaveLength(12);
    clock.advance(3_600_000);
    await refresh();
    expect(await history()).toEqual(first);
    ecb.answer(ecbSample.replace('173.41', '173.42'));
    await refresh();
    const corrected = await history();
    expect(corrected).toHaveLength(12);
    expect(corrected.find(({ quote }) => quote === 'JPY')?.rate).toBe('173.42');
  });

  it('is kept for its time, but for the newest of a pair, and forgotten in batches', async () => {
    await refresh();
    await database.db.system((tx) =>
      tx.query(
        `INSERT INTO fx_rate_history (source, base, quote, rate, as_of, fetched_at)
         SELECT 'ecb', 'EUR', 'JPY', 170, $1::timestamptz - n * interval '1 minute', $1
         FROM generate_series(0, 2500) n`,
        [new Date('2024-10-01T00:00:00.000Z')],
      ),
    );
    clock.advance(2 * DAY_MS);
    await refresh();
    const left = (await history()).filter(({ quote }) => quote === 'JPY');
    expect(left.map(({ rate }) => rate)).toEqual([...left.slice(0, -1).map(() => '170'), '173.41']);
    const oldest = new Date(clock.now().getTime() - 730 * DAY_MS);
    expect(left[0]?.asOf.getTime()).toBeGreaterThanOrEqual(oldest.getTime());
    expect(left.length).toBeLessThan(600);
    clock.advance(5_000 * DAY_MS);
    await refresh();
    expect(await history()).toHaveLength(12);
  });

  it('may be written by the system alone', async () => {
    await expect(
      database.db.query("UPDATE fx_rate_history SET rate = 1 WHERE source = 'ecb'"),
    ).rejects.toThrow('permission denied');
    await expect(database.db.query('DELETE FROM fx_rate_history')).rejects.toThrow(
      'permission denied',
    );
  });
});
