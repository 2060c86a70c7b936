import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankHarness } from '../../support/sandbox/bank-harness.ts';
import type { BankHarness } from '../../support/sandbox/bank-harness.ts';

let harness: BankHarness;
beforeEach(async () => {
  harness = await startBankHarness();
});
afterEach(() => harness.close());

describe('callbacks of the bank', () => {
  it('are repeated under the same id until they are taken', async () => {
    harness.receiver.refuseNext(3);
    await harness.put('CW1', '10.00', { rail: 'ACH' });
    await expect.poll(() => harness.receiver.accepted).toHaveLength(1);
    expect(harness.receiver.refused).toEqual(Array(3).fill(harness.receiver.accepted[0]?.id));
  });

  it('are given up after the last try, and the journal says so', async () => {
    await harness.restart({
      callbacks: { triesMax: 2, firstRetryMs: 1, retryMaxMs: 1, timeoutMs: 2_000 },
    });
    harness.receiver.refuseNext(1_000);
    await harness.put('CW1', '10.00', { rail: 'ACH' });
    await expect
      .poll(async () => JSON.stringify(await harness.json('/journal?reference=CW1')))
      .toContain('CALLBACK_ABANDONED');
    expect(harness.receiver.refused).toHaveLength(2);
  });

  it('do not exist for what the answer has said already', async () => {
    await harness.put('CW1', '10.00');
    await harness.put('CW2', '10.00', { rail: 'ACH' });
    await expect.poll(() => harness.receiver.accepted).toHaveLength(1);
    expect(harness.receiver.accepted[0]?.body.reference).toBe('CW2');
  });
});
