import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createBatchHarness,
  type BatchHarness,
} from '../../support/payments/batches/batch-harness.ts';

const KEYS = 1_000;
const ITEMS_MAX = 500;

let harness: BatchHarness;
beforeAll(async () => {
  harness = await createBatchHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

interface Told {
  readonly statusCode: number;
  readonly error?: string;
  readonly state?: string;
  readonly id?: string;
  readonly payment?: { readonly id: string };
}

/** As a partner's program does: told that the key is in progress, it comes back. */
async function untilTold(ask: () => ReturnType<BatchHarness['ask']>): Promise<Told> {
  for (;;) {
    const answer = await ask();
    const told = { statusCode: answer.statusCode, ...answer.json<Omit<Told, 'statusCode'>>() };
    if (told.error !== 'idempotency_key_in_progress') return told;
  }
}

it('1,000 closings raced against posts and batches: one payment or CLOSED, and no two answers differ', async () => {
  const keys = Array.from({ length: KEYS }, (_none, n) => `race-${String(n)}`);
  const batched = keys.filter((_key, n) => n % 2 === 0);
  const batches = [batched.slice(0, ITEMS_MAX / 2), batched.slice(ITEMS_MAX / 2)];
  const ids: string[] = [];
  for (const some of batches) ids.push((await harness.take(some.map((k) => harness.item(k)))).id);

  const closings = new Map<string, Told>();
  const posts = new Map<string, Told>();
  const close = async (key: string) => {
    const body = { idempotencyKey: key };
    const url = '/idempotency-keys/close';
    closings.set(key, await untilTold(() => harness.ask({ method: 'POST', url, body })));
  };
  const post = async (key: string) => {
    posts.set(key, await untilTold(() => harness.pay(harness.order(), key)));
  };
  const inTurns = async (some: readonly string[], work: (key: string) => Promise<void>) => {
    for (let n = 0; n < some.length; n += 20) await Promise.all(some.slice(n, n + 20).map(work));
  };
  await Promise.all([
    inTurns(keys, close),
    // A third of the keys is posted and in a batch as well; some posts come first, some closings.
    inTurns(
      keys.filter((_key, n) => n % 3 !== 0 || n % 2 === 1),
      post,
    ),
    ...ids.map((id) => harness.turn(id)),
  ]);
  for (const id of ids) {
    for (let turns = 0; (await harness.turn(id)).kind !== 'DONE'; turns += 1) {
      expect(turns).toBeLessThan(10);
    }
  }
  const items = new Map(
    (await Promise.all(ids.map((id) => harness.items(id)))).flat().map((item) => {
      return [item.idempotencyKey, item] as const;
    }),
  );
  const stored = await harness.rows<{ key: string; id: string }>(
    `SELECT idempotency_key AS key, id FROM payments WHERE idempotency_key LIKE 'race-%'`,
  );
  const paid = new Map(stored.map(({ key, id }) => [key, id]));
  expect(paid.size).toBe(stored.length);

  const ends = { CLOSED: 0, PAYMENT: 0 };
  for (const key of keys) {
    const closing = closings.get(key);
    const id = paid.get(key);
    const expected = id === undefined ? { state: 'CLOSED' } : { state: 'PAYMENT', payment: { id } };
    expect(closing, key).toMatchObject({ statusCode: 200, ...expected });
    ends[id === undefined ? 'CLOSED' : 'PAYMENT'] += 1;
    const posted = posts.get(key);
    const refused = { statusCode: 409, error: 'idempotency_key_closed' };
    if (posted)
      expect(posted, key).toMatchObject(id === undefined ? refused : { statusCode: 201, id });
    const item = items.get(key);
    if (item === undefined) continue;
    expect(item.state, key).toBe(id === undefined ? 'REFUSED' : 'ACCEPTED');
    if (id === undefined) expect(item.error?.error).toBe('idempotency_key_closed');
    else expect(item.paymentId).toBe(id);
  }
  // Both sides won often enough that the race was one.
  expect(Math.min(ends.CLOSED, ends.PAYMENT)).toBeGreaterThan(KEYS / 50);
});
