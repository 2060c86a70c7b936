import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReconcilerActivities } from '../../../activities/operations/reconciler.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import { createTestClock } from '../../support/test-clock.ts';

const NOW = new Date('2026-09-29T12:00:00.000Z');
const LONG_AGO = new Date(NOW.getTime() - 2 * 3_600_000);
/** One page of the reconciler, and one payment more. */
const COUNT = 501;

let harness: PaymentHarness;
let ids: readonly string[];
beforeAll(async () => {
  harness = await createPaymentHarness();
  const customer = await seedPayingCustomer(harness.database.db);
  const seeded = [];
  for (let number = 0; number < COUNT; number += 1) {
    seeded.push(await customer.pay({ fate: 'QUEUED', at: LONG_AGO }));
  }
  ids = seeded.map(({ id }) => id).sort();
});
afterAll(() => harness.close());

let tried: string[] = [];
beforeEach(() => {
  tried = [];
});

const nothing = async () => undefined;
const reconcile = (lastOfPageStarts: boolean) =>
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
      restartPayment: async (_workflowId, { paymentId }) => {
        tried.push(paymentId);
        if (tried.length > COUNT) throw new Error('a payment is tried twice');
        if (paymentId !== ids.at(-1) || !lastOfPageStarts) throw new Error('it cannot start');
      },
      ...{ startPayment: nothing, wakePayment: nothing, wakeKycCheck: nothing },
      ...{ startPaymentBatch: nothing, startKycCheck: nothing, restartKycCheck: nothing },
      wakeEndpoint: nothing,
      startScreening: nothing,
      startMail: nothing,
      wakeOnboarding: nothing,
      startChain: nothing,
      wakeChain: nothing,
      startDeposits: nothing,
      wakeDeposits: nothing,
    },
  });

describe.each(['startForgotten', 'restartUnfinished'] as const)('%s', (name) => {
  it('comes to the payment behind a whole page of those that cannot start', async () => {
    await expect(reconcile(true)[name]()).rejects.toThrow('it cannot start');
    expect([...tried].sort()).toEqual(ids);
  });

  it('ends, and tells of its failure, where none can start', async () => {
    await expect(reconcile(false)[name]()).rejects.toThrow('it cannot start');
    expect(tried).toHaveLength(COUNT);
  });
});
