import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, testSettings, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
let routes: { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string }[];
beforeAll(async () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const secrets = { kycCallbackSecrets: { test: secret }, bankCallbackSecrets: { test: secret } };
  harness = await createTestApp({ settings: testSettings(secrets) });
  const document = harness.app.swagger() as { paths?: Record<string, object> };
  routes = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => {
      return { method: method.toUpperCase() as (typeof routes)[number]['method'], path };
    }),
  );
});
afterAll(() => harness.close());

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\0', '\ud800', '../../..', "' OR 1=1 --", '${x}', '%', 'USD', '10.00'),
);
const names = fc.oneof(
  fc.constantFrom(
    'type',
    'individual',
    'amount',
    'currency',
    'url',
    'details',
    'country',
    'metadata',
  ),
  fc.constantFrom('sourceCurrency', 'targetCurrency', 'sourceAmount', 'targetAmount', 'lockFor'),
  fc.constantFrom('endUserId', 'bankAccountId', '__proto__', 'constructor', 'email', 'address'),
  anyText,
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText,
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 6 }),
  ),
})).value;
const anyBody = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.dictionary(names, anyJson, { maxKeys: 8 }).map((o) => JSON.stringify(o)),
  },
  { weight: 1, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constantFrom('{"a":1e999}', '[[[[', '{"a":1,"a":1}', '-') },
);
const headerText = fc.string({ maxLength: 30 }).filter((text) => /^[\x20-\x7e]*$/.test(text));
const anyHeaders = fc.record(
  {
    'idempotency-key': headerText,
    'if-match': headerText,
    'x-forwarded-for': headerText,
    'content-type': fc.oneof(fc.constant('application/json'), headerText),
    accept: headerText,
  },
  { requiredKeys: ['content-type'] },
);
const anyQuery = fc.dictionary(
  fc.constantFrom('limit', 'cursor', 'type', 'resourceId', 'base', 'quote', 'status', 'x'),
  fc.oneof(anyText, fc.constantFrom('1', '100', '-1', 'USD', 'EUR,GBP', 'a'.repeat(300))),
  { maxKeys: 3 },
);

const encode = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, '?'));

describe('whatever is sent to whichever route', () => {
  it('is answered without a fault of ours, errors in their one shape', async () => {
    const anyRoute = fc.nat().map((index) => routes[index % routes.length]);
    const property = fc.asyncProperty(
      ...[anyRoute, anyText, anyQuery, anyHeaders, anyBody],
      async (route, id, query, headers, payload) => {
        if (route === undefined) return;
        const search = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
        const path = route.path.replaceAll(/\{[^}]+\}/g, encode(id) || 'x');
        const answer = await harness.app.inject({
          method: route.method,
          url: `${path}?${search.join('&')}`,
          headers: { ...headers, ...harness.headers },
          ...(route.method === 'GET' ? {} : { payload }),
        });
        const what = `${route.method} ${path}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
        // Without stored rates 503 rate_unavailable is the right answer.
        const isFault = answer.statusCode >= 500 && answer.json().error !== 'rate_unavailable';
        expect([what, isFault]).toEqual([what, false]);
        expect(answer.headers['x-request-id']).toMatch(/^req_/);
        if (answer.statusCode < 400) return;
        const fields = Object.keys(answer.json()).sort();
        expect(fields).toEqual(['details', 'error', 'message', 'requestId']);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});
