import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

it('no page of another origin is let near the API: keys are for servers', async () => {
  const origin = 'https://shop.example.com';
  const requests = [
    { method: 'GET', url: '/api/v1/balances', headers: { origin, ...harness.headers } },
    { method: 'GET', url: '/api/v1/balances', headers: { origin } },
    { method: 'GET', url: '/api/v1/health', headers: { origin } },
    {
      method: 'OPTIONS',
      url: '/api/v1/payments',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    },
  ] as const;
  for (const request of requests) {
    const answer = await harness.app.inject(request);
    const granted = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
    expect(granted, `${request.method} ${request.url}`).toEqual([]);
  }
});
