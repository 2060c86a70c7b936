import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createBatchHarness,
  type Batch,
  type BatchHarness,
} from '../../support/payments/batches/batch-harness.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

const MIB_2 = 2 * 1_024 * 1_024;

let harness: BatchHarness;
const startedBatches: object[] = [];
beforeAll(async () => {
  harness = await createBatchHarness();
  harness.deps.workflows.startPaymentBatch = async (...started) =>
    void startedBatches.push(started);
});
afterAll(() => harness.close());

const tellOf = (answer: {
  json: () => { error: string; details?: { path: string; code: string }[] };
}) => {
  const { error, details = [] } = answer.json();
  return [error, ...details.map(({ path, code }) => `${path} ${code}`)];
};
const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_none, n) => harness.item(`many-${String(n)}`, more));
const countBatches = async () =>
  (await harness.rows<{ n: number }>('SELECT count(*)::integer AS n FROM payment_batches'))[0]?.n;

describe('POST /payment-batches answers 400 and keeps nothing', () => {
  it.each<[string, () => object | string, string[]]>([
    ['no items', () => ({ items: [] }), ['validation_failed', '/items validation_failed']],
    [
      '1,001 items',
      () => ({ items: many(1_001) }),
      ['validation_failed', '/items validation_failed'],
    ],
    [
      'items that are no array',
      () => ({ items: {} }),
      ['validation_failed', '/items validation_failed'],
    ],
    ['nothing', () => ({}), ['validation_failed', '/items validation_failed']],
    [
      'an item that is no object',
      () => ({ items: ['x'] }),
      ['validation_failed', '/items/0 validation_failed'],
    ],
    [
      'an item that is an array',
      () => ({ items: [[]] }),
      ['validation_failed', '/items/0 validation_failed'],
    ],
    [
      'an item without a key',
      () => ({ items: [harness.item('a'), harness.order()] }),
      ['idempotency_key_required', '/items/1/idempotencyKey idempotency_key_required'],
    ],
    [
      'a key with a line break',
      () => ({ items: [harness.item('a\nb')] }),
      ['invalid_idempotency_key', '/items/0/idempotencyKey invalid_idempotency_key'],
    ],
    [
      'a key that is a number',
      () => ({ items: [{ ...harness.order(), idempotencyKey: 1 }] }),
      ['validation_failed', '/items/0/idempotencyKey validation_failed'],
    ],
    [
      'keys that come twice',
      () => ({ items: ['a', 'b', 'a', 'b', 'a'].map((key) => harness.item(key)) }),
      [
        'validation_failed',
        '/items/2/idempotencyKey repeated_key',
        '/items/3/idempotencyKey repeated_key',
        '/items/4/idempotencyKey repeated_key',
      ],
    ],
    [
      'an unknown field beside items',
      () => ({ items: [harness.item('a')], dryRun: true }),
      ['validation_failed', '/dryRun validation_failed'],
    ],
    ['a repeated member of an item', () => '{"items":[{"amount":1,"amount":2}]}', ['invalid_json']],
    [
      'text with a NUL beside items',
      () => ({ items: [harness.item('a', { reference: '\0' })], note: '\0' }),
      ['validation_failed', '/note validation_failed'],
    ],
    [
      'an item that is text with a NUL',
      () => ({ items: ['\0'] }),
      ['validation_failed', '/items/0 validation_failed'],
    ],
    [
      'a key with a NUL',
      () => ({ items: [harness.item('a\0')] }),
      ['invalid_idempotency_key', '/items/0/idempotencyKey invalid_idempotency_key'],
    ],
  ])('to %s', async (_what, body, told) => {
    const before = await countBatches();
    const answer = await harness.ask({ method: 'POST', url: '/payment-batches', body: body() });
    expect(answer.statusCode, answer.body).toBe(400);
    expect(tellOf(answer)).toEqual(told);
    expect(await countBatches()).toBe(before);
  });

  it('a repeated key names both items', async () => {
    const answer = await harness.send([harness.item('x'), harness.item('y'), harness.item('x')]);
    expect(answer.json<{ details: object[] }>().details).toMatchObject([
      { path: '/items/2/idempotencyKey', meta: { first: '/items/0/idempotencyKey' } },
    ]);
  });
});

describe('an item with what cannot be kept is refused alone, and the others are paid', () => {
  const crowd = Object.fromEntries(Array.from({ length: 64 }, (_n, i) => [`f${i}`, 1]));
  it.each<[string, object, string]>([
    ['a NUL in a text', { reference: 'a\0' }, '/reference'],
    ['half a surrogate pair', { reference: '\ud800' }, '/reference'],
    ['a NUL in the id of an end-user', { endUserId: 'eu_\0' }, '/endUserId'],
    ['a NUL deep inside', { metadata: { a: ['\0'] } }, '/metadata/a/0'],
    ['a member name with a NUL', { metadata: { '\0': 'x' } }, '/metadata'],
    ['a member __proto__', { metadata: JSON.parse('{"__proto__":1}') }, '/metadata'],
    ['more than 64 fields', crowd, ''],
  ])('%s', async (what, more, path) => {
    const key = (name: string) => `${what} ${name}`;
    const { id, counts } = await harness.take([
      ...[harness.item(key('good')), harness.item(key('bad'), more), harness.item(key('too'))],
    ]);
    expect(counts).toEqual({ total: 3, pending: 2, accepted: 0, refused: 1 });
    const { counts: judged } = await harness.finish(id);
    expect(judged).toEqual({ total: 3, pending: 0, accepted: 2, refused: 1 });
    const [, bad] = await harness.items(id);
    expect(bad).toMatchObject({
      state: 'REFUSED',
      error: { error: 'validation_failed', details: [{ path, code: 'validation_failed' }] },
    });
  });
});

describe('the size of a batch', () => {
  /** A body of exactly so many bytes: a thousand items, filled up by blanks. */
  const bodyOf = (bytes: number): string => {
    const text = JSON.stringify({ items: many(1_000, { reference: 'x'.repeat(140) }) });
    return text + ' '.repeat(bytes - Buffer.byteLength(text));
  };

  it('2 MiB and 1,000 items are taken, in few statements; a byte more is 413', async () => {
    const answer = await harness.send(bodyOf(MIB_2));
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json<Batch>().counts).toEqual({
      ...{ total: 1_000, pending: 1_000, accepted: 0, refused: 0 },
    });
    const tooLarge = await harness.send(bodyOf(MIB_2 + 1));
    expect([tooLarge.statusCode, tooLarge.json().error]).toEqual([413, 'payload_too_large']);
  });

  it('no other route takes more than 64 KiB', async () => {
    const answer = await harness.pay(`{"reference":"${'x'.repeat(65_536)}"}`);
    expect(answer.statusCode).toBe(413);
  });
});

describe('batches under way', () => {
  it('are 20 at the most, also where many come at once; then 429 until one of them is done', async () => {
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const payer = await harness.addPayer({ customerId, environment: 'test' });
    const { token, endUserId, bankAccountId } = payer;
    const send = (name: string) =>
      harness.send([harness.item(name, { endUserId, bankAccountId })], { token, key: name });
    const names = Array.from({ length: 25 }, (_none, n) => `under-way-${String(n)}`);
    const answers = await Promise.all(names.map(send));
    const taken = answers.filter(({ statusCode }) => statusCode === 201);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(taken).toHaveLength(20);
    expect(refused?.json()).toMatchObject({ error: 'rate_limited' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await harness.send([harness.item('of another customer')])).statusCode).toBe(201);

    const again = names[answers.findIndex(({ statusCode }) => statusCode === 201)] ?? '';
    expect((await send(again)).headers['idempotent-replayed']).toBe('true');
    const late = names[answers.findIndex(({ statusCode }) => statusCode === 429)] ?? '';
    expect((await send(late)).statusCode).toBe(429);
    await harness.finish(taken[0]?.json<Batch>().id ?? '', { payer });
    expect((await send(late)).statusCode).toBe(201);
  });
});

describe("a batch's own Idempotency-Key", () => {
  const spelled = (amount: string, more = '') => {
    const { endUserId, bankAccountId } = harness.payer;
    return `{"items":[{"idempotencyKey":"of-spellings","endUserId":"${endUserId}","amount":${amount},
      "currency":"EUR","bankAccountId":"${bankAccountId}"${more}}]}`;
  };

  it('stands for the same request however an amount in it is written', async () => {
    const answers = [];
    for (const amount of ['"10.00"', '10', '10.0', '"10"', '10.000']) {
      answers.push(await harness.send(spelled(amount), { key: 'spellings' }));
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers.at(-1)?.headers['idempotent-replayed']).toBe('true');
  });

  it.each([
    ['"10.01"', ''],
    ['"010.00"', ''],
    ['10.000000000000000001', ''],
    // A text that stands elsewhere than an amount is that text.
    ['10', ',"metadata":{"amount":"10"}'],
  ])('answers 422 where it says %s%s instead', async (amount, more) => {
    const key = `not the same ${amount}${more}`;
    const first = more === '' ? '' : ',"metadata":{"amount":"10.0"}';
    expect((await harness.send(spelled('10.00', first), { key })).statusCode).toBe(201);
    const answer = await harness.send(spelled(amount, more), { key });
    expect([answer.statusCode, ...tellOf(answer)]).toEqual([422, 'idempotency_key_mismatch']);
  });
});

describe('a batch that was taken', () => {
  it('has its workflow started, once the answer is safe', async () => {
    const answer = await harness.send([harness.item('started')]);
    const { id } = answer.json<Batch>();
    expect(startedBatches).toContainEqual([
      { ...harness.scope, batchId: id },
      answer.headers['x-request-id'],
    ]);
  });

  it('is listed, newest first, by status; its items in their order, by state, page by page', async () => {
    const bad = { amount: 'x' };
    const { id } = await harness.take([
      ...[harness.item('l-0'), harness.item('l-1', bad), harness.item('l-2')],
      ...[harness.item('l-3', bad), harness.item('l-4')],
    ]);
    const later = await harness.take([harness.item('later')]);
    await harness.finish(id);
    const ids = async (query: string) =>
      (await harness.ask({ url: `/payment-batches${query}` }))
        .json<{ data: Batch[] }>()
        .data.map((one) => one.id);
    expect(await ids('?limit=2')).toEqual([later.id, id]);
    expect((await ids('?status=COMPLETED'))[0]).toBe(id);
    expect(await ids('?status=PROCESSING&limit=100')).not.toContain(id);

    const page = async (query: string) => {
      const answer = await harness.ask({ url: `/payment-batches/${id}/items?${query}` });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ data: { index: number }[]; nextCursor: string }>();
    };
    const first = await page('limit=2');
    expect(first.data.map(({ index }) => index)).toEqual([0, 1]);
    const second = await page(`limit=2&cursor=${first.nextCursor}`);
    expect(second.data.map(({ index }) => index)).toEqual([2, 3]);
    expect((await page('status=REFUSED')).data.map(({ index }) => index)).toEqual([1, 3]);
    expect((await page('status=PENDING')).data).toEqual([]);
    const foreign = await harness.ask({
      url: `/payment-batches/${later.id}/items?cursor=${first.nextCursor}`,
    });
    expect(foreign.json()).toMatchObject({ error: 'invalid_cursor' });
    const wrong = await harness.ask({ url: '/payment-batches?status=DONE' });
    expect(wrong.statusCode).toBe(400);
  });

  it('needs payments:write to be sent and payments:read to be read', async () => {
    const keyWith = (scopes: string[]) =>
      harness.database.db.system((tx) =>
        addApiKey(tx, harness.vault, { ...harness.scope, scopes }),
      );
    const reader = await keyWith(['payments:read']);
    const writer = await keyWith(['payments:write']);
    const sent = await harness.send([harness.item('scoped')], { token: writer.token });
    expect(sent.statusCode).toBe(201);
    const { id } = sent.json<Batch>();
    const refused = await harness.send([harness.item('scoped-2')], { token: reader.token });
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'insufficient_scope']);
    for (const url of ['', `/${id}`, `/${id}/items`]) {
      const path = `/payment-batches${url}`;
      expect((await harness.ask({ url: path, token: reader.token })).statusCode).toBe(200);
      expect((await harness.ask({ url: path, token: writer.token })).statusCode).toBe(403);
    }
  });
});
