import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FAULT_NAMES } from '../../../src/sandbox/bank/faults.ts';
import { retryPayment } from '../../../src/modules/payments/resolve-payment.ts';
import {
  startSandboxHarness,
  type SandboxHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: SandboxHarness;
beforeAll(async () => {
  harness = await startSandboxHarness();
});
afterEach(() => fetch(`${harness.bank.url}/faults`, { method: 'DELETE' }));
// Whatever happened: the books hold, and the bank's own journal counts one movement or none.
afterAll(async () => {
  await harness.expectMoneyMovedOnce();
  await harness.close();
});

describe('a bank that executes and loses its answer', () => {
  it.each(['execute_then_drop', 'execute_then_500', 'execute_then_hang', 'garbage'])(
    '%s: asked, one movement, COMPLETED',
    async (fault) => {
      await harness.fault(fault);
      const { payment, attempts } = await harness.drive(await harness.accept());
      expect(payment.status).toBe('COMPLETED');
      expect(attempts).toMatchObject([{ number: 1, sends: 1 }]);
    },
  );
});

describe('a bank that did nothing and does not say so', () => {
  it.each(['refuse_503', 'hang'])('%s: sent again once that is certain', async (fault) => {
    await harness.fault(fault);
    const { payment, attempts } = await harness.drive(await harness.accept());
    expect(payment.status).toBe('COMPLETED');
    expect(attempts).toMatchObject([{ number: 1, sends: 2 }]);
  });
});

describe('the sandbox bank’s magic amounts', () => {
  it.each([
    ['10.03', 'COMPLETED', 'DELIVERED'],
    ['10.04', 'FAILED', 'REJECTED_BY_BANK'],
    ['10.05', 'ON_HOLD', 'STALLED'],
    ['10.06', 'ON_HOLD', 'SETTLEMENT_FAILED'],
  ])('%s ends as %s / %s', async (amount, status, statusDetail) => {
    const startedAt = harness.clock.now().getTime();
    const { payment } = await harness.drive(await harness.accept({ amount }));
    expect(payment).toMatchObject({ status, statusDetail });
    const seconds = (harness.clock.now().getTime() - startedAt) / 1_000;
    if (amount === '10.05') expect(seconds).toBe(30);
    if (amount === '10.06') expect(seconds).toBeLessThanOrEqual(20);
  });

  it('10.06 goes through after RETRY', async () => {
    const id = await harness.accept({ amount: '10.06' });
    await harness.drive(id);
    await retryPayment(harness.deps, harness.scope, id, { action: 'RETRY' });
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it('10.07 is completed once, however its callbacks come', async () => {
    const id = await harness.accept({ amount: '10.07' });
    await harness.settle(id);
    await expect
      .poll(async () => {
        await harness.applyTransferReports(id);
        return (await harness.tell(id)).payment.status;
      })
      .toBe('COMPLETED');
  });
});

describe('any faults in any order', () => {
  it('move the money of every payment at most once', async () => {
    // Those that cost no real time: hanging calls do, and are tested above. A return comes later.
    const quick = FAULT_NAMES.filter((name) => !/hang|wait|return/.test(name));
    const plans = fc.sample(fc.array(fc.constantFrom(...quick), { maxLength: 5 }), {
      numRuns: 25,
      seed: 20_260_929,
    });
    for (const faults of plans) {
      for (const fault of faults) await harness.fault(fault);
      const { payment } = await harness.drive(await harness.accept());
      expect(['COMPLETED', 'ON_HOLD'], faults.join()).toContain(payment.status);
      await fetch(`${harness.bank.url}/faults`, { method: 'DELETE' });
    }
  });
});
