import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/domain/errors/registry.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const json = { 'content-type': 'application/json' };
const post = (payload: string | Buffer, headers: Record<string, string> = json) => {
  return harness.app.inject({
    method: 'POST',
    url: '/api/v1/end-users',
    headers: { ...harness.headers, ...headers },
    payload,
  });
};

describe('an error', () => {
  it('an error has exactly four fields and the request id of the header', async () => {
    const answer = await harness.app.inject({
      url: '/api/v1/balances',
      headers: { 'x-request-id': 'req_mine' },
    });
    const body = answer.json();
    expect(Object.keys(body).sort()).toEqual(['details', 'error', 'message', 'requestId']);
    expect(body.requestId).toBe(answer.headers['x-request-id']);
    expect(body.requestId).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('an error is not_found where there is no such path, key or not', async () => {
    for (const url of [
      '/',
      '/api/v1/nothing',
      '/api/v1',
      '/api/v1/balances/',
      '/api/v1/balances;a=1',
    ]) {
      const answer = await harness.app.inject({ url, headers: harness.headers });
      expect([url, answer.statusCode, answer.json().error]).toEqual([url, 404, 'not_found']);
    }
  });

  it('an error is method_not_allowed with Allow where the path takes other methods', async () => {
    const methods = ['DELETE', 'PATCH', 'PUT', 'OPTIONS'] as const;
    for (const method of methods) {
      const answer = await harness.app.inject({ method, url: '/api/v1/balances' });
      expect([method, answer.statusCode]).toEqual([method, 405]);
      expect(answer.headers['allow']).toBe('GET, HEAD');
      expect(answer.json().error).toBe('method_not_allowed');
    }
  });

  it('names the methods of a path of its own, and none of the resources beside it', async () => {
    const url = '/api/v1/payments/validate';
    const answer = await harness.app.inject({ method: 'OPTIONS', url });
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST']);
  });

  it('a malformed URL is answered by 400', async () => {
    for (const url of ['/api/v1/events/%ff', '/api/v1/events/%E0%A4', '/api/v1/events?type=%ff']) {
      const answer = await harness.app.inject({ url, headers: harness.headers });
      expect([url, answer.statusCode]).toEqual([url, 400]);
      expect(answer.json().error).toBe('invalid_parameter');
      expect(answer.headers['x-request-id']).toMatch(/^req_/);
    }
  });

  it('an error names the parameter that holds a NUL', async () => {
    for (const [url, path] of [
      ['/api/v1/events/a%00b', '/path/eventId'],
      ['/api/v1/events?resourceId=%00', '/query/resourceId'],
    ] as const) {
      const answer = await harness.app.inject({ url, headers: harness.headers });
      expect(answer.json()).toMatchObject({ error: 'invalid_parameter', details: [{ path }] });
    }
  });

  it('unknown and repeated parameters, and limits out of range, are refused', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=1.0', 'limit=2&limit=3', 'colour=blue']) {
      const answer = await harness.app.inject({
        url: `/api/v1/events?${query}`,
        headers: harness.headers,
      });
      expect([query, answer.json().error]).toEqual([query, 'invalid_parameter']);
    }
  });
});

describe('a body', () => {
  it('a body of another type or encoding is 415', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/json; charset=latin1', 'x']) {
      const answer = await post('{}', { 'content-type': type });
      expect([type, answer.statusCode]).toEqual([type, 415]);
      expect(answer.json().error).toBe('unsupported_media_type');
    }
    const packed = await post('{}', { ...json, 'content-encoding': 'gzip' });
    expect(packed.statusCode).toBe(415);
  });

  it('a body beyond 64 KiB is 413', async () => {
    const answer = await post(`"${'a'.repeat(65_536)}"`);
    expect([answer.statusCode, answer.json().error]).toEqual([413, 'payload_too_large']);
  });

  it('a body that is not strict JSON is 400 invalid_json', async () => {
    const bodies = [
      '{',
      '[1,]',
      "{'a':1}",
      '{"a":1}{"b":2}',
      '{"a":01}',
      'NaN',
      '\ufeff{}',
      '{"type":"BUSINESS","type":"BUSINESS"}',
      '{"a":{"b":1,"\\u0062":1}}',
      '['.repeat(65_000),
      `${'['.repeat(32_000)}${']'.repeat(32_000)}`,
      '{"a":'.repeat(12_000),
    ];
    for (const body of bodies) {
      const answer = await post(body);
      expect([body.slice(0, 20), answer.json().error]).toEqual([body.slice(0, 20), 'invalid_json']);
    }
    const notUtf8 = await post(Buffer.from([0x22, 0xff, 0x22]));
    expect(notUtf8.json().error).toBe('invalid_json');
  });

  it('an error for text that cannot be stored names the field', async () => {
    for (const text of ['a\\u0000b', '\\ud800', '\\udc00x']) {
      const answer = await post(`{"individual":{"firstName":"${text}"}}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        error: 'validation_failed',
        details: [{ path: '/individual/firstName' }],
      });
    }
    expect((await post('{"__proto__":{"a":1}}')).statusCode).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it('a body with numbers of absurd size is refused, not crashed on', async () => {
    for (const number of ['1e400', '-0', '1e-400', '9'.repeat(60_000)]) {
      const answer = await post(`{"type":${number}}`);
      expect(answer.statusCode).toBe(400);
    }
  });

  it('a missing body is told of where one is needed', async () => {
    const answer = await harness.app.inject({
      method: 'POST',
      url: '/api/v1/end-users',
      headers: harness.headers,
    });
    expect(answer.statusCode).toBe(400);
  });

  it('a body gets all its problems told at once, without the values', async () => {
    const answer = await post(
      '{"email":"planted@secret.example","colour":"planted","type":"PLANTED"}',
    );
    const paths = answer.json().details.map((detail: { path: string }) => detail.path);
    expect(answer.json().error).toBe('validation_failed');
    expect(paths).toContain('/colour');
    expect(paths).toContain('/type');
    expect(answer.body.toLowerCase()).not.toContain('planted');
  });
});

describe('the registry', () => {
  it('GET /errors lists the registry, in one answer or page by page', async () => {
    const all = await harness.app.inject({ url: '/api/v1/errors', headers: harness.headers });
    expect(all.json().data).toHaveLength(Object.keys(ERRORS).length);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const url = `/api/v1/errors?limit=7${query}`;
      const page = (await harness.app.inject({ url, headers: harness.headers })).json();
      seen.push(...page.data.map((entry: { error: string }) => entry.error));
      cursor = page.nextCursor;
      expect(page.hasMore).toBe(cursor !== null);
    } while (cursor !== null);
    expect(seen).toEqual(Object.keys(ERRORS));
  });

  it('a cursor of GET /errors works for no other list', async () => {
    const page = await harness.app.inject({
      url: '/api/v1/errors?limit=1',
      headers: harness.headers,
    });
    const { nextCursor } = page.json();
    for (const cursor of [nextCursor, 'x', `${nextCursor}=`]) {
      const answer = await harness.app.inject({
        url: `/api/v1/events?cursor=${cursor}`,
        headers: harness.headers,
      });
      expect(answer.json().error).toBe('invalid_cursor');
    }
  });
});
