import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScopeBusy } from '../../../src/db/client/outage.ts';
import { createHttpLogger } from '../../../src/api/logger.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { createTestClock } from '../../support/test-clock.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

/** An app whose database fails in one way, and what it logs. */
async function askBroken(error: Error, url = '/api/v1/balances') {
  const lines: string[] = [];
  const fail = () => Promise.reject(error);
  const db = { ...harness.deps.db, query: fail, read: fail, serverTime: fail };
  const logger = createHttpLogger('info', { write: (line) => void lines.push(line) });
  const app = buildCheckedApp({ ...harness.deps, db, logger });
  const answer = await app.inject({ url, headers: harness.headers });
  await app.close();
  return { answer, log: lines.join('') };
}

describe('when PostgreSQL cannot serve', () => {
  it.each(['ECONNREFUSED', '57P01', '08006', '53300', '55P03'])('%s is a 503', async (code) => {
    const { answer } = await askBroken(Object.assign(new Error('secret host name'), { code }));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.json().error).toBe('service_unavailable');
    expect(answer.body).not.toContain('secret');
  });

  it('writes of a scope that do not end are a 503 and a warning of one line, no fault', async () => {
    const cause = Object.assign(new Error('lock timeout'), { code: '55P03' });
    const { answer, log } = await askBroken(new ScopeBusy({ cause }));
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(answer.json()).toMatchObject({ error: 'service_unavailable' });
    const lines = log.split('\n').filter((line) => line.includes('service_unavailable'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'warn', fault: { name: 'ScopeBusy' } },
    ]);
    expect(log).not.toMatch(/stack|"level":"error"/);
  });

  it('a pool that is exhausted is a 503', async () => {
    const { answer } = await askBroken(new Error('timeout exceeded when trying to connect'));
    expect(answer.statusCode).toBe(503);
  });

  it('readiness fails without PostgreSQL, liveness does not', async () => {
    const error = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    expect((await askBroken(error, '/ready')).answer.statusCode).toBe(503);
    expect((await askBroken(error, '/health')).answer.json()).toEqual({ status: 'ok', checks: {} });
  });
});

describe('a fault of ours', () => {
  it('a fault of ours is a 500 without its text, which is in no log either', async () => {
    const { answer, log } = await askBroken(new Error('Ada Sample DE89370400440532013000'));
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error).toBe('internal_error');
    expect(answer.body + log).not.toContain('Ada Sample');
    expect(log).toContain(answer.json().requestId);
    expect(log).toContain('outage.test.ts');
  });
});

describe('the request log', () => {
  it('the request log names the route by its pattern and nothing that the caller wrote', async () => {
    const { log } = await askBroken(new Error('x'), '/api/v1/events/evt_planted?type=planted');
    expect(log).toContain('"route":"/api/v1/events/:eventId"');
    expect(log).not.toContain('planted');
    expect(log).not.toContain(harness.token);
  });
});

describe('readiness', () => {
  it('readiness holds while Temporal is down, and says that it is', async () => {
    const app = buildCheckedApp({
      ...harness.deps,
      temporalState: () => Promise.reject(new Error()),
    });
    const answer = await app.inject({ url: '/ready' });
    await app.close();
    expect(answer.statusCode).toBe(200);
    expect(answer.json().checks).toEqual({
      postgres: 'ok',
      temporal: 'unreachable',
      sweep: 'unknown',
    });
  });

  it('asks PostgreSQL and Temporal at most once a second, however many ask for it', async () => {
    const asked = { postgres: 0, temporal: 0 };
    const clock = createTestClock();
    const db = {
      ...harness.deps.db,
      serverTime: () => {
        asked.postgres += 1;
        return harness.deps.db.serverTime();
      },
    };
    const temporalState = () => {
      asked.temporal += 1;
      return Promise.resolve({ kind: 'ok', sweep: 'ok' } as const);
    };
    const app = buildCheckedApp({ ...harness.deps, db, clock, temporalState });
    const ask = async (count: number) => {
      const all = Array.from({ length: count }, () => app.inject({ url: '/ready' }));
      return (await Promise.all(all)).map(({ statusCode }) => statusCode);
    };
    expect(new Set(await ask(50))).toEqual(new Set([200]));
    clock.advance(999);
    await ask(5);
    expect(asked).toEqual({ postgres: 1, temporal: 1 });
    clock.advance(1);
    await ask(5);
    expect(asked).toEqual({ postgres: 2, temporal: 2 });
    await app.close();
  });

  it.each(['paused', 'missing'] as const)(
    'readiness says that the reconciler is %s',
    async (sweep) => {
      const temporalState = () => Promise.resolve({ kind: 'ok', sweep } as const);
      const app = buildCheckedApp({ ...harness.deps, temporalState });
      const answer = await app.inject({ url: '/ready' });
      await app.close();
      expect(answer.statusCode).toBe(200);
      expect(answer.json().checks).toEqual({ postgres: 'ok', temporal: 'ok', sweep });
    },
  );
});
