import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankHarness } from '../../support/sandbox/bank-harness.ts';
import type { BankHarness } from '../../support/sandbox/bank-harness.ts';

let harness: BankHarness;
beforeEach(async () => {
  harness = await startBankHarness();
});
afterEach(() => harness.close());

const statuses = () => harness.receiver.accepted.map(({ body }) => body.status);
const money = (reference = 'CW1') => {
  const { executed, returned } = harness.bank().countMoney(reference);
  return { executed: executed.count, returned: returned.count };
};

describe('magic amounts', () => {
  it('.01 is accepted, then rejected by callback, and moves nothing', async () => {
    expect(await (await harness.put('CW1', '10.01')).json()).toMatchObject({ status: 'ACCEPTED' });
    await expect.poll(statuses).toEqual(['REJECTED']);
    expect(harness.receiver.accepted[0]?.body.reason).toBe('ACCOUNT_NOT_FOUND');
    expect(await harness.json('/transfers/CW1')).toMatchObject({
      ...{ status: 'REJECTED', reason: 'ACCOUNT_NOT_FOUND' },
    });
    expect(money()).toEqual({ executed: 0, returned: 0 });
  });

  it('.02 is settled, then returned by callback: once out and once back', async () => {
    expect(await (await harness.put('CW1', '10.02')).json()).toMatchObject({ status: 'SETTLED' });
    await expect.poll(statuses).toEqual(['RETURNED']);
    expect(await harness.json('/transfers/CW1')).toMatchObject({
      ...{ status: 'RETURNED', reason: 'ACCOUNT_CLOSED' },
    });
    expect(money()).toEqual({ executed: 1, returned: 1 });
  });

  it('.03 executes, loses the answer, and tells the truth at the third question', async () => {
    await expect(harness.put('CW1', '10.03')).rejects.toThrow();
    expect(money()).toEqual({ executed: 1, returned: 0 });
    expect((await harness.get('/transfers/CW1')).status).toBe(500);
    expect((await harness.get('/transfers/CW1')).status).toBe(500);
    expect(await harness.json('/transfers/CW1')).toMatchObject({ status: 'SETTLED' });
    expect(money()).toEqual({ executed: 1, returned: 0 });
  });

  it('.04 loses the answer and turns out to be rejected, never executed', async () => {
    await expect(harness.put('CW1', '10.04')).rejects.toThrow();
    expect((await harness.get('/transfers/CW1')).status).toBe(500);
    expect((await harness.get('/transfers/CW1')).status).toBe(500);
    expect(await harness.json('/transfers/CW1')).toMatchObject({ status: 'REJECTED' });
    expect(money()).toEqual({ executed: 0, returned: 0 });
  });

  it('.05 answers neither the request nor a question, and executes nothing', async () => {
    const patience = () => AbortSignal.timeout(1_500);
    await expect(harness.put('CW1', '10.05', {}, patience())).rejects.toThrow(/timeout/);
    await expect(harness.get('/transfers/CW1', patience())).rejects.toThrow(/timeout/);
    expect(money()).toEqual({ executed: 0, returned: 0 });
  });

  it('.06 is refused four times for each reference, unknown meanwhile, then taken', async () => {
    for (let tries = 1; tries <= 4; tries += 1) {
      expect((await harness.put('CW1', '10.06')).status).toBe(503);
      expect((await harness.get('/transfers/CW1')).status).toBe(404);
    }
    expect(money()).toEqual({ executed: 0, returned: 0 });
    expect((await harness.put('CW1', '10.06')).status).toBe(201);
    expect((await harness.put('CW2', '10.06')).status).toBe(503);
    expect(money()).toEqual({ executed: 1, returned: 0 });
  });

  it('.06 counts its refusals over a restart', async () => {
    for (let tries = 1; tries <= 3; tries += 1) await harness.put('CW1', '10.06');
    await harness.restart();
    expect((await harness.put('CW1', '10.06')).status).toBe(503);
    expect((await harness.put('CW1', '10.06')).status).toBe(201);
  });

  it('.07 sends a duplicate, a second one and a late ACCEPTED, and executes once', async () => {
    expect(await (await harness.put('CW1', '10.07')).json()).toMatchObject({ status: 'ACCEPTED' });
    await expect.poll(statuses).toEqual(['SETTLED', 'SETTLED', 'SETTLED', 'ACCEPTED']);
    const ids = harness.receiver.accepted.map(({ id }) => id);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
    expect(await harness.json('/transfers/CW1')).toMatchObject({ status: 'SETTLED' });
    expect(money()).toEqual({ executed: 1, returned: 0 });
  });

  it('reads the minor part by the currency: KWD 1.010 and JPY 101 are .01', async () => {
    const statusOf = async (reference: string, amount: string, currency: string) =>
      (
        (await (await harness.put(reference, amount, { currency, rail: 'SWIFT' })).json()) as {
          status: string;
        }
      ).status;
    expect(await statusOf('CW1', '1.010', 'KWD')).toBe('ACCEPTED');
    expect(await statusOf('CW2', '101', 'JPY')).toBe('ACCEPTED');
    expect(await statusOf('CW3', '1.001', 'KWD')).toBe('SETTLED');
    expect(await statusOf('CW4', '110', 'JPY')).toBe('SETTLED');
  });
});
