import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { storeQueuedPayment } from '../../support/first-version.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  acceptMany,
  startTogetherHarness,
  type Ref,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

let harness: TogetherHarness;
beforeAll(async () => {
  harness = await startTogetherHarness();
});
beforeEach(() => {
  harness.resetBank();
});
afterEach(() => harness.endProcesses());
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

/** At version 1, without an attempt. */
async function acceptedWithoutAttempt(): Promise<Ref> {
  const { payer, scope, clock, vault } = harness;
  const parties = { endUserId: payer.endUserId, bankAccountId: payer.bankAccountId };
  return harness.database.db.write(scope, async (tx) => {
    const stored = await storeQueuedPayment(tx, scope, { ...parties, at: clock.now(), vault });
    return { ...scope, paymentId: stored.id };
  });
}

it('a payment without an attempt is sent once and completed', async () => {
  const ref = await acceptedWithoutAttempt();
  expect((await harness.tell(ref.paymentId)).attempts).toEqual([]);
  expect(await harness.settle(ref.paymentId)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
  const { attempts, story } = await harness.tell(ref.paymentId);
  expect(attempts).toMatchObject([{ number: 1, phase: 'SETTLED', sends: 1 }]);
  expect(story).toEqual(['PROCESSING/QUEUED', 'PROCESSING/SUBMITTING', 'COMPLETED/DELIVERED']);
  expect(harness.bank.calls).toHaveLength(1);
});

it('payments with and without an attempt among each other are each sent once', async () => {
  const before = await Promise.all(Array.from({ length: 5 }, acceptedWithoutAttempt));
  const refs = [...before, ...(await acceptMany(harness, 5))].toSorted((one, other) =>
    one.paymentId.localeCompare(other.paymentId),
  );
  harness.bank.onPut = says('SETTLED');
  const steps = await harness.start().settleAll(refs);
  for (const step of steps) expect(step).toMatchObject({ value: { status: 'COMPLETED' } });
  await harness.expectPaidOnce(refs);
  expect(harness.bank.calls).toHaveLength(refs.length);
});
