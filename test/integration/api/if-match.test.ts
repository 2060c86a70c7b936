import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEndUserHarness,
  type EndUserHarness,
} from '../../support/parties/end-user-harness.ts';

let harness: EndUserHarness;
beforeAll(async () => {
  harness = await createEndUserHarness();
});
afterAll(() => harness.close());

const ada = { type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } };

describe('the ETag of an answer', () => {
  it('is the strong tag of the version that it shows, on every resource that has one', async () => {
    const { endUserId, bankAccountId } = harness.payer;
    const paymentId = await harness.accept();
    const endpoint = await harness.ask({
      method: 'POST',
      url: '/webhook-endpoints',
      body: { url: 'http://127.0.0.1:4010/hooks' },
    });
    const answers = [
      endpoint,
      await harness.ask({ url: `/end-users/${endUserId}` }),
      await harness.ask({ url: `/bank-accounts/${bankAccountId}` }),
      await harness.ask({ url: `/payments/${paymentId}` }),
      await harness.ask({ url: `/webhook-endpoints/${endpoint.json<{ id: string }>().id}` }),
    ];
    for (const answer of answers) {
      expect(answer.headers['etag']).toBe(`"${answer.json<{ version: number }>().version}"`);
    }
  });

  it('of a replayed answer is that of the version that was answered', async () => {
    const key = { 'idempotency-key': 'etag-replay' };
    const post = () =>
      harness.app.inject({
        method: 'POST',
        url: '/api/v1/end-users',
        headers: { ...harness.headers, ...key },
        payload: ada,
      });
    const first = await post();
    await harness.patch(first.json().id, { email: 'a@example.com' });
    const replay = await post();
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect([first.headers['etag'], replay.headers['etag']]).toEqual(['"1"', '"1"']);
  });

  it('stands on no list, no error and no answer without a version', async () => {
    const answers = [
      await harness.ask({ url: '/end-users' }),
      await harness.ask({ url: '/end-users/nonsense' }),
      await harness.ask({ url: '/fx-rates' }),
      await harness.ask({ url: `/payments/${await harness.accept()}/timeline` }),
    ];
    for (const { headers } of answers) expect(headers).not.toHaveProperty('etag');
  });

  it('is told to HEAD as to GET', async () => {
    const { id } = await harness.create(ada);
    const answer = await harness.app.inject({
      method: 'HEAD',
      url: `/api/v1/end-users/${id}`,
      headers: harness.headers,
    });
    expect([answer.statusCode, answer.headers['etag'], answer.body]).toEqual([200, '"1"', '']);
  });
});

describe('If-Match', () => {
  it.each(['"1"', '*', ' * ', '"7", "1"', 'W/"1" , "1"', ',,"1",', '"a,b","1"', '"1"\t'])(
    '%j takes version 1',
    async (tag) => {
      const { id } = await harness.create(ada);
      const answer = await harness.patch(id, { email: 'a@example.com' }, { 'if-match': tag });
      expect(answer.statusCode, answer.body).toBe(200);
    },
  );

  it.each(['"2"', 'W/"1"', '"01"', '"7", W/"1"', '""', '"a,1"', '"#1"'])(
    '%j does not: 412, and nothing is changed',
    async (tag) => {
      const { id } = await harness.create(ada);
      const patch = await harness.patch(id, { email: 'a@example.com' }, { 'if-match': tag });
      const closing = await harness.shut(id, { 'if-match': tag });
      for (const answer of [patch, closing]) {
        expect(answer.statusCode, answer.body).toBe(412);
        expect(answer.json()).toMatchObject({
          error: 'precondition_failed',
          details: [{ path: '/header/if-match', meta: { version: 1 } }],
        });
      }
      expect((await harness.read(id)).json()).toMatchObject({ version: 1, status: 'ACTIVE' });
    },
  );

  it.each(['1', '"1', '1"', "'1'", '"1" "2"', 'w/"1"', '*, "1"', '"1", *', ',', '', 'W/ "1"'])(
    '%j is malformed: 400, whether the resource is there or not',
    async (tag) => {
      const { id } = await harness.create(ada);
      for (const subject of [id, 'nonsense']) {
        for (const answer of [
          await harness.patch(subject, {}, { 'if-match': tag }),
          await harness.shut(subject, { 'if-match': tag }),
        ]) {
          expect(answer.statusCode).toBe(400);
          expect(answer.json()).toMatchObject({
            error: 'invalid_parameter',
            details: [{ path: '/header/if-match' }],
          });
        }
      }
    },
  );

  it('of a long list of nothing is read in one pass', async () => {
    const { id } = await harness.create(ada);
    const answer = await harness.patch(id, {}, { 'if-match': `${' ,'.repeat(7_000)}"1` });
    expect(answer.statusCode).toBe(400);
  });

  it('of many changes with one tag lets one through', async () => {
    const { id } = await harness.create(ada);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        harness.patch(id, { metadata: { n: String(index) } }, { 'if-match': '"1"' }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      200,
      ...Array(7).fill(412),
    ]);
    expect(await harness.events(id)).toHaveLength(2);
  });

  it('names the version that the last answer showed, also after a withdrawn approval', async () => {
    const { endUserId } = await harness.addPayer(harness.scope);
    const changed = await harness.patch(endUserId, { individual: { lastName: 'Other' } });
    const tag = String(changed.headers['etag']);
    const next = await harness.patch(endUserId, { email: 'a@example.com' }, { 'if-match': tag });
    expect(next.statusCode).toBe(200);
    const late = await harness.patch(endUserId, { email: null }, { 'if-match': tag });
    expect(late.statusCode).toBe(412);
  });

  it('keeps a webhook endpoint that is at another version, and deletes one that is at this', async () => {
    const made = await harness.ask({
      method: 'POST',
      url: '/webhook-endpoints',
      body: { url: 'http://127.0.0.1:4010/other' },
    });
    const url = `/api/v1/webhook-endpoints/${made.json<{ id: string }>().id}`;
    const remove = (tag: string) =>
      harness.app.inject({
        method: 'DELETE',
        url,
        headers: { ...harness.headers, 'if-match': tag },
      });
    expect((await remove('"2"')).statusCode).toBe(412);
    expect((await harness.app.inject({ url, headers: harness.headers })).statusCode).toBe(200);
    expect((await remove(String(made.headers['etag']))).statusCode).toBe(204);
    expect((await harness.app.inject({ url, headers: harness.headers })).statusCode).toBe(404);
  });
});

describe('a method that a path does not take', () => {
  it('is a 405 that names those it does', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/end-users/eu_1', 'DELETE, GET, HEAD, PATCH'],
      ['PATCH', '/end-users', 'GET, HEAD, POST'],
      ['DELETE', '/payments/pay_1', 'GET, HEAD'],
      ['PATCH', '/payments/pay_1', 'GET, HEAD'],
    ] as const) {
      const answer = await harness.app.inject({
        method,
        url: `/api/v1${path}`,
        headers: harness.headers,
      });
      expect([answer.statusCode, answer.headers['allow']]).toEqual([405, allow]);
    }
  });
});
