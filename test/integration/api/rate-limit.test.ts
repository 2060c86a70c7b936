import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestApp, testSettings, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

/** So slow that nothing is refilled while a test runs on a busy machine, unless the test is about that. */
const limited = (perSecond = 0.02) => {
  const limit = { perSecond: 2, burst: 2 };
  const rateLimits = {
    requests: { test: { perSecond, burst: 4 }, live: limit },
    payments: { test: { perSecond, burst: 2 }, live: limit },
    paymentBatches: { test: { perSecond, burst: 1 }, live: limit },
    failedAuthenticationsPerMinute: 10,
  };
  return buildCheckedApp({ ...harness.deps, settings: testSettings({ rateLimits }) });
};

/** Of whom the buckets know nothing yet. */
async function newCustomer() {
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  const key = await harness.database.db.system((tx) =>
    addApiKey(tx, harness.vault, { customerId }),
  );
  return { authorization: `Bearer ${key.token}` };
}

describe('requests of a customer', () => {
  it('requests are counted down in the headers and refused when none is left', async () => {
    const app = limited();
    const headers = await newCustomer();
    const ask = () => app.inject({ url: '/api/v1/balances', headers });
    const answers = [await ask(), await ask(), await ask(), await ask()];
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"default";q=4;w=200');
    expect(answers.map((answer) => answer.headers['ratelimit'])).toEqual([
      expect.stringMatching(/^"default";r=3;t=(50|49)$/),
      expect.stringMatching(/^"default";r=2;t=(100|9\d)$/),
      expect.stringMatching(/^"default";r=1;t=1[45]\d$/),
      expect.stringMatching(/^"default";r=0;t=(50|4\d)$/),
    ]);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error).toBe('rate_limited');
    expect(refused.headers['retry-after']).toMatch(/^(50|4\d)$/);
    await app.close();
  });

  it('a request is granted again once the bucket has been refilled', async () => {
    const app = limited(1);
    const headers = await newCustomer();
    const ask = async () => (await app.inject({ url: '/api/v1/balances', headers })).statusCode;
    await expect.poll(ask).toBe(429);
    await expect.poll(ask).toBe(200);
    await app.close();
  });

  it('requests that make payments meet the stricter bucket too', async () => {
    const app = limited();
    const headers = await newCustomer();
    const pay = () => app.inject({ method: 'POST', url: '/api/v1/payments', headers, payload: {} });
    const first = await pay();
    expect(first.headers['ratelimit-policy']).toBe('"default";q=4;w=200, "payments";q=2;w=100');
    await pay();
    const refused = await pay();
    expect(refused.statusCode).toBe(429);
    expect(refused.json().message).toContain('(payments)');
    await app.close();
  });

  it('batches of payments meet a bucket of their own', async () => {
    const app = limited();
    const headers = await newCustomer();
    const send = (url: string) =>
      app.inject({ method: 'POST', url: `/api/v1/${url}`, headers, payload: {} });
    const first = await send('payment-batches');
    expect(first.statusCode).toBe(400);
    expect(first.headers['ratelimit-policy']).toBe(
      '"default";q=4;w=200, "payment-batches";q=1;w=50',
    );
    const refused = await send('payment-batches');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().message).toContain('(payment-batches)');
    expect((await send('payments')).statusCode).toBe(400);
    await app.close();
  });

  it('a burst at two processes is granted once, not once each', async () => {
    const [one, other] = [limited(), limited()];
    const headers = await newCustomer();
    const ask = (app: typeof one) => app.inject({ url: '/api/v1/balances', headers });
    const answers = await Promise.all(
      [one, other].flatMap((app) => Array.from({ length: 6 }, () => ask(app))),
    );
    const granted = answers.filter(({ statusCode }) => statusCode === 200);
    // One on credit at the process that learns late that nothing is left.
    expect(granted.length).toBeGreaterThanOrEqual(4);
    expect(granted.length).toBeLessThanOrEqual(5);
    await Promise.all([one.close(), other.close()]);
  });

  it('what a process has in hand is given back when it ends', async () => {
    const [one, other] = [limited(), limited()];
    const headers = await newCustomer();
    const ask = (app: typeof one) => app.inject({ url: '/api/v1/balances', headers });
    await ask(one);
    expect((await ask(one)).headers['ratelimit']).toContain('r=2;');
    await one.close();
    // Two of the four are used, and both others are there at once.
    expect([(await ask(other)).statusCode, (await ask(other)).statusCode]).toEqual([200, 200]);
    await other.close();
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
    const other = limited();
    const atOther = () =>
      other.inject({
        url: '/api/v1/balances',
        headers: { authorization: 'Bearer wrong' },
        remoteAddress: '192.0.2.1',
      });
    // The first tells the other process what the address has used up elsewhere.
    await atOther();
    expect((await atOther()).statusCode).toBe(429);
    await Promise.all([app.close(), other.close()]);
  });

  it('addresses are not kept in plain text', async () => {
    const app = limited();
    const headers = { authorization: 'Bearer wrong' };
    for (let count = 0; count < 2; count += 1) {
      await app.inject({ url: '/api/v1/balances', headers, remoteAddress: '198.51.100.77' });
    }
    await app.close();
    const rows = await harness.database.db.system((tx) =>
      tx.query<{ name: string }>('SELECT name FROM rate_buckets'),
    );
    const names = rows.map(({ name }) => name);
    expect(names.some((name) => name.startsWith('authentication/'))).toBe(true);
    expect(names.filter((name) => name.includes('198.51'))).toEqual([]);
  });
});
