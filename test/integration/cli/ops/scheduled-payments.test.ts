import { afterAll, beforeAll, expect, it } from 'vitest';
import { showPayment } from '../../../../src/cli/ops/show-payment.ts';
import { showStuckPayments } from '../../../../src/cli/ops/stuck-payments.ts';
import { createPaymentHarness, type PaymentHarness } from '../../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

/** What a command prints. */
async function printed(command: (print: (text: string) => void) => Promise<void>) {
  const lines: string[] = [];
  await command((text) => void lines.push(text));
  return lines.join('\n');
}

const stuck = () =>
  printed((print) => showStuckPayments({ ...harness.database, clock: harness.clock, print }, 50));

it('a payment for a later day shows its release, and is stuck only once that has passed', async () => {
  const id = await harness.accept({ scheduledFor: '2026-10-05' });
  expect(await printed((print) => showPayment({ ...harness.database, print }, id))).toContain(
    'release at 2026-10-04T22:00:00.000Z',
  );
  const due = new Date('2026-10-04T22:00:00.000Z').getTime();
  harness.clock.advance(due - harness.clock.now().getTime() + 60_000);
  expect(await stuck()).toBe('No payment needs an operator.');
  harness.clock.advance(1);
  expect(await stuck()).toContain(id);
});

it('a payment that is due at once shows none', async () => {
  const id = await harness.accept();
  expect(await printed((print) => showPayment({ ...harness.database, print }, id))).not.toContain(
    'release at',
  );
});
