import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createFaultyDatabase,
  type Fault,
  type FaultyDatabase,
} from '../../../support/faulty-database.ts';
import { setCustomerStatus } from '../../../support/set-customer-status.ts';
import { until } from '../../../support/until.ts';
import {
  createBatchHarness,
  type BatchHarness,
} from '../../../support/payments/batches/batch-harness.ts';

/** One that goes ahead alone, and those behind it that share a transaction; the last one is refused. */
const COUNT = 4;

let harness: BatchHarness;
beforeAll(async () => {
  harness = await createBatchHarness({ funds: '10000000.00' });
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

let processes: FaultyDatabase[] = [];
function startProcess(faultAt?: Parameters<typeof createFaultyDatabase>[1]): FaultyDatabase {
  const started = createFaultyDatabase(harness.database.url, faultAt);
  processes.push(started);
  return started;
}
afterEach(async () => {
  await Promise.all(processes.map(({ db }) => db.close()));
  processes = [];
});

let round = 0;
let items: Record<string, unknown>[];
beforeEach(() => {
  round += 1;
  items = Array.from({ length: COUNT }, (_none, n) =>
    harness.item(`round-${String(round)}-${String(n)}`, n === COUNT - 1 ? { currency: 'USD' } : {}),
  );
});

/** What a turn sends to PostgreSQL, from BEGIN to COMMIT of each transaction. */
async function statementsOfATurn(): Promise<readonly string[]> {
  const { id } = await harness.take(items);
  const process = startProcess();
  expect(await harness.turn(id, { db: process.db })).toEqual({ kind: 'DONE' });
  return process.sent.map(({ text }) => text);
}

async function expectPaidOnce(batchId: string): Promise<void> {
  const judged = await harness.items(batchId);
  expect(judged.map(({ state }) => state)).toEqual([
    ...Array.from({ length: COUNT - 1 }, () => 'ACCEPTED'),
    'REFUSED',
  ]);
  const keys = items.map(({ idempotencyKey }) => idempotencyKey);
  const paid = await harness.rows<{ id: string; key: string }>(
    'SELECT id, idempotency_key AS key FROM payments WHERE idempotency_key = ANY ($1)',
    [keys],
  );
  expect(paid).toHaveLength(COUNT - 1);
  for (const { state, idempotencyKey, paymentId } of judged) {
    const own = paid.find(({ key }) => key === idempotencyKey);
    expect(own?.id ?? null).toBe(state === 'ACCEPTED' ? paymentId : null);
  }
  const events = await harness.events(batchId);
  expect(events.map(({ type }) => type)).toEqual([
    'payment_batch.created',
    'payment_batch.completed',
  ]);
}

/** A worker that is gone leaves its locks until the server notices. */
const finishSoon = (batchId: string) =>
  until('the end of the batch', async () => {
    const step = await harness.turn(batchId);
    return step.kind === 'DONE' ? step : null;
  });

describe('a worker dies in the middle of a batch', () => {
  it('at each of its statements: the next one ends the batch, every payment made once', async () => {
    const { length } = await statementsOfATurn();
    expect(length).toBeGreaterThan(25);
    const faults: Fault[] = ['DIES_BEFORE', 'DIES_AFTER', 'LOSES_ANSWER'];
    const balance = async () => BigInt((await harness.balance()).available);
    for (let place = 1; place <= length; place += 1) {
      const fault = faults[place % faults.length] ?? 'DIES_AFTER';
      round += 1;
      items = items.map((item, n) => {
        return { ...item, idempotencyKey: `death-${String(place)}-${String(n)}` };
      });
      const before = await balance();
      const { id } = await harness.take(items);
      let sent = 0;
      const { db } = startProcess(() => ((sent += 1) === place ? fault : null));
      await harness.turn(id, { db }).catch(() => undefined);
      expect(sent).toBeGreaterThanOrEqual(place);
      await finishSoon(id);
      await expectPaidOnce(id);
      expect(before - (await balance()), `${fault} at ${String(place)}`).toBe(3_000n);
    }
  });
});

describe('two workers have one batch', () => {
  it('the one that was given up for dead pays nothing any more, and refuses nothing', async () => {
    const { id } = await harness.take(items);
    // It stops before the transaction that would accept, and goes on once the other one has ended.
    let goOn: () => void = () => undefined;
    let hasStopped: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (hasStopped = resolve));
    const ended = new Promise<void>((resolve) => (goOn = resolve));
    const { db } = harness.database;
    let writes = 0;
    const slow = {
      ...db,
      write: (async (scope, work, options) => {
        writes += 1;
        if (writes === 2) {
          hasStopped();
          await ended;
        }
        return db.write(scope, work, options);
      }) as typeof db.write,
    };
    const first = harness.turn(id, { db: slow }).then(
      () => 'went on',
      (error: unknown) => (error as { code?: string }).code,
    );
    await stopped;
    // For the second one the customer is suspended: all of it is refused.
    await harness.rows(`UPDATE customers SET status = 'SUSPENDED' WHERE id = $1`, [
      harness.scope.customerId,
    ]);
    await harness.turn(id);
    await setCustomerStatus(harness.database.url, harness.scope.customerId, 'ACTIVE');
    goOn();
    expect(await first).toBe('BATCH_BUSY');
    const judged = await harness.items(id);
    expect(judged.map(({ error }) => error?.error)).toEqual(
      Array.from({ length: COUNT }, () => 'customer_suspended'),
    );
    const keys = items.map(({ idempotencyKey }) => idempotencyKey);
    expect(
      await harness.rows('SELECT id FROM payments WHERE idempotency_key = ANY ($1)', [keys]),
    ).toEqual([]);
  });

  it('at once: every payment is made once, whichever turn makes it', async () => {
    const { id } = await harness.take(items);
    await Promise.allSettled(Array.from({ length: 4 }, () => harness.turn(id)));
    await finishSoon(id);
    await expectPaidOnce(id);
  });
});
