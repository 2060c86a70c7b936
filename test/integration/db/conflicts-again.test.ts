import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScopedTransaction } from '../../../src/db/client/database.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const lock = (tx: ScopedTransaction, number: number) =>
  tx.query('SELECT pg_advisory_xact_lock($1)', [number]);

/** Like a barrier for two: each waits until the other is there. Open for good afterwards. */
function createMeeting(): () => Promise<void> {
  let there = 0;
  let open: () => void = () => undefined;
  const bothThere = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    there += 1;
    if (there === 2) open();
    return bothThere;
  };
}

const conflict = (code: string) => Object.assign(new Error('conflict'), { code });

describe('two transactions that wait for each other', () => {
  it('both end well: the one that PostgreSQL undoes runs again', async () => {
    const { db } = harness.deps;
    const meet = createMeeting();
    let runs = 0;
    const work = (first: number, second: number) =>
      db.write(harness.scope, async (tx) => {
        runs += 1;
        await lock(tx, first);
        await meet();
        await lock(tx, second);
        return 'done';
      });
    await expect(Promise.all([work(1, 2), work(2, 1)])).resolves.toEqual(['done', 'done']);
    expect(runs).toBe(3);
  });

  it.each(['40P01', '40001'])('run three times at the most (%s)', async (code) => {
    let runs = 0;
    const work = harness.deps.db.write(harness.scope, async () => {
      runs += 1;
      throw conflict(code);
    });
    await expect(work).rejects.toMatchObject({ code });
    expect(runs).toBe(3);
  });
});

it('any other failure runs once', async () => {
  let runs = 0;
  const work = harness.deps.db.write(harness.scope, async () => {
    runs += 1;
    throw conflict('23505');
  });
  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect(runs).toBe(1);
});
