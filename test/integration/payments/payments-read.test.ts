import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

interface ListBody {
  data: { id: string }[];
  hasMore: boolean;
  nextCursor: string | null;
}

let harness: PaymentHarness;
let stranger: Payer;
const ids: string[] = [];
beforeAll(async () => {
  harness = await createPaymentHarness();
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await harness.addPayer({ customerId, environment: 'test' });
  for (let n = 0; n < 5; n += 1) {
    harness.clock.advance(1_000);
    const answer = await harness.pay(harness.order({ externalId: `invoice-${n % 2}` }), `key-${n}`);
    ids.unshift(answer.json<{ id: string }>().id);
  }
});
afterAll(() => harness.close());

const list = async (query: string, token?: string): Promise<ListBody> => {
  const answer = await harness.ask({ url: `/payments${query}`, ...(token && { token }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<ListBody>();
};
const idsOf = async (query: string, token?: string) =>
  (await list(query, token)).data.map(({ id }) => id);

describe('GET /payments/:id answers 404, byte for byte the same', () => {
  it("a missing payment id, a malformed one, another customer's and the other environment's: the same 404", async () => {
    const { endUserId, bankAccountId, token } = stranger;
    const theirs = await harness.pay(harness.order({ endUserId, bankAccountId }), 'k', token);
    const live = await harness.addPayer({ ...harness.scope, environment: 'live' });
    const ours = await harness.pay(
      harness.order({ endUserId: live.endUserId, bankAccountId: live.bankAccountId }),
      ...(['k', live.token] as const),
    );
    const wanted = [
      'pay_01k6b7q0e8f1htx9n3r5p7v2ab',
      'nonsense',
      '%20',
      theirs.json<{ id: string }>().id,
      ours.json<{ id: string }>().id,
    ];
    for (const path of ['', '/timeline']) {
      const texts = new Set<string>();
      for (const id of wanted) {
        const answer = await harness.ask({ url: `/payments/${id}${path}` });
        expect(answer.statusCode, id).toBe(404);
        texts.add(answer.body.replace(/req_[0-9a-z]+/, 'req'));
      }
      expect([...texts]).toHaveLength(1);
    }
  });
});

describe('GET /payments', () => {
  it('payments are listed newest first, the own only, with the whole history', async () => {
    expect(await idsOf('')).toEqual(ids);
    expect((await list('')).data[0]).toMatchObject({
      statusHistory: [{ status: 'PROCESSING', version: 1 }],
    });
    expect(await idsOf('', stranger.token)).not.toEqual(expect.arrayContaining([ids[0]]));
  });

  it('payments are paged without gap or repetition, also while payments are added', async () => {
    const first = await list('?limit=2');
    expect(first).toMatchObject({ hasMore: true });
    const added = await harness.accept({ externalId: 'added' });
    const second = await list(`?limit=2&cursor=${first.nextCursor ?? ''}`);
    const third = await list(`?limit=2&cursor=${second.nextCursor ?? ''}`);
    const seen = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
    expect(seen).toEqual(ids);
    expect(third).toMatchObject({ hasMore: false, nextCursor: null });
    ids.unshift(added);
  });

  it('payments are filtered by every field, and by all of them at once', async () => {
    const { endUserId, bankAccountId } = harness.payer;
    expect(await idsOf('?externalId=invoice-1')).toEqual([ids[2], ids[4]]);
    expect(await idsOf('?idempotencyKey=key-3')).toEqual([ids[2]]);
    expect(await idsOf('?status=PROCESSING')).toEqual(ids);
    expect(await idsOf('?status=COMPLETED')).toEqual([]);
    expect(await idsOf(`?endUserId=${endUserId}&bankAccountId=${bankAccountId}`)).toEqual(ids);
    expect(await idsOf(`?endUserId=${stranger.endUserId}`)).toEqual([]);
    const second = harness.clock.now().getTime() - 3_000;
    const at = encodeURIComponent(new Date(second).toISOString());
    expect(await idsOf(`?createdAfter=${at}`)).toEqual(ids.slice(0, 4));
    expect(await idsOf(`?createdBefore=${at}`)).toEqual(ids.slice(5));
    expect(await idsOf(`?externalId=invoice-1&idempotencyKey=key-0`)).toEqual([]);
  });

  it.each([
    ['?limit=0', '/query/limit'],
    ['?limit=101', '/query/limit'],
    ['?limit=x', '/query/limit'],
    ['?status=PAID', '/query/status'],
    ['?createdAfter=yesterday', '/query/createdAfter'],
    ['?createdAfter=2026-12-31T23:59:60Z', '/query/createdAfter'],
    ['?createdBefore=2026-01-01T00:00:00%2B00', '/query/createdBefore'],
    ['?colour=red', '/query/colour'],
  ])('answers 400 invalid_parameter to %s', async (query, path) => {
    const answer = await harness.ask({ url: `/payments${query}` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', details: [{ path }] });
  });

  it('GET /payments answers 400 invalid_cursor to nonsense and to a cursor of another list', async () => {
    await harness.ask({
      ...{ method: 'POST', url: '/end-users' },
      body: { type: 'INDIVIDUAL', individual: { firstName: 'Ben', lastName: 'Sample' } },
    });
    const other = await harness.ask({ url: '/end-users?limit=1' });
    for (const cursor of ['nonsense', other.json<ListBody>().nextCursor ?? '']) {
      const answer = await harness.ask({ url: `/payments?cursor=${cursor}` });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'invalid_cursor' });
    }
  });

  it('GET /payments answers 401 without a key and 403 to a key that may not read payments', async () => {
    const url = `/api/v1/payments/${ids[0] ?? ''}`;
    expect((await harness.app.inject({ url })).json()).toMatchObject({ error: 'missing_api_key' });
    const { customerId } = harness.scope;
    const { token } = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['payments:write'] }),
    );
    for (const path of ['', `/${ids[0] ?? ''}`, `/${ids[0] ?? ''}/timeline`]) {
      const answer = await harness.ask({ url: `/payments${path}`, token });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ error: 'insufficient_scope' });
    }
  });
});

describe('GET /payments/:id/timeline', () => {
  it('a timeline tells what happened and, behind it, what is expected', async () => {
    const answer = await harness.ask({ url: `/payments/${ids[1] ?? ''}/timeline` });
    expect(answer.statusCode).toBe(200);
    const done = {
      ...{ at: expect.any(String), status: 'PROCESSING', statusDetail: 'QUEUED' },
      ...{ fundsStatus: 'HELD', reconciliationStatus: 'PENDING', finality: 'NONE' },
    };
    const sent = { ...done, at: null, statusDetail: 'SUBMITTING', waitsFor: 'US' };
    const next = {
      ...{ at: null, status: 'COMPLETED', statusDetail: 'DELIVERED' },
      ...{ fundsStatus: 'DELIVERED', reconciliationStatus: 'PENDING', waitsFor: 'BANK' },
      finality: 'PROVISIONAL',
    };
    expect(answer.json()).toEqual({
      data: [
        { ...done, version: 1, expected: false, waitsFor: null },
        { ...sent, version: null, expected: true },
        { ...next, version: null, expected: true },
      ],
      hasMore: false,
      nextCursor: null,
    });
  });
});

describe('the metadata of a payment', () => {
  it('is in every answer as it was given, also under a name with a separator of lines or paragraphs', async () => {
    const metadata = { 'a\u2028b': '1', 'a\u2029b': '2', 'a\u0085b': '3' };
    const made = await harness.pay(harness.order({ metadata }), 'separators');
    expect(made.json(), made.body).toMatchObject({ metadata });
    const { id } = made.json<{ id: string }>();
    const read = await harness.ask({ url: `/payments/${id}` });
    expect(read.json()).toMatchObject({ metadata });
    expect((await list('?idempotencyKey=separators')).data).toMatchObject([{ id, metadata }]);
    const canceled = await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
    expect(canceled.json(), canceled.body).toMatchObject({ status: 'CANCELED', metadata });
  });
});
