import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createDatabase,
  type Database,
  type SystemTransaction,
} from '../../../src/db/client/database.ts';
import { isDatabaseOutage } from '../../../src/db/client/outage.ts';
import { createPool } from '../../../src/db/client/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createCountedDatabase } from '../../support/payments/counted-database.ts';
import { startStallingProxy, type StallingProxy } from '../../support/stalling-proxy.ts';
import { until } from '../../support/until.ts';

const SCOPE = { customerId: 'cus_any', environment: 'test' } as const;
const ANSWER_WITHIN_MS = 300;

let database: TestDatabase;
let proxy: StallingProxy;
let pools: { readonly appPool: pg.Pool; readonly systemPool: pg.Pool };
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  proxy = await startStallingProxy(database.url);
  const own = { url: proxy.url, connectionsMax: 1, answerWithinMs: ANSWER_WITHIN_MS };
  const onError = (): void => undefined;
  pools = {
    appPool: createPool({ ...own, role: 'causeway_app', onError }),
    systemPool: createPool({ ...own, role: 'causeway_system', onError }),
  };
  db = createDatabase({ ...pools, runAfterCommit: () => undefined });
});
afterEach(async () => {
  await db.close();
  await proxy.close();
});

interface Answer {
  readonly said: string;
  readonly pid: number;
}
const SAY = 'SELECT $1::text AS said, pg_backend_pid() AS pid';

/** Every way of asking, each on a pool of one connection. */
const ways = {
  write: (said: string) => db.write(SCOPE, (tx) => tx.query<Answer>(SAY, [said])),
  exclusive: (said: string) => db.exclusive(SCOPE, (tx) => tx.query<Answer>(SAY, [said])),
  read: (said: string) => db.read(SCOPE, (tx) => tx.query<Answer>(SAY, [said])),
  system: (said: string) => db.system((tx) => tx.query<Answer>(SAY, [said])),
  query: (said: string) => db.query<Answer>(SAY, [said]),
};
const names = Object.keys(ways) as (keyof typeof ways)[];
const poolOf = (name: keyof typeof ways) => (name === 'system' ? pools.systemPool : pools.appPool);

async function say(name: keyof typeof ways, said: string): Promise<Answer> {
  const [answer] = await ways[name](said);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a database that falls silent in the middle', () => {
  it.each(names)('is an outage to %s', async (name) => {
    await say(name, 'before');
    proxy.stall();
    const failure = await failureOf(say(name, 'lost'));
    expect(failure).toMatchObject({ message: 'Query read timeout' });
    expect(isDatabaseOutage(failure)).toBe(true);
  });

  it.each(names)(
    'costs %s its connection: a late answer is read by no later query',
    async (name) => {
      const before = await say(name, 'before');
      proxy.stall();
      expect(await failureOf(say(name, 'late'))).toBeInstanceOf(Error);
      expect(poolOf(name).totalCount).toBe(0);
      proxy.resume();
      const after = await say(name, 'after');
      expect(after.said).toBe('after');
      expect(after.pid).not.toBe(before.pid);
    },
  );

  it('is waited for once, and not asked to roll back', async () => {
    const counted = createCountedDatabase(proxy.url, ANSWER_WITHIN_MS);
    await counted.db.read(SCOPE, (tx) => tx.query(SAY, ['before']));
    counted.readStatements();
    proxy.stall();
    const failure = await failureOf(counted.db.read(SCOPE, (tx) => tx.query(SAY, ['lost'])));
    expect(isDatabaseOutage(failure)).toBe(true);
    expect(counted.readStatements()).toEqual([expect.stringMatching(/^BEGIN READ ONLY; /)]);
    await counted.db.close();
  });

  it('undoes the transaction that it was in the middle of', async () => {
    const { pid } = await say('system', 'before');
    const work = db.system(async (tx) => {
      await tx.query(
        "INSERT INTO customers (id, name, created_at) VALUES ('cus_half', 'Half', now())",
      );
      proxy.stall();
      await tx.query(SAY, ['lost']);
    });
    expect(await failureOf(work)).toBeInstanceOf(Error);
    proxy.resume();
    await until('the server has noticed the end of the connection', async () => {
      const open = await db.system((tx) =>
        tx.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]),
      );
      return open.length === 0 || null;
    });
    const rows = await db.system((tx) => tx.query("SELECT FROM customers WHERE id = 'cus_half'"));
    expect(rows).toEqual([]);
  });

  it('is not asked again, nor committed to, by work that overlooks the failure', async () => {
    await say('system', 'before');
    const overlooking = (next: (tx: SystemTransaction) => Promise<unknown>) =>
      db.system(async (tx) => {
        proxy.stall();
        await failureOf(tx.query(SAY, ['late']));
        proxy.resume();
        return next(tx);
      });
    const silent = { message: 'Query read timeout' };
    expect(await failureOf(overlooking(async () => 'done'))).toMatchObject(silent);
    expect(await failureOf(overlooking((tx) => tx.query(SAY, ['next'])))).toMatchObject(silent);
    expect(pools.systemPool.totalCount).toBe(0);
  });
});

describe('a database that cannot be reached', () => {
  it('is an outage where the connection is taken and nothing follows', async () => {
    proxy.stall();
    const failure = await failureOf(say('read', 'lost'));
    expect(isDatabaseOutage(failure)).toBe(true);
  });
});

describe('a fault of the statement itself', () => {
  it('is no outage, and its connection is used again', async () => {
    const before = await say('read', 'before');
    const failure = await failureOf(db.read(SCOPE, (tx) => tx.query('SELECT 1 / 0')));
    expect(failure).toMatchObject({ code: '22012' });
    expect(isDatabaseOutage(failure)).toBe(false);
    expect((await say('read', 'after')).pid).toBe(before.pid);
  });
});
