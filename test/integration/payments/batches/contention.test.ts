import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../../src/api/app.ts';
import { createCountedDatabase } from '../../../support/payments/counted-database.ts';
import {
  createBatchHarness,
  type Batch,
  type BatchHarness,
} from '../../../support/payments/batches/batch-harness.ts';

let harness: BatchHarness;
/** Its customer's balance covers every batch. */
let rich: BatchHarness;
beforeAll(async () => {
  harness = await createBatchHarness({ funds: '1000.00' });
  rich = await createBatchHarness();
});
afterAll(async () => {
  for (const one of [harness, rich]) {
    await one.expectBooksToHold();
    await one.close();
  }
});

const batchOf = (name: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_none, n) => harness.item(`${name}-${String(n)}`, more));

/** Payments of the rich customer under such keys. */
async function countPaid(keys: string): Promise<number | undefined> {
  const [count] = await rich.rows<{ n: number }>(
    'SELECT count(*)::integer AS n FROM payments WHERE idempotency_key LIKE $1',
    [keys],
  );
  return count?.n;
}

describe('a balance that covers half of a batch', () => {
  it('pays 100 of 200 items, refuses the others, and is never negative', async () => {
    const { id } = await harness.take(batchOf('half', 200));
    const done = await harness.finish(id);
    expect(done.counts).toEqual({ total: 200, pending: 0, accepted: 100, refused: 100 });
    expect(done.totals).toEqual([{ currency: 'EUR', amount: '2000.00', accepted: '1000.00' }]);
    expect(await harness.balance()).toMatchObject({ available: '0', reserved: '100000' });
    const refused = (await harness.items(id)).filter(({ state }) => state === 'REFUSED');
    expect(new Set(refused.map(({ error }) => error?.error))).toEqual(
      new Set(['insufficient_balance']),
    );
    // In the order in which they were sent: the last ones are those that are left.
    expect(Math.min(...refused.map(({ index }) => index))).toBeGreaterThanOrEqual(75);
  });
});

describe('a batch and single payments', () => {
  it('race for the same keys: one payment each, and both sides tell of it', async () => {
    const items = Array.from({ length: 60 }, (_none, n) => rich.item(`race-${String(n)}`));
    const { id } = await rich.take(items);
    const pay = (item: Record<string, unknown>) => {
      const { idempotencyKey, ...body } = item;
      return rich.pay(body, String(idempotencyKey));
    };
    const [, answers] = await Promise.all([
      rich.turn(id),
      Promise.all([...items].reverse().map(pay)),
    ]);
    for (let turns = 0; (await rich.turn(id)).kind !== 'DONE'; turns += 1) {
      expect(turns).toBeLessThan(10);
    }
    const statuses = new Set(answers.map(({ statusCode }) => statusCode));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const judged = await rich.items(id);
    expect(judged.every(({ state }) => state === 'ACCEPTED')).toBe(true);
    for (const [n, item] of items.entries()) {
      const again = await pay(item);
      expect(again.statusCode).toBe(201);
      expect(again.json()).toMatchObject({ id: judged[n]?.paymentId });
    }
    expect(await countPaid('race-%')).toBe(60);
  });

  it('two batches of the same items make each payment once', async () => {
    const items = Array.from({ length: 60 }, (_none, n) => rich.item(`twice-${String(n)}`));
    const batches: Batch[] = [await rich.take(items), await rich.take(items)];
    for (let turns = 0; turns < 10; turns += 1) {
      await Promise.all(batches.map(({ id }) => rich.turn(id)));
    }
    const [first, second] = await Promise.all(
      batches.map(async ({ id }) =>
        (await rich.items(id)).map(({ state, paymentId }) => [state, paymentId]),
      ),
    );
    expect(first).toEqual(second);
    expect(new Set(first?.map(([, paymentId]) => paymentId)).size).toBe(60);
    expect(await countPaid('twice-%')).toBe(60);
  });
});

describe('what a batch costs in PostgreSQL', () => {
  it('at most 2 statements an item from begin to end, and 9 to take however many', async () => {
    const counted = createCountedDatabase(rich.database.url);
    try {
      const items = Array.from({ length: 100 }, (_none, n) => rich.item(`cost-${String(n)}`));
      const app = buildApp({ ...rich.deps, db: counted.db });
      const taken = await app.inject({
        ...{ method: 'POST', url: '/api/v1/payment-batches', headers: rich.headers },
        payload: { items },
      });
      await app.close();
      const { id } = taken.json<Batch>();
      // The leases of rate limits, the marks of keys and the log of requests serve many requests.
      const toTake = counted
        .readStatements()
        .filter((text) => !/lease_rate_tokens|note_api_key_uses|write_api_requests/.test(text));
      expect(toTake.length, toTake.join('\n---\n')).toBeLessThanOrEqual(9);
      const startedBefore = rich.started.length;
      await rich.turn(id, { db: counted.db });
      const statements = counted.readStatements();
      expect((await rich.read(id)).counts.accepted).toBe(100);
      expect(statements.length).toBeGreaterThan(10);
      expect(statements.length / items.length).toBeLessThanOrEqual(2);
      expect(rich.started.length - startedBefore).toBe(100);
    } finally {
      await counted.db.close();
    }
  });
});
