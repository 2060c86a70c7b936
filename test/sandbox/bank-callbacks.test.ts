import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankStand } from './bank-stand.ts';
import type { BankStand } from './bank-stand.ts';

let stand: BankStand;
beforeEach(async () => {
  stand = await startBankStand();
});
afterEach(() => stand.close());

describe('callbacks of the bank', () => {
  it('are repeated under the same id until they are taken', async () => {
    stand.receiver.refuseNext(3);
    await stand.put('CW1', '10.00', { rail: 'ACH' });
    await expect.poll(() => stand.receiver.accepted).toHaveLength(1);
    expect(stand.receiver.refused).toEqual(Array(3).fill(stand.receiver.accepted[0]?.id));
  });

  it('are given up after the last try, and the journal says so', async () => {
    await stand.restart({
      callbacks: { triesMax: 2, firstRetryMs: 1, retryMaxMs: 1, timeoutMs: 2_000 },
    });
    stand.receiver.refuseNext(1_000);
    await stand.put('CW1', '10.00', { rail: 'ACH' });
    await expect
      .poll(async () => JSON.stringify(await stand.json('/journal?reference=CW1')))
      .toContain('CALLBACK_ABANDONED');
    expect(stand.receiver.refused).toHaveLength(2);
  });

  it('do not exist for what the answer has said already', async () => {
    await stand.put('CW1', '10.00');
    await stand.put('CW2', '10.00', { rail: 'ACH' });
    await expect.poll(() => stand.receiver.accepted).toHaveLength(1);
    expect(stand.receiver.accepted[0]?.body.reference).toBe('CW2');
  });
});
