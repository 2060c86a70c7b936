import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReconcilerActivities } from '../../../activities/operations/reconciler.ts';
import { deleteExpiredKeys, storeAnswer } from '../../../src/db/idempotency/idempotency-store.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { createTestClock } from '../../support/test-clock.ts';

const NOW = new Date('2036-01-01T00:00:00.000Z');
const hour = (count: number) => new Date(NOW.getTime() + count * 3_600_000);

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());
beforeEach(() => harness.rows("DELETE FROM idempotency_keys WHERE key LIKE 'sample-%'"));

const add = (count: number, expiresAt: Date, prefix = 'sample') =>
  harness.rows(
    `INSERT INTO idempotency_keys (customer_id, environment, key, request_mac, status_code, response,
       created_at, expires_at)
     SELECT $1, $2, $5 || '-' || n, '\\x00', 201, '\\x00', $3::timestamptz - interval '30 days', $3
     FROM generate_series(1, $4::int) n`,
    [harness.scope.customerId, harness.scope.environment, expiresAt, count, prefix],
  );
const keys = async () =>
  (await harness.rows<{ key: string }>('SELECT key FROM idempotency_keys ORDER BY key')).map(
    ({ key }) => key,
  );

const fail = () => Promise.reject(new Error('the keys come last, whatever fails before'));
const prune = () =>
  createReconcilerActivities({
    db: harness.database.db,
    clock: createTestClock(NOW),
    chains: [],
    lostAfterMs: 10_000,
    raiseUnknownReference: () => undefined,
    payOnDeposit: async () => undefined,
    notifyOperators: () => Promise.resolve(),
    tellPaymentApprovers: () => Promise.resolve(),
    tellOfOverdue: () => Promise.resolve(),
    sealAuditLog: () => Promise.resolve(),
    workflows: {
      ...{ startPayment: fail, restartPayment: fail, wakePayment: fail, startKycCheck: fail },
      ...{
        startPaymentBatch: fail,
        restartKycCheck: fail,
        wakeKycCheck: fail,
        wakeEndpoint: fail,
        startScreening: fail,
        startMail: fail,
        wakeOnboarding: fail,
        startChain: fail,
        wakeChain: fail,
        startDeposits: fail,
        wakeDeposits: fail,
      },
    },
  })
    .restartUnfinished()
    .catch(() => undefined);

describe('the hourly pruning', () => {
  it('forgets expired keys, of many batches, and never those of payments', async () => {
    const body = harness.order();
    const first = await harness.pay(body, 'of a payment');
    expect(first.statusCode).toBe(201);
    await add(2_500, hour(-1));
    await add(2, hour(1), 'sample-valid');
    await prune();
    const left = await keys();
    expect(left).toEqual(
      expect.arrayContaining(['of a payment', 'sample-valid-1', 'sample-valid-2']),
    );
    expect(left.filter((key) => key.startsWith('sample-'))).toHaveLength(2);
    const again = await harness.pay(body, 'of a payment');
    expect(again.json<{ id: string }>().id).toBe(first.json<{ id: string }>().id);
  });
});

describe('deleteExpiredKeys', () => {
  it('takes no more than it is told to, the oldest first', async () => {
    await add(3, hour(-1), 'sample-younger');
    await add(3, hour(-2), 'sample-older');
    expect(await harness.database.db.system((tx) => deleteExpiredKeys(tx, NOW, 3))).toBe(3);
    const left = (await keys()).filter((key) => key.startsWith('sample-'));
    expect(left).toEqual(['sample-younger-1', 'sample-younger-2', 'sample-younger-3']);
  });

  it('leaves a key that a request is binding anew at the same time', async () => {
    await add(1, hour(-1));
    const { db } = harness.database;
    let pruned: Promise<number> | undefined;
    await db.write(harness.scope, async (tx) => {
      await storeAnswer(tx, harness.scope, {
        ...{ key: 'sample-1', requestMac: Buffer.alloc(32, 7), statusCode: 201 },
        ...{ endUserId: null, resourceId: null },
        ...{ response: Buffer.alloc(8), at: NOW, expiresAt: hour(720) },
      });
      pruned = db.system((other) => deleteExpiredKeys(other, NOW, 10));
      await expect
        .poll(async () => {
          const waiting = await harness.rows(
            `SELECT FROM pg_stat_activity WHERE datname = current_database()
               AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM idempotency_keys%'`,
          );
          return waiting.length;
        })
        .toBe(1);
    });
    expect(await pruned).toBe(0);
    expect(await keys()).toContain('sample-1');
  });
});
