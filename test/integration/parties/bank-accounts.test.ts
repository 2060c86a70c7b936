import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
let endUserId: string;
beforeAll(async () => {
  harness = await createTestApp();
  endUserId = await addEndUser();
});
afterAll(() => harness.close());

const IBAN = 'DE89370400440532013000';

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  harness.app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { ...harness.headers, ...headers },
    payload,
  });
const get = (path: string, token = harness.token) =>
  harness.app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } });

async function addEndUser(headers: Record<string, string> = {}): Promise<string> {
  const individual = { firstName: 'Ada', lastName: 'Sample' };
  return (await post('/end-users', { type: 'INDIVIDUAL', individual }, headers)).json().id;
}

async function addKey(environment: 'test' | 'live', customer?: string): Promise<string> {
  return harness.database.db.system(async (tx) => {
    const customerId = customer ?? (await addCustomer(tx));
    const approvedRanges = environment === 'live' ? ['127.0.0.1/32'] : [];
    return (await addApiKey(tx, harness.vault, { customerId, environment, approvedRanges })).token;
  });
}

const sepa = (more: object = {}) => ({
  endUserId,
  country: 'DE',
  currency: 'EUR',
  holderName: 'Ada Sample',
  holderType: 'INDIVIDUAL',
  details: { iban: IBAN },
  ...more,
});
const ach = (more: object = {}) =>
  sepa({
    country: 'US',
    currency: 'USD',
    details: { routingNumber: '021000021', accountNumber: '123456789', accountType: 'CHECKING' },
    ...more,
  });
const fps = (more: object = {}) =>
  sepa({
    country: 'GB',
    currency: 'GBP',
    details: { sortCode: '12-34-56', accountNumber: '12345678' },
    ...more,
  });

describe('POST /bank-accounts', () => {
  it("a new bank account takes the corridor's first rail and shows no more than the last four", async () => {
    const answer = await post('/bank-accounts', sepa());
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^ba_[0-9a-z]{26}$/),
      endUserId,
      country: 'DE',
      currency: 'EUR',
      rail: 'SEPA',
      holderName: 'Ada Sample',
      holderType: 'INDIVIDUAL',
      details: { iban: '****3000' },
      last4: '3000',
      fingerprint: expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/),
      bankName: null,
      status: 'ACTIVE',
      nameCheck: 'NOT_SUPPORTED',
      version: 1,
      createdAt: harness.clock.now().toISOString(),
      updatedAt: harness.clock.now().toISOString(),
    });
    expect((await get(`/bank-accounts/${answer.json().id}`)).json()).toEqual(answer.json());
  });

  it.each([
    ['ACH', ach, { routingNumber: '****0021', accountNumber: '****6789', accountType: 'CHECKING' }],
    ['FPS', fps, { sortCode: '****3456', accountNumber: '****5678' }],
  ])('takes an account for %s', async (rail, order, details) => {
    const answer = await post('/bank-accounts', order({ rail }));
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ rail, details });
  });

  it('an account that the end-user has is answered by 200, however it is written', async () => {
    const owner = { endUserId: await addEndUser() };
    const first = await post('/bank-accounts', sepa(owner));
    const spaced = { iban: 'de89 3704 0044 0532 0130 00' };
    const again = await post('/bank-accounts', sepa({ ...owner, details: spaced }));
    expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
    expect(again.json()).toEqual(first.json());
    // The IBAN says which account it is: with its bank's code it is the same one.
    const withBic = { iban: IBAN, bic: 'COBADEFFXXX' };
    const named = await post('/bank-accounts', sepa({ ...owner, details: withBic }));
    expect([named.statusCode, named.json()]).toEqual([200, first.json()]);
  });

  it('many requests for one account at once make one account, with one event', async () => {
    const owner = { endUserId: await addEndUser() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('/bank-accounts', sepa(owner))),
    );
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([
      ...Array(19).fill(200),
      201,
    ]);
    const ids = new Set(answers.map((answer) => answer.json().id as string));
    expect(ids.size).toBe(1);
    const events = await harness.database.db.system((tx) =>
      tx.query<{ type: string }>('SELECT type FROM events WHERE resource_id = $1', [[...ids][0]]),
    );
    expect(events).toEqual([{ type: 'bank_account.created' }]);
  });

  it('the same account of two end-users has one fingerprint, and another across customers', async () => {
    const mine = (await post('/bank-accounts', sepa({ endUserId: await addEndUser() }))).json();
    const sameScope = (
      await post('/bank-accounts', sepa({ endUserId: await addEndUser() }))
    ).json();
    expect(sameScope.id).not.toBe(mine.id);
    expect(sameScope.fingerprint).toBe(mine.fingerprint);
    const headers = { authorization: `Bearer ${await addKey('test')}` };
    const theirs = sepa({ endUserId: await addEndUser(headers) });
    const foreign = (await post('/bank-accounts', theirs, headers)).json();
    expect(foreign.fingerprint).not.toBe(mine.fingerprint);
  });

  it('names and numbers of a bank account are in no event and no readable column', async () => {
    const owner = { endUserId: await addEndUser(), holderName: 'Planted Holder' };
    const { id } = (await post('/bank-accounts', sepa(owner))).json();
    const rows = await harness.database.db.system((tx) =>
      tx.query<{ text: string }>(
        `SELECT b::text AS text FROM bank_accounts b WHERE id = $1
         UNION ALL SELECT body FROM events WHERE resource_id = $1`,
        [id],
      ),
    );
    expect(rows).toHaveLength(2);
    for (const { text } of rows) expect(text).not.toMatch(/Planted|3704/);
  });

  it('a repeated Idempotency-Key answers POST /bank-accounts word for word', async () => {
    const order = sepa({ endUserId: await addEndUser() });
    const headers = { 'idempotency-key': 'account-once' };
    const first = await post('/bank-accounts', order, headers);
    const second = await post('/bank-accounts', order, headers);
    expect([second.statusCode, second.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(second.body).toBe(first.body);
  });
});

describe('POST /bank-accounts refuses', () => {
  it.each([
    [
      'a wrong check digit',
      () => sepa({ details: { iban: 'DE88370400440532013000' } }),
      ['/details/iban'],
    ],
    ['an IBAN of another country', () => sepa({ country: 'FR' }), ['/details/iban']],
    ['no details', () => sepa({ details: {} }), ['/details/iban']],
    ['an unknown detail', () => sepa({ details: { iban: IBAN, pin: '1234' } }), ['/details/pin']],
    ['a detail that is a number', () => sepa({ details: { iban: 7 } }), ['/details/iban']],
    [
      'everything wrong at once',
      () => ach({ details: { routingNumber: '021000020', accountNumber: 'x' } }),
      ['/details/routingNumber', '/details/accountNumber', '/details/accountType'],
    ],
    ['an unknown field', () => sepa({ iban: IBAN }), ['/iban']],
    ['a line break in the name', () => sepa({ holderName: 'Ada\nSample' }), ['/holderName']],
    ['no holder type', () => sepa({ holderType: undefined }), ['/holderType']],
  ])('%s: 400 with every place', async (_, order, paths) => {
    const answer = await post('/bank-accounts', order());
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('validation_failed');
    const places = answer.json().details.map((detail: { path: string }) => detail.path);
    expect(places).toEqual(paths);
    expect(answer.body).not.toContain('70400440532');
  });

  it.each([
    [{ country: 'XX' }, 'unsupported_country', '/country'],
    [{ country: 'Germany' }, 'unsupported_country', '/country'],
    [{ currency: 'XXQ' }, 'unsupported_currency', '/currency'],
    [{ currency: 'eur' }, 'unsupported_currency', '/currency'],
    [
      { holderAddress: { line1: 'a', city: 'b', country: 'QQ' } },
      'unsupported_country',
      '/holderAddress/country',
    ],
  ])('%j: 400 %s', async (more, error, path) => {
    const answer = await post('/bank-accounts', sepa(more));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error, details: [{ path, code: error }] });
  });

  it.each([
    ['a country without a corridor', () => sepa({ country: 'AQ' }), '/country'],
    ['a currency that does not go there', () => sepa({ currency: 'BRL' }), '/country'],
    [
      'a rail that does not go there',
      () => fps({ country: 'DE', currency: 'EUR', rail: 'FPS' }),
      '/rail',
    ],
    ['a rail that is none', () => sepa({ rail: 'PIGEON' }), '/rail'],
  ])('%s: 422 corridor_unavailable', async (_, order, path) => {
    const answer = await post('/bank-accounts', order());
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: 'corridor_unavailable', details: [{ path }] });
  });

  it("another customer's, another environment's and a missing end-user: the same 422", async () => {
    const stranger = { authorization: `Bearer ${await addKey('test')}` };
    const live = { authorization: `Bearer ${await addKey('live', harness.scope.customerId)}` };
    const answers = [
      await post('/bank-accounts', sepa({ endUserId: 'nonsense' })),
      await post('/bank-accounts', sepa({ endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab' })),
      await post('/bank-accounts', sepa(), stranger),
      await post('/bank-accounts', sepa(), live),
    ];
    const bodies = answers.map((answer) => {
      expect(answer.statusCode).toBe(422);
      return answer.body.replace(/req_[0-9a-z]+/, 'req_');
    });
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({
      error: 'resource_not_found',
      details: [{ path: '/endUserId' }],
    });
  });

  it.each(['SUSPENDED', 'CLOSED'])(
    'an end-user who is %s: 422 end_user_not_active',
    async (status) => {
      const id = await addEndUser();
      await harness.database.db.write(harness.scope, (tx) =>
        tx.query('UPDATE end_users SET status = $1, version = version + 1 WHERE id = $2', [
          status,
          id,
        ]),
      );
      const answer = await post('/bank-accounts', sepa({ endUserId: id }));
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({
        error: 'end_user_not_active',
        details: [{ path: '/endUserId' }],
      });
    },
  );
});

describe('GET /bank-accounts', () => {
  it('missing, malformed and foreign bank account ids are answered alike, byte for byte', async () => {
    const { id } = (await post('/bank-accounts', sepa())).json();
    const answers = [
      await get('/bank-accounts/ba_01k6b7q0e8f1htx9n3r5p7v2ab'),
      await get('/bank-accounts/nonsense'),
      await get(`/bank-accounts/${id}`, await addKey('test')),
      await get(`/bank-accounts/${id}`, await addKey('live', harness.scope.customerId)),
    ];
    const bodies = answers.map((answer) => {
      expect(answer.statusCode).toBe(404);
      return answer.body.replace(/req_[0-9a-z]+/, 'req_');
    });
    expect(new Set(bodies).size).toBe(1);
  });

  it('bank accounts are listed newest first, by end-user and status', async () => {
    const owner = { endUserId: await addEndUser() };
    const ids: string[] = [];
    for (const order of [sepa(owner), ach(owner), fps(owner)]) {
      ids.unshift((await post('/bank-accounts', order)).json().id);
    }
    const first = (await get(`/bank-accounts?limit=2&endUserId=${owner.endUserId}`)).json();
    const path = `/bank-accounts?endUserId=${owner.endUserId}&cursor=${first.nextCursor}`;
    const rest = (await get(path)).json();
    const seen = [...first.data, ...rest.data].map((account: { id: string }) => account.id);
    expect(seen).toEqual(ids);
    const disabled = `/bank-accounts?endUserId=${owner.endUserId}&status=DISABLED`;
    expect((await get(disabled)).json()).toEqual({ data: [], hasMore: false, nextCursor: null });
  });

  it('bank accounts are listed by country, currency and rail, every filter given holding', async () => {
    const owner = { endUserId: await addEndUser() };
    const made: { id: string; country: string }[] = [];
    for (const order of [sepa(owner), ach(owner), fps(owner)]) {
      made.push((await post('/bank-accounts', order)).json());
    }
    const idsOf = async (filters: string): Promise<string[]> =>
      (await get(`/bank-accounts?endUserId=${owner.endUserId}${filters}`))
        .json()
        .data.map(({ id }: { id: string }) => id);
    const [german, american, british] = made.map(({ id }) => id);
    expect(await idsOf('&country=DE')).toEqual([german]);
    expect(await idsOf('&currency=USD')).toEqual([american]);
    expect(await idsOf('&rail=FPS&status=ACTIVE')).toEqual([british]);
    expect(await idsOf('&country=DE&currency=USD')).toEqual([]);
  });

  it.each([
    ['country=germany', 'unsupported_country'],
    ['currency=eur', 'unsupported_currency'],
    ['rail=PIGEON', 'invalid_parameter'],
    ['status=GONE', 'invalid_parameter'],
  ])('GET /bank-accounts?%s: 400 %s', async (query, error) => {
    const answer = await get(`/bank-accounts?${query}`);
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
  });

  it('the list of bank accounts shows nothing of another customer', async () => {
    const stranger = await addKey('test');
    expect((await get('/bank-accounts', stranger)).json().data).toEqual([]);
    const path = `/bank-accounts?endUserId=${endUserId}`;
    expect((await get(path, stranger)).json().data).toEqual([]);
  });

  it("the list of bank accounts refuses another list's cursor with 400 invalid_cursor", async () => {
    const cursor = Buffer.from('end-users:5').toString('base64url');
    const answer = await get(`/bank-accounts?cursor=${cursor}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('invalid_cursor');
  });
});
