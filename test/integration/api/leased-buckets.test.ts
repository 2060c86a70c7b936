import { setInterval } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, type Database } from '../../../src/db/client/database.ts';
import { createPool } from '../../../src/db/client/pool.ts';
import { deleteFullRateBuckets } from '../../../src/db/customers/rate-bucket-store.ts';
import { createLeasedBuckets, type LeasedBuckets } from '../../../src/api/leased-buckets.ts';
import type { RateLimit } from '../../../src/api/settings.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const PAYMENTS: RateLimit = { perSecond: 20, burst: 40 };
const REQUESTS: RateLimit = { perSecond: 100, burst: 100 };

/** What a process keeps ahead at most. */
const blockMax = ({ perSecond }: RateLimit): number => 0.3 * perSecond + 1;

/** What three processes may hold or owe together at any moment, beside the 5 % that is promised. */
const PROMISED = 0.05;

/** The pace of the load, in milliseconds. */
const OFFER_EVERY_MS = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

interface Process {
  readonly buckets: LeasedBuckets;
  readonly warnings: string[];
  /** Statements so far. */
  statements(): number;
  /** From now on PostgreSQL does not answer it. */
  fail(isFailing: boolean): void;
  close(): Promise<void>;
}

const opened: Process[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

/** A process of its own: connections, and all that it remembers. */
function startProcess({ namesMax = 100 } = {}): Process {
  const common = { url: database.url, onError: () => undefined };
  const db = createDatabase({
    appPool: createPool({ ...common, role: 'causeway_app', connectionsMax: 4 }),
    systemPool: createPool({ ...common, role: 'causeway_system', connectionsMax: 1 }),
    runAfterCommit: () => undefined,
  });
  let statements = 0;
  let isFailing = false;
  const query: Database['query'] = (text, values) => {
    statements += 1;
    if (isFailing) return Promise.reject(new Error('Connection terminated'));
    return db.query(text, values);
  };
  const warnings: string[] = [];
  const log = { warn: (_fault: unknown, message: string) => void warnings.push(message) };
  const buckets = createLeasedBuckets({ db: { query }, log: log as never, namesMax });
  const process = {
    buckets,
    warnings,
    statements: () => statements,
    fail: (is: boolean) => void (isFailing = is),
    async close() {
      await buckets.stop();
      await db.close();
    },
  };
  opened.push(process);
  return process;
}

/** How many of `count` requests at once are granted. */
async function burst(process: Process, name: string, limit: RateLimit, count: number) {
  const answers = await Promise.all(
    Array.from({ length: count }, async () => process.buckets.take(name, limit)),
  );
  return answers.filter(({ isGranted }) => isGranted).length;
}

interface Load {
  readonly name: string;
  readonly limit: RateLimit;
  /** Which of the processes a request goes to. */
  readonly route: (seconds: number, nth: number) => number;
}

/** Offers three times the limit for so long; answers granted ones against the promise. */
async function offer(processes: readonly Process[], load: Load, seconds: number) {
  const beganAt = performance.now();
  let granted = 0;
  let offered = 0;
  const answers: Promise<void>[] = [];
  for await (const _turn of setInterval(OFFER_EVERY_MS)) {
    const elapsed = (performance.now() - beganAt) / 1_000;
    const wanted = Math.floor(3 * load.limit.perSecond * Math.min(elapsed, seconds));
    for (; offered < wanted; offered += 1) {
      const process = processes[load.route(elapsed, offered) % processes.length];
      const answer = process?.buckets.take(load.name, load.limit);
      const count = async () => {
        if ((await answer)?.isGranted === true) granted += 1;
      };
      answers.push(count());
    }
    if (elapsed >= seconds) break;
  }
  await Promise.all(answers);
  const elapsed = (performance.now() - beganAt) / 1_000;
  const promised = load.limit.burst + load.limit.perSecond * elapsed;
  return { name: load.name, offered, ratio: granted / promised };
}

describe('three processes', () => {
  it('grant together what one would, however the load is spread, at three times the limit', async () => {
    const processes = [startProcess(), startProcess(), startProcess()];
    const spreads: Record<string, Load['route']> = {
      'evenly spread': (_seconds, nth) => nth,
      'all on one': () => 0,
      'nine of ten on one': (_seconds, nth) => (nth % 10 === 0 ? 1 + (nth % 20) / 10 : 0),
      'moving every second': (seconds) => Math.floor(seconds),
      'moving all the time': (seconds) => Math.floor(seconds / 0.15),
    };
    const loads = Object.entries(spreads).flatMap(([spread, route]): Load[] => [
      { name: `payments ${spread}`, limit: PAYMENTS, route },
      { name: `requests ${spread}`, limit: REQUESTS, route },
    ]);
    const results = await Promise.all(loads.map((load) => offer(processes, load, 10)));
    const offered = results.reduce((sum, result) => sum + result.offered, 0);
    const statements = processes.reduce((sum, process) => sum + process.statements(), 0);
    for (const { name, ratio } of results) {
      expect(ratio, name).toBeGreaterThan(1 - PROMISED);
      expect(ratio, name).toBeLessThan(1 + PROMISED);
    }
    expect(statements / offered).toBeLessThan(0.05);
  });

  it('of a burst that covers it grant all, wherever it goes', async () => {
    const processes = [startProcess(), startProcess(), startProcess()];
    const granted = await Promise.all(
      processes.map((process) => burst(process, 'a burst', PAYMENTS, 10)),
    );
    expect(granted).toEqual([10, 10, 10]);
  });

  it('keep nothing of a caller who has gone: the burst is whole again elsewhere', async () => {
    const [one, other] = [startProcess(), startProcess()];
    const slow = { perSecond: 1, burst: 40 };
    expect(await burst(one, 'gone', slow, 20)).toBe(20);
    // 20 used; what was kept ahead comes back within a second, the rest a token a second.
    await expect.poll(() => used('gone', slow)).toBeLessThanOrEqual(20);
    const left = 40 - Math.ceil(await used('gone', slow));
    expect(left).toBeGreaterThanOrEqual(20);
    expect(await burst(other, 'gone', slow, left)).toBe(left);
  });

  it('lose what a killed one has in hand once, and not the limit', async () => {
    const [killed, other] = [startProcess(), startProcess()];
    const limit = { perSecond: 20, burst: 40 };
    await burst(killed, 'killed', limit, 20);
    const before = await used('killed', limit);
    // From now on nothing of it reaches PostgreSQL any more.
    killed.fail(true);
    expect(before).toBeLessThan(20 + blockMax(limit));
    await expect.poll(() => used('killed', limit)).toBe(0);
    expect(await burst(other, 'killed', limit, 40)).toBe(40);
  });
});

describe('a process', () => {
  it('asks PostgreSQL a few times a second, however many requests it serves', async () => {
    const one = startProcess();
    const relaxed = { perSecond: 10_000, burst: 10_000 };
    let granted = 0;
    const until = performance.now() + 2_000;
    for await (const _turn of setInterval(OFFER_EVERY_MS)) {
      if (performance.now() >= until) break;
      granted += await burst(one, 'relaxed', relaxed, 25);
    }
    expect(granted).toBeGreaterThan(1_000);
    expect(one.statements() / granted).toBeLessThan(0.05);
  });

  it('asks nothing while no caller asks it', async () => {
    const one = startProcess();
    await burst(one, 'idle', REQUESTS, 30);
    await expect.poll(() => used('idle', REQUESTS)).toBe(0);
    const busy = startProcess();
    // While another one that is asked looks at its buckets five times. What the idle one had still to give back ends;
    // one that went on asking would have asked in each of the turns.
    const askedMeanwhile = async () => {
      const [before, looks] = [one.statements(), busy.statements()];
      await expect
        .poll(async () => {
          await burst(busy, 'busy', REQUESTS, 5);
          return busy.statements() - looks;
        })
        .toBeGreaterThan(5);
      return one.statements() - before;
    };
    await expect.poll(askedMeanwhile).toBe(0);
    expect(await askedMeanwhile()).toBe(0);
  });

  it('makes no token of a clock that jumps', async () => {
    const one = startProcess();
    vi.useFakeTimers({ toFake: ['Date'] });
    const limit = { perSecond: 1, burst: 10 };
    expect(await burst(one, 'jumps', limit, 30)).toBe(10);
    for (const hours of [1, -2, 48]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(await burst(one, 'jumps', limit, 10)).toBeLessThanOrEqual(1);
    }
  });

  it('refuses at once, without a statement, while it knows that nothing is left', async () => {
    const one = startProcess();
    const limit = { perSecond: 1, burst: 5 };
    expect(await burst(one, 'empty', limit, 10)).toBe(5);
    const before = one.statements();
    const answer = one.buckets.take('empty', limit);
    expect(answer).toMatchObject({ isGranted: false, remaining: 0, resetSeconds: 1 });
    expect(one.statements()).toBe(before);
  });

  it('serves the first request of an idle caller without waiting, and settles it afterwards', async () => {
    const one = startProcess();
    const slow = { perSecond: 1, burst: 40 };
    expect(one.buckets.take('first', slow)).toMatchObject({ isGranted: true, remaining: 39 });
    await expect.poll(() => used('first', slow)).toBeGreaterThan(0);
    expect(await used('first', slow)).toBeLessThanOrEqual(1);
  });

  it('counts for itself while PostgreSQL does not answer, says so once, and shares again', async () => {
    const one = startProcess();
    const limit = { perSecond: 10, burst: 20 };
    one.fail(true);
    const granted = await burst(one, 'outage', limit, 60);
    expect(granted).toBeGreaterThanOrEqual(20);
    expect(granted).toBeLessThanOrEqual(22);
    await expect.poll(() => burst(one, 'outage', limit, 1)).toBe(1);
    expect(one.warnings).toEqual(['rate limits are counted by this process alone']);
    one.fail(false);
    await expect
      .poll(async () => {
        await burst(one, 'outage', limit, 1);
        return used('outage', limit);
      })
      .toBeGreaterThan(0);
    expect(one.warnings).toHaveLength(1);
  });

  it('keeps a bounded number of buckets, and gives back what those had that it forgets', async () => {
    const one = startProcess({ namesMax: 2 });
    const slow = { perSecond: 1, burst: 40 };
    for (const name of ['a', 'b', 'c']) expect(await burst(one, name, slow, 8)).toBe(8);
    await expect.poll(() => used('a', slow)).toBeLessThanOrEqual(8);
    // Forgotten, so that the process takes it to be full until it hears otherwise.
    expect(one.buckets.look('a', slow).remaining).toBe(40);
    expect(one.buckets.look('c', slow).remaining).toBeLessThanOrEqual(32);
  });
});

describe('the table of buckets', () => {
  it('forgets the full ones and no other', async () => {
    const one = startProcess();
    await burst(one, 'in use', { perSecond: 1, burst: 40 }, 10);
    await database.db.system((tx) =>
      tx.query(`INSERT INTO rate_buckets SELECT 'old ' || n, now() - interval '2 minutes'
        FROM generate_series(1, 20) n`),
    );
    expect(await database.db.system((tx) => deleteFullRateBuckets(tx, 15))).toBe(15);
    await database.db.system((tx) => deleteFullRateBuckets(tx, 1_000));
    const rows = await database.db.system((tx) =>
      tx.query<{ name: string }>('SELECT name FROM rate_buckets'),
    );
    const names = rows.map(({ name }) => name);
    expect(names).toContain('in use');
    expect(names.filter((name) => name.startsWith('old'))).toEqual([]);
  });

  it('is closed to the app, which may only lease', async () => {
    await expect(database.db.query('SELECT * FROM rate_buckets')).rejects.toThrow(
      'permission denied',
    );
  });
});

/** Tokens of a bucket that are used or leased by a process, by PostgreSQL's clock. */
async function used(name: string, { perSecond }: RateLimit): Promise<number> {
  const rows = await database.db.system((tx) =>
    tx.query<{ seconds: number }>(
      `SELECT greatest(0, extract(epoch FROM full_at - clock_timestamp()))::float8 AS seconds
       FROM rate_buckets WHERE name = $1`,
      [name],
    ),
  );
  return (rows[0]?.seconds ?? 0) * perSecond;
}
