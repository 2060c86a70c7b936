import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createReconcilerActivities } from '../../../activities/operations/reconciler.ts';
import { createListedNetworks } from '../../../src/domain/onchain/listed-networks.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { createClaimReady } from '../../../src/modules/payments/claim-ready.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { seedPayingCustomer } from '../../support/seed-payments.ts';
import { EVER } from '../../support/test-screening.ts';

const LOST_AFTER_MS = 10_000;

let harness: PaymentHarness;
let started: string[];
beforeAll(async () => {
  harness = await createPaymentHarness();
});
beforeEach(() => {
  started = [];
});
afterAll(() => harness.close());

async function reconcile(): Promise<string[]> {
  const nothing = async () => undefined;
  started = [];
  await createReconcilerActivities({
    ...{ db: harness.database.db, clock: harness.clock, chains: [], lostAfterMs: LOST_AFTER_MS },
    raiseUnknownReference: () => undefined,
    payOnDeposit: async () => undefined,
    notifyOperators: () => Promise.resolve(),
    tellPaymentApprovers: () => Promise.resolve(),
    tellOfOverdue: () => Promise.resolve(),
    sealAuditLog: () => Promise.resolve(),
    workflows: {
      restartPayment: async (_workflowId, { paymentId }) => void started.push(paymentId),
      ...{ startPayment: nothing, wakePayment: nothing, wakeKycCheck: nothing },
      ...{
        startKycCheck: nothing,
        startPaymentBatch: nothing,
        restartKycCheck: nothing,
        wakeEndpoint: nothing,
        startScreening: nothing,
        startMail: nothing,
        wakeOnboarding: nothing,
        startChain: nothing,
        wakeChain: nothing,
        startDeposits: nothing,
        wakeDeposits: nothing,
      },
    },
  }).startForgotten();
  return started;
}

const claim = (paymentId: string) =>
  createClaimReady({
    requireRail: () => undefined,
    screener: EVER,
    ...{ db: harness.database.db, vault: harness.vault, clock: harness.clock },
    corridors: createCorridorTable(),
    networks: createListedNetworks(),
    timing: { test: TIMING, live: TIMING },
  })(harness.scope, paymentId);

it('a payment whose attempt is READY is started after 10 s, and not before', async () => {
  const id = await harness.accept();
  harness.clock.advance(LOST_AFTER_MS);
  expect(await reconcile()).not.toContain(id);
  harness.clock.advance(1);
  expect(await reconcile()).toContain(id);
  // Until a worker has begun with it.
  expect(await reconcile()).toContain(id);
  await claim(id);
  expect(await reconcile()).not.toContain(id);
});

it('a payment that is being sent is not started again, however long it takes', async () => {
  const id = await harness.accept();
  await claim(id);
  for (const ms of [LOST_AFTER_MS + 1, 60_000, 3_000_000]) {
    harness.clock.advance(ms);
    expect(await reconcile()).not.toContain(id);
  }
});

it('a payment without an attempt is started after 10 s', async () => {
  const customer = await seedPayingCustomer(harness.database.db);
  const { id } = await customer.pay({ fate: 'QUEUED', at: harness.clock.now() });
  harness.clock.advance(LOST_AFTER_MS + 1);
  expect(await reconcile()).toContain(id);
});
