import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createBatchHarness,
  type BatchHarness,
} from '../../../support/payments/batches/batch-harness.ts';

let harness: BatchHarness;
beforeAll(async () => {
  harness = await createBatchHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const pointersOf = ({ error }: { error: { details: readonly { path: string }[] } | null }) =>
  error?.details.map(({ path }) => path) ?? [];

describe('a batch of payments', () => {
  it('pays what it may, refuses the rest with pointers into the item, and tells of its end once', async () => {
    const { item } = harness;
    const before = await harness.balance();
    const personal = { reference: 'Invoice 4711', metadata: { invoice: 'secret-4711' } };
    const taken = await harness.take([
      item('mix-0', { amount: '10.00', ...personal }),
      item('mix-1', { amount: '10.000' }),
      item('mix-2', { amount: 'ten', colour: 'red' }),
      item('mix-3', { currency: 'XYZ' }),
      item('mix-4', { endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab' }),
      item('mix-5', { currency: 'USD', amount: '7.00' }),
      item('mix-6', { amount: '999999999.00' }),
      item('mix-7', { amount: 0.3 }),
      { idempotencyKey: 'mix-8' },
    ]);
    expect(taken).toEqual({
      id: expect.stringMatching(/^pba_[0-9a-z]{26}$/),
      status: 'PROCESSING',
      counts: { total: 9, pending: 5, accepted: 0, refused: 4 },
      totals: [
        { currency: 'EUR', amount: '1000000019.30', accepted: '0.00' },
        { currency: 'USD', amount: '7.00', accepted: '0.00' },
      ],
      version: 1,
      createdAt: harness.clock.now().toISOString(),
      completedAt: null,
    });
    expect(await harness.read(taken.id)).toEqual(taken);

    const done = await harness.finish(taken.id);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      counts: { total: 9, pending: 0, accepted: 2, refused: 7 },
      totals: [
        { currency: 'EUR', amount: '1000000019.30', accepted: '10.30' },
        { currency: 'USD', amount: '7.00', accepted: '0.00' },
      ],
      version: 2,
      completedAt: harness.clock.now().toISOString(),
    });
    const items = await harness.items(taken.id);
    expect(items.map(({ index, idempotencyKey }) => [index, idempotencyKey])).toEqual(
      Array.from({ length: 9 }, (_none, n) => [n, `mix-${String(n)}`]),
    );
    expect(
      items.map((one) => [one.state, one.error?.error ?? null, ...pointersOf(one).sort()]),
    ).toEqual([
      ['ACCEPTED', null],
      ['REFUSED', 'amount_precision_exceeded', '/amount'],
      ['REFUSED', 'validation_failed', '/amount', '/colour'],
      ['REFUSED', 'unsupported_currency', '/currency'],
      ['REFUSED', 'resource_not_found', '/endUserId'],
      ['REFUSED', 'currency_mismatch', '/currency'],
      ['REFUSED', 'insufficient_balance', '/amount'],
      ['ACCEPTED', null],
      ['REFUSED', 'validation_failed', '/amount', '/bankAccountId', '/currency', '/endUserId'],
    ]);
    expect(harness.started).toEqual([items[0]?.paymentId, items[7]?.paymentId]);
    const paid = await harness.ask({ url: `/payments/${items[0]?.paymentId ?? ''}` });
    expect(paid.json()).toMatchObject({
      ...{ amount: '10.00', idempotencyKey: 'mix-0', endUserId: harness.payer.endUserId },
      ...personal,
    });
    const after = await harness.balance();
    expect(BigInt(before.available) - BigInt(after.available)).toBe(1_030n);

    const events = await harness.events(taken.id);
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['payment_batch.created', 1],
      ['payment_batch.completed', 2],
    ]);
    expect((JSON.parse(events[1]?.body ?? '') as { data: object }).data).toEqual(done);
    // No one can bring it to life again.
    expect(await harness.turn(taken.id)).toEqual({ kind: 'DONE' });
    expect(await harness.events(taken.id)).toHaveLength(2);
  });

  it('refuses an item as POST /payments refuses the same body, word for word', async () => {
    const bodies = [
      { amount: '10.000' },
      { amount: '-1' },
      { amount: '0' },
      { amount: '1000000000000' },
      { currency: 'eur' },
      { purpose: 'salary!', reference: 'x'.repeat(141) },
      { metadata: { ['k'.repeat(41)]: 'v' } },
      { metadata: { k: 1 } },
      { bankAccountId: 'ba_01k6b7q0e8f1htx9n3r5p7v2ab' },
      { currency: 'USD' },
      { amount: '999999999.00' },
      { amount: null },
      { amount: [] },
    ];
    const { id } = await harness.take(bodies.map((one, n) => harness.item(`same-${n}`, one)));
    await harness.finish(id);
    const items = await harness.items(id);
    for (const [n, body] of bodies.entries()) {
      const answer = await harness.pay(harness.order(body), `same-${String(n)}`);
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      const { requestId: _requestId, ...error } = answer.json<Record<string, unknown>>();
      expect(items[n]?.error).toEqual(error);
    }
  });

  it('an amount keeps its digits: nothing passes through a double', async () => {
    const items = ['0.30', '"0.30"', '0.300', '12345678901234.10'].map((written, n) =>
      JSON.stringify(harness.item(`digits-${String(n)}`, { amount: 'AMOUNT' })).replace(
        '"AMOUNT"',
        written,
      ),
    );
    const { id } = await harness.take(`{"items":[${items.join(',')}]}`);
    await harness.finish(id);
    const judged = await harness.items(id);
    expect(judged.map(({ error }) => error?.details[0]?.code ?? null)).toEqual([
      null,
      null,
      'amount_precision_exceeded',
      'too_large',
    ]);
    for (const { paymentId } of judged.slice(0, 2)) {
      const { amount } = (await harness.ask({ url: `/payments/${paymentId ?? ''}` })).json();
      expect(amount).toBe('0.30');
    }
  });

  it('its payments say who sent it, and with which request; what was sent is kept no longer', async () => {
    const answer = await harness.send([
      harness.item('who', { reference: 'Invoice 1', metadata: { a: 'b' } }),
      harness.item('not', { amount: 'x' }),
    ]);
    const { id } = answer.json<{ id: string }>();
    const sealed = `SELECT item_index, octet_length(sealed) AS length FROM payment_batch_items
      WHERE batch_id = $1 ORDER BY item_index`;
    expect(await harness.rows(sealed, [id])).toMatchObject([
      { length: expect.any(Number) },
      { length: expect.any(Number) },
    ]);
    await harness.finish(id);
    expect(await harness.rows(sealed, [id])).toMatchObject([
      { length: null },
      { length: expect.any(Number) },
    ]);
    const [item] = await harness.items(id);
    const rows = await harness.rows(
      `SELECT p.request_id AS "requestId" FROM payments p
         JOIN payment_history h ON h.payment_id = p.id AND h.version = 1
         JOIN api_keys k ON k.customer_id = p.customer_id AND h.actor = 'api-key:' || k.id
       WHERE p.id = $1`,
      [item?.paymentId],
    );
    expect(rows).toEqual([{ requestId: answer.headers['x-request-id'] }]);
  });

  it('sums a thousand of the greatest amounts to the cent', async () => {
    const most = { amount: '999999999999.99' };
    const items = Array.from({ length: 1_000 }, (_none, n) => harness.item(`sum-${n}`, most));
    const { totals, counts } = await harness.take(items);
    expect(counts.total).toBe(1_000);
    expect(totals).toEqual([{ currency: 'EUR', amount: '999999999999990.00', accepted: '0.00' }]);
  });
});

describe('an item and POST /payments share their keys', () => {
  it('an item whose key paid before is that payment, and nothing is paid twice', async () => {
    const { idempotencyKey, ...body } = harness.item('single-first', { amount: '10.00' });
    const first = await harness.pay(body, String(idempotencyKey));
    const before = await harness.balance();
    const same = await harness.take([harness.item('single-first', { amount: 10 })]);
    await harness.finish(same.id);
    expect(await harness.items(same.id)).toMatchObject([
      { state: 'ACCEPTED', paymentId: first.json<{ id: string }>().id, error: null },
    ]);
    const other = await harness.take([harness.item('single-first', { amount: '10.01' })]);
    await harness.finish(other.id);
    expect(await harness.items(other.id)).toMatchObject([
      { state: 'REFUSED', paymentId: null, error: { error: 'idempotency_key_mismatch' } },
    ]);
    expect(await harness.balance()).toEqual(before);
  });

  it("a POST with an item's key replays the item's payment; with another body it is a mismatch", async () => {
    const { id } = await harness.take([harness.item('batch-first', { amount: '10.00' })]);
    await harness.finish(id);
    const [item] = await harness.items(id);
    const before = await harness.balance();
    const again = await harness.pay(harness.order({ amount: 10 }), 'batch-first');
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.json()).toMatchObject({ id: item?.paymentId });
    const other = await harness.pay(harness.order({ amount: '11' }), 'batch-first');
    expect(other.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    expect(await harness.balance()).toEqual(before);
  });

  it('a refused item leaves its key free', async () => {
    const { id } = await harness.take([harness.item('free-again', { amount: '999999999' })]);
    await harness.finish(id);
    const answer = await harness.pay(harness.order(), 'free-again');
    expect([answer.statusCode, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('sent again whole: with its key the same answer, without one the same payments', async () => {
    const items = [harness.item('whole-0'), harness.item('whole-1'), harness.item('whole-2')];
    const first = await harness.send(items, { key: 'the-batch' });
    const { id } = first.json<{ id: string }>();
    await harness.finish(id);
    const before = await harness.balance();
    const replayed = await harness.send(items, { key: 'the-batch' });
    expect([replayed.statusCode, replayed.body]).toEqual([201, first.body]);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    const other = await harness.send(items.slice(1), { key: 'the-batch' });
    expect(other.json()).toMatchObject({ error: 'idempotency_key_mismatch' });

    const again = await harness.take(items);
    expect(again.id).not.toBe(id);
    await harness.finish(again.id);
    const of = async (batchId: string) =>
      (await harness.items(batchId)).map(({ state, paymentId }) => [state, paymentId]);
    expect(await of(again.id)).toEqual(await of(id));
    expect(await harness.balance()).toEqual(before);
  });
});
