import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const ada = { type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } };

const post = (payload: object, headers: Record<string, string> = {}) =>
  harness.app.inject({
    method: 'POST',
    url: '/api/v1/end-users',
    headers: { ...harness.headers, ...headers },
    payload,
  });
const get = (path: string, token = harness.token) =>
  harness.app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } });

async function keyOfAnotherCustomer(): Promise<string> {
  return harness.database.db.system(async (tx) => {
    const customerId = await addCustomer(tx);
    return (await addApiKey(tx, harness.vault, { customerId })).token;
  });
}

async function liveKey(): Promise<string> {
  const overrides = { customerId: harness.scope.customerId, environment: 'live' } as const;
  const approvedRanges = ['127.0.0.1/32'];
  return harness.database.db.system(
    async (tx) => (await addApiKey(tx, harness.vault, { ...overrides, approvedRanges })).token,
  );
}

describe('POST /end-users', () => {
  it('an end-user needs no more than a name', async () => {
    const answer = await post(ada);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      relationship: 'CLIENT',
      id: expect.stringMatching(/^eu_[0-9a-z]{26}$/),
      ...ada,
      externalId: null,
      status: 'ACTIVE',
      kycStatus: 'NOT_STARTED',
      erasedAt: null,
      metadata: {},
      version: 1,
      createdAt: harness.clock.now().toISOString(),
      updatedAt: harness.clock.now().toISOString(),
    });
  });

  it('an end-user is answered as it was given, tax ids masked', async () => {
    const person = {
      firstName: 'Ada',
      lastName: 'Sample',
      dateOfBirth: '1990-02-28',
      nationality: 'DE',
      taxIds: [{ country: 'DE', number: '00000012345' }],
    };
    const order = {
      type: 'BUSINESS',
      externalId: 'everything',
      business: {
        legalName: 'Sample Trading GmbH',
        registrationNumber: 'HRB 000000',
        incorporationCountry: 'DE',
        persons: [person],
      },
      email: 'ada@example.com',
      phone: '+4930000000',
      address: { line1: 'Samplestrasse 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
      metadata: { segment: 'retail' },
    };
    const created = (await post(order)).json();
    const masked = { ...person, taxIds: [{ country: 'DE', number: '****2345' }] };
    expect(created).toMatchObject({ ...order, business: { ...order.business, persons: [masked] } });
    expect((await get(`/end-users/${created.id}`)).json()).toEqual(created);
  });

  it('the metadata of an end-user is in every answer as it was given, under any name', async () => {
    const metadata = { 'a\u2028b': '1', 'a\u2029b': '2', 'a\u0085b': '3' };
    const order = { ...ada, externalId: 'separators', metadata };
    const created = (await post(order)).json<{ id: string; metadata: object }>();
    expect(created.metadata).toEqual(metadata);
    expect((await get(`/end-users/${created.id}`)).json()).toEqual(created);
    const list = await get('/end-users?externalId=separators');
    expect(list.json<{ data: object[] }>().data).toEqual([created]);
  });

  it('a new end-user writes one event, with nothing personal in it, and no name in the clear', async () => {
    const order = { ...ada, email: 'planted@example.com', metadata: { note: 'planted-note' } };
    const { id } = (await post({ ...order, individual: planted })).json();
    const events = await harness.database.db.system((tx) =>
      tx.query<{ type: string; body: string }>(
        'SELECT type, body FROM events WHERE resource_id = $1',
        [id],
      ),
    );
    expect(events.map((event) => event.type)).toEqual(['end_user.created']);
    expect(events[0]?.body).not.toMatch(/planted/i);
    const [row] = await harness.database.db.system((tx) =>
      tx.query<{ text: string; personal: Buffer }>(
        'SELECT e::text AS text, personal FROM end_users e WHERE id = $1',
        [id],
      ),
    );
    expect(row?.text).not.toMatch(/planted/i);
    expect(row?.personal.toString('latin1')).not.toMatch(/planted/i);
  });

  it('a repeated Idempotency-Key answers the same end-user', async () => {
    const headers = { 'idempotency-key': 'end-user-once' };
    const first = await post(ada, headers);
    const second = await post(ada, headers);
    expect(second.statusCode).toBe(201);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toBe(first.body);
    const other = await post({ ...ada, externalId: 'other' }, headers);
    expect(other.statusCode).toBe(422);
    expect(other.json().error).toBe('idempotency_key_mismatch');
  });
});

const planted = { firstName: 'Planted', lastName: 'Planted' };
const person = (more: object) => ({ type: 'INDIVIDUAL', individual: { ...planted, ...more } });
const pairs = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${String(index)}`, value]));

describe('POST /end-users refuses with 400', () => {
  it.each([
    ['an unknown type', { type: 'ROBOT' }, '/type'],
    ['no part for the type', { type: 'INDIVIDUAL' }, '/individual'],
    [
      'the part of the other type',
      { ...ada, business: { legalName: 'S', persons: [planted] } },
      '/business',
    ],
    [
      'a business without representatives',
      { type: 'BUSINESS', business: { legalName: 'S', persons: [] } },
      '/business/persons',
    ],
    [
      'a missing last name',
      { type: 'INDIVIDUAL', individual: { firstName: 'Ada' } },
      '/individual/lastName',
    ],
    ['31 February', person({ dateOfBirth: '1990-02-31' }), '/individual/dateOfBirth'],
    ['a birth that is to come', person({ dateOfBirth: '2026-09-30' }), '/individual/dateOfBirth'],
    ['a national telephone number', { ...ada, phone: '030 0000' }, '/phone'],
    ['an email address without @', { ...ada, email: 'ada.example.com' }, '/email'],
    ['a control character in a name', person({ lastName: 'Sam\nple' }), '/individual/lastName'],
    ['a NUL in a name', person({ lastName: 'Sam\0ple' }), '/individual/lastName'],
    ['a name that is a number', person({ lastName: 7 }), '/individual/lastName'],
    ['a name of 101 characters', person({ lastName: 'x'.repeat(101) }), '/individual/lastName'],
    ['an unknown field', { ...ada, nickname: 'ada' }, '/nickname'],
    ['an unknown field of a person', person({ shoeSize: 40 }), '/individual/shoeSize'],
    ['51 pairs of metadata', { ...ada, metadata: pairs(51, 'x') }, '/metadata'],
    ['metadata over 8 kB', { ...ada, metadata: pairs(50, 'x'.repeat(200)) }, '/metadata'],
    ['metadata that is no string', { ...ada, metadata: { age: 7 } }, '/metadata/age'],
    [
      'a metadata value of 501 characters',
      { ...ada, metadata: { a: 'x'.repeat(501) } },
      '/metadata/a',
    ],
    [
      'a metadata key of 41 characters',
      { ...ada, metadata: { ['k'.repeat(41)]: 'x' } },
      `/metadata/${'k'.repeat(41)}`,
    ],
  ])('%s', async (_, payload, path) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('validation_failed');
    expect(answer.json().details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(answer.body).not.toMatch(/Planted/);
  });

  it.each([
    [person({ nationality: 'XX' }), '/individual/nationality'],
    [person({ nationality: 'de' }), '/individual/nationality'],
    [person({ taxIds: [{ country: 'ZZ', number: '12345' }] }), '/individual/taxIds/0/country'],
    [{ ...ada, address: { line1: 'a', city: 'b', country: 'QQ' } }, '/address/country'],
  ])('a country that is none: %j', async (payload, path) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: 'unsupported_country',
      details: [{ path, code: 'unsupported_country' }],
    });
  });

  it('all problems at once', async () => {
    const wrong = { ...person({ nationality: 'XX', dateOfBirth: '1990-02-31' }), phone: '1' };
    const answer = await post(wrong);
    expect(answer.json().details.map((detail: { code: string }) => detail.code)).toEqual([
      'unsupported_country',
      'invalid_date',
      'invalid_phone',
    ]);
  });

  it('a body that is no JSON', async () => {
    const answer = await harness.app.inject({
      method: 'POST',
      url: '/api/v1/end-users',
      headers: { ...harness.headers, 'content-type': 'application/json' },
      payload: '{"type":',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('invalid_json');
  });
});

describe('the externalId of an end-user', () => {
  it('an externalId is taken only once: 409 external_id_taken', async () => {
    expect((await post({ ...ada, externalId: 'taken' })).statusCode).toBe(201);
    const answer = await post({ ...ada, externalId: 'taken' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      error: 'external_id_taken',
      details: [{ path: '/externalId' }],
    });
  });

  it('an externalId goes to one of many requests at once', async () => {
    const order = { ...ada, externalId: 'contested' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(order)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it('an externalId of one customer is free for another', async () => {
    const token = await keyOfAnotherCustomer();
    expect((await post({ ...ada, externalId: 'mine' })).statusCode).toBe(201);
    const theirs = await post({ ...ada, externalId: 'mine' }, { authorization: `Bearer ${token}` });
    expect(theirs.statusCode).toBe(201);
  });
});

describe('GET /end-users/{id}', () => {
  it('missing, malformed and foreign end-user ids are answered alike, byte for byte', async () => {
    const { id } = (await post(ada)).json();
    const answers = [
      await get('/end-users/eu_01k6b7q0e8f1htx9n3r5p7v2ab'),
      await get('/end-users/nonsense'),
      await get(`/end-users/${id}`, await keyOfAnotherCustomer()),
      await get(`/end-users/${id}`, await liveKey()),
    ];
    const bodies = answers.map((answer) => {
      expect(answer.statusCode).toBe(404);
      return answer.body.replace(/req_[0-9a-z]+/, 'req_');
    });
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]?.json().error).toBe('not_found');
  });

  it('reading an end-user needs a key: 401', async () => {
    expect((await harness.app.inject('/api/v1/end-users/eu_1')).statusCode).toBe(401);
  });

  it('reading an end-user needs a key that may: 403', async () => {
    const { customerId } = harness.scope;
    const { token } = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['payments:read'] }),
    );
    const answer = await get('/end-users/eu_1', token);
    expect(answer.statusCode).toBe(403);
    expect(answer.json().error).toBe('insufficient_scope');
  });
});

describe('GET /end-users', () => {
  it('end-users are paged newest first, each once, and filtered', async () => {
    const token = await keyOfAnotherCustomer();
    const authorization = `Bearer ${token}`;
    const ids: string[] = [];
    for (const externalId of ['a', 'b', 'c']) {
      ids.unshift((await post({ ...ada, externalId }, { authorization })).json().id);
    }
    const first = (await get('/end-users?limit=2', token)).json();
    const rest = (await get(`/end-users?limit=2&cursor=${first.nextCursor}`, token)).json();
    const seen = [...first.data, ...rest.data].map((endUser: { id: string }) => endUser.id);
    expect(seen).toEqual(ids);
    expect([first.hasMore, rest.hasMore, rest.nextCursor]).toEqual([true, false, null]);

    const found = async (query: string) =>
      (await get(`/end-users?${query}`, token)).json().data.length;
    expect(await found('externalId=b')).toBe(1);
    expect(await found('externalId=missing')).toBe(0);
    expect(await found('status=ACTIVE&kycStatus=NOT_STARTED')).toBe(3);
    expect(await found('kycStatus=APPROVED')).toBe(0);
    expect(await found('status=CLOSED')).toBe(0);
  });

  it.each([
    ['limit=0', 'invalid_parameter'],
    ['limit=101', 'invalid_parameter'],
    ['status=GONE', 'invalid_parameter'],
    ['kycStatus=FINE', 'invalid_parameter'],
    ['color=red', 'invalid_parameter'],
    ['cursor=bm9uc2Vuc2U', 'invalid_cursor'],
  ])('refuses ?%s with 400 %s', async (query, error) => {
    const answer = await get(`/end-users?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe(error);
  });
});
