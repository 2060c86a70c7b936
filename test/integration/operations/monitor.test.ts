import { pino } from 'pino';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { readConfig } from '../../../src/server/config/config.ts';
import { monitorAlone, monitorProcess } from '../../../src/server/monitor/monitor-process.ts';
import { createMetrics } from '../../../src/server/monitor/metrics.ts';
import { watchPolling } from '../../../src/server/monitor/polling.ts';
import type { RunningMonitor } from '../../../src/server/monitor/start-monitor.ts';
import { openResources, type Resources } from '../../../src/server/runtime/resources.ts';
import { countStatements } from '../../support/count-statements.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';
import { scrape } from '../../support/server/scrape.ts';
import { createTestClock } from '../../support/test-clock.ts';

let database: TestDatabase;
let opened: Resources;
const clock = createTestClock();
const log = pino({ level: 'silent' });
beforeAll(async () => {
  database = await createTestDatabase();
  const config = readConfig({
    ...SAMPLE_KEYS,
    ...{ DATABASE_URL: database.url, MONITOR_PORT: '0' },
  });
  // Nothing listens there: Temporal is down.
  const address = `127.0.0.1:${String(await freePort())}`;
  const temporal = { namespace: 'none', connection: { address } };
  opened = { ...(await openResources(config, temporal, 'test')), clock, log };
});
afterAll(async () => {
  await opened.close();
  await database.close();
});

/** What a worker of the process says of itself. */
const working = (isPolling: boolean) => ({
  ready: Promise.resolve(),
  ended: new Promise<void>(() => undefined),
  isPolling: () => isPolling,
  polling: {
    checks: () => ({ engine: 'ok' }),
    values: () => new Map([['engine', isPolling ? 1 : 0] as const]),
  },
  stop: () => Promise.resolve(),
});

async function ask({ url }: RunningMonitor, path: string) {
  const answer = await fetch(`${url ?? ''}${path}`);
  return { status: answer.status, body: (await answer.json()) as unknown };
}

const never = new Promise<never>(() => undefined);

/** Runs with the monitor of a process, which then ends. */
async function withMonitor<Result>(
  process: Omit<Parameters<typeof monitorProcess>[1], 'asked'> & { asked?: Promise<unknown> },
  work: (monitor: RunningMonitor) => Promise<Result>,
): Promise<Result> {
  clock.advance(60_000);
  const metrics = createMetrics();
  const monitor = await monitorProcess({ ...opened, metrics }, { asked: never, ...process });
  try {
    return await work(monitor);
  } finally {
    await monitor.stop();
  }
}

describe('readiness', () => {
  it('a process that only answers requests is ready while Temporal is down', async () => {
    const ready = await withMonitor({}, (monitor) => ask(monitor, '/ready'));
    expect(ready).toEqual({ status: 200, body: { checks: { postgres: 'ok' } } });
  });

  it('a worker is not ready while Temporal is down, and stays live', async () => {
    const [ready, live] = await withMonitor({ worker: working(false) }, (monitor) =>
      Promise.all([ask(monitor, '/ready'), ask(monitor, '/live')]),
    );
    const checks = { postgres: 'ok', temporal: 'unreachable', worker: 'not_polling' };
    expect(ready).toEqual({ status: 503, body: { checks } });
    expect(live).toEqual({ status: 200, body: { checks: { engine: 'ok' } } });
  });

  it('a process is not ready while PostgreSQL does not answer, and stays live', async () => {
    const silent = { ...opened.db, query: () => Promise.reject(new Error('it is down')) };
    const monitor = await monitorProcess(
      { ...opened, db: silent, metrics: createMetrics() },
      { asked: never },
    );
    const checks = { postgres: 'unreachable' };
    expect(await ask(monitor, '/ready')).toEqual({ status: 503, body: { checks } });
    expect((await ask(monitor, '/live')).status).toBe(200);
    await monitor.stop();
  });

  it('a process is not ready from the moment it is asked to end, while it still answers', async () => {
    let end: (signal: string) => void = () => undefined;
    const asked = new Promise<string>((resolve) => {
      end = resolve;
    });
    await withMonitor({ asked }, async (monitor) => {
      expect((await ask(monitor, '/ready')).status).toBe(200);
      end('SIGTERM');
      await asked;
      expect(await ask(monitor, '/ready')).toEqual({
        status: 503,
        body: { checks: { process: 'closing' } },
      });
      expect((await ask(monitor, '/live')).status).toBe(200);
    });
  });

  it('a process is not ready where its newest migration is missing, and is with a later one', async () => {
    const admin = new pg.Pool({ connectionString: database.url, max: 1 });
    const [newest] = (
      await admin.query<{ name: string }>(
        `DELETE FROM schema_migrations WHERE id = (SELECT max(id) FROM schema_migrations) RETURNING name`,
      )
    ).rows;
    const ready = () => withMonitor({}, (monitor) => ask(monitor, '/ready'));
    const body = { checks: { postgres: 'not_migrated' } };
    expect(await ready()).toEqual({ status: 503, body });
    await admin.query(
      `INSERT INTO schema_migrations (name, run_on) VALUES ($1, now()), ('9999_later', now())`,
      [newest?.name],
    );
    expect((await ready()).status).toBe(200);
    await admin.end();
  });

  it('a process without PostgreSQL is ready until it is asked to end', async () => {
    const monitor = await monitorAlone(
      { host: '127.0.0.1', port: 0 },
      { asked: Promise.resolve(), log },
    );
    expect((await ask(monitor, '/ready')).status).toBe(503);
    expect((await ask(monitor, '/live')).status).toBe(200);
    await monitor.stop();
  });

  it('a process without a port listens nowhere', async () => {
    const settings = { host: '127.0.0.1', port: undefined };
    const monitor = await monitorAlone(settings, { asked: never, log });
    expect(monitor.url).toBeNull();
    await monitor.stop();
  });
});

describe('liveness of a worker', () => {
  const states = { runState: 'RUNNING', activityPollerState: 'POLLING' };
  const POLLING = { ...states, workflowPollerState: 'SHUTDOWN' };

  it('a queue counts as polled until no poll was open for 60 s', () => {
    const ticking = createTestClock();
    let status = POLLING;
    const worker = { options: { taskQueue: 'mail' }, getStatus: () => status };
    const polling = watchPolling(() => [worker], ticking);
    expect(polling.checks()).toEqual({ mail: 'ok' });
    status = { ...POLLING, activityPollerState: 'FAILED' };
    expect(polling.values().get('mail')).toBe(0);
    expect(polling.checks()).toEqual({ mail: 'ok' });
    ticking.advance(59_999);
    expect(polling.checks()).toEqual({ mail: 'ok' });
    ticking.advance(1);
    expect(polling.checks()).toEqual({ mail: 'not_polled' });
    status = POLLING;
    expect(polling.checks()).toEqual({ mail: 'ok' });
  });

  it('a worker that rests on purpose is live: a restart would not help', () => {
    const ticking = createTestClock();
    const stopped = { ...POLLING, runState: 'STOPPED' };
    const worker = { options: { taskQueue: 'mail' }, getStatus: () => stopped };
    const polling = watchPolling(() => [worker], ticking);
    polling.checks();
    ticking.advance(3_600_000);
    expect(polling.checks()).toEqual({ mail: 'ok' });
    expect(polling.values().get('mail')).toBe(0);
  });
});

describe('what waits', () => {
  it('is read from PostgreSQL for a scrape, at most once in 15 s', async () => {
    await withMonitor({ worker: working(true), tellsProgress: true }, async (monitor) => {
      const statements = (times: number) =>
        countStatements(async () => {
          for (let nth = 0; nth < times; nth += 1) await scrape(monitor.url ?? '');
        });
      expect(await statements(0)).toBe(0);
      const first = await statements(1);
      expect(first).toBeGreaterThan(5);
      expect(await statements(3)).toBe(0);
      clock.advance(15_000);
      expect(await statements(3)).toBe(first);
    });
  });

  it('is left out where PostgreSQL does not answer, and the rest is scraped', async () => {
    const refusing = { ...opened.db, system: () => Promise.reject(new Error('it is down')) };
    const monitor = await monitorProcess(
      { ...opened, db: refusing, metrics: createMetrics() },
      { asked: never, tellsProgress: true },
    );
    const read = await scrape(monitor.url ?? '');
    expect(read.sum('causeway_progress_read_success')).toBe(0);
    expect(read.sum('causeway_waiting_items')).toBeNaN();
    expect(read.sum('causeway_payments_accepted_total')).toBe(0);
    await monitor.stop();
  });
});
