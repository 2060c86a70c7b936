import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../src/http/app.ts';
import { createTokenBuckets } from '../../src/http/token-buckets.ts';
import { createTestApp, testSettings, type TestApp } from '../support/test-app.ts';
import { createTestClock } from '../support/test-clock.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const limited = () => {
  const limit = { perSecond: 2, burst: 2 };
  const rateLimits = {
    requests: { test: { perSecond: 4, burst: 4 }, live: limit },
    payments: { test: { perSecond: 1, burst: 2 }, live: limit },
    failedAuthenticationsPerMinute: 10,
  };
  return buildApp({ ...harness.deps, settings: testSettings({ rateLimits }) });
};

describe('requests of a customer', () => {
  it('requests are counted down in the headers and refused when none is left', async () => {
    const app = limited();
    const ask = () => app.inject({ url: '/api/v1/balances', headers: harness.headers });
    const answers = [await ask(), await ask(), await ask(), await ask()];
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"default";q=4;w=1');
    expect(answers.map((answer) => answer.headers['ratelimit'])).toEqual([
      '"default";r=3;t=1',
      '"default";r=2;t=1',
      '"default";r=1;t=1',
      '"default";r=0;t=1',
    ]);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error).toBe('rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    harness.clock.advance(250);
    expect((await ask()).statusCode).toBe(200);
    await app.close();
  });

  it('requests that make payments meet the stricter bucket too', async () => {
    const app = limited();
    const pay = () =>
      app.inject({
        method: 'POST',
        url: '/api/v1/payments',
        headers: harness.headers,
        payload: {},
      });
    const first = await pay();
    expect(first.headers['ratelimit-policy']).toBe('"default";q=4;w=1, "payments";q=2;w=2');
    await pay();
    expect((await pay()).statusCode).toBe(429);
    await app.close();
  });
});

describe('failed authentication', () => {
  it('failed authentication is refused from the eleventh within a minute on; a valid key never is', async () => {
    const app = limited();
    const ask = (authorization: string, remoteAddress = '192.0.2.1') =>
      app.inject({ url: '/api/v1/balances', headers: { authorization }, remoteAddress });
    for (let count = 0; count < 10; count += 1) {
      expect((await ask('Bearer wrong')).statusCode).toBe(401);
    }
    const refused = await ask('Bearer wrong');
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask(`Bearer ${harness.token}`)).statusCode).toBe(200);
    expect((await ask('Bearer wrong', '192.0.2.2')).statusCode).toBe(401);
    await app.close();
  });
});

describe('token buckets', () => {
  it('token buckets forget the one unused for longest, so that memory stays bounded', () => {
    const buckets = createTokenBuckets(createTestClock(), 2);
    const limit = { perSecond: 1, burst: 1 };
    buckets.take('a', limit);
    buckets.take('b', limit);
    buckets.take('c', limit);
    expect(buckets.look('a', limit).remaining).toBe(1);
    expect(buckets.look('c', limit).remaining).toBe(0);
  });

  it('token buckets lose nothing when the clock steps back', () => {
    const clock = createTestClock();
    const buckets = createTokenBuckets(clock, 2);
    const limit = { perSecond: 1, burst: 5 };
    buckets.take('a', limit);
    clock.advance(-60_000);
    expect(buckets.look('a', limit).remaining).toBe(4);
  });
});
