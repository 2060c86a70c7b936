import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const ask = (
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'OPTIONS' = 'GET',
) => harness.app.inject({ method, url, headers: { ...harness.headers, ...headers } });

describe('an answer of the API that a browser opens', () => {
  it.each(['/api/v1/errors', '/api/v1/nothing-here', '/api/v1/openapi.json', '/api/v1/health'])(
    '%s is shown as no page, framed nowhere, and kept by no cache',
    async (url) => {
      const { headers } = await ask(url);
      expect(headers).toMatchObject({
        'content-type': expect.stringMatching(/^application\/json/) as string,
        'content-security-policy':
          "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    },
  );

  it('is read by no page of another origin', async () => {
    const foreign = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const answer of [
      await ask('/api/v1/errors', foreign),
      await ask('/api/v1/payments', foreign, 'OPTIONS'),
      await ask('/docs', foreign),
    ]) {
      const names = Object.keys(answer.headers);
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
