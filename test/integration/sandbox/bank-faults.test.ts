import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankHarness } from '../../support/sandbox/bank-harness.ts';
import type { BankHarness } from '../../support/sandbox/bank-harness.ts';

let harness: BankHarness;
beforeEach(async () => {
  harness = await startBankHarness();
});
afterEach(() => harness.close());

const executed = (reference = 'CW1') => harness.bank().countMoney(reference).executed.count;
const patience = () => AbortSignal.timeout(1_500);

describe('ordered faults', () => {
  it('execute_then_drop, _500 and _hang lose the answer of a transfer that was executed', async () => {
    await harness.fault({ fault: 'execute_then_drop' });
    await expect(harness.put('CW1', '10.00')).rejects.toThrow();
    await harness.fault({ fault: 'execute_then_500' });
    expect((await harness.put('CW2', '10.00')).status).toBe(500);
    await harness.fault({ fault: 'execute_then_hang' });
    await expect(harness.put('CW3', '10.00', {}, patience())).rejects.toThrow(/timeout/);
    for (const reference of ['CW1', 'CW2', 'CW3']) {
      expect(executed(reference)).toBe(1);
      expect(await harness.json(`/transfers/${reference}`)).toMatchObject({ status: 'SETTLED' });
      expect((await harness.put(reference, '10.00')).status).toBe(200);
      expect(executed(reference)).toBe(1);
    }
  });

  it('refuse_503 and hang execute nothing and leave the reference unknown', async () => {
    await harness.fault({ fault: 'refuse_503' });
    expect((await harness.put('CW1', '10.00')).status).toBe(503);
    await harness.fault({ fault: 'hang' });
    await expect(harness.put('CW1', '10.00', {}, patience())).rejects.toThrow(/timeout/);
    expect((await harness.get('/transfers/CW1')).status).toBe(404);
    expect(executed()).toBe(0);
    expect((await harness.put('CW1', '10.00')).status).toBe(201);
  });

  it('garbage answers 200 with something that is no JSON, executed', async () => {
    await harness.fault({ fault: 'garbage' });
    const answer = await harness.put('CW1', '10.00');
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow();
    expect(executed()).toBe(1);
  });

  it('reject_retryable rejects with BANK_UNAVAILABLE and moves nothing', async () => {
    await harness.fault({ fault: 'reject_retryable', count: 2 });
    for (const reference of ['CW1', 'CW2']) {
      expect(await (await harness.put(reference, '10.00')).json()).toMatchObject({
        ...{ status: 'REJECTED', reason: 'BANK_UNAVAILABLE' },
      });
      expect(executed(reference)).toBe(0);
    }
    expect((await harness.put('CW3', '10.00')).status).toBe(201);
  });

  it('accept_then_callback settles by callback', async () => {
    await harness.fault({ fault: 'accept_then_callback' });
    expect(await (await harness.put('CW1', '10.00')).json()).toMatchObject({ status: 'ACCEPTED' });
    await expect.poll(() => harness.receiver.accepted).toHaveLength(1);
    expect(harness.receiver.accepted[0]?.body.status).toBe('SETTLED');
    expect(executed()).toBe(1);
  });

  it('settle_before_answer: the SETTLED callback has arrived when ACCEPTED is answered', async () => {
    await harness.fault({ fault: 'settle_before_answer' });
    const answer = await harness.put('CW1', '10.00');
    expect(harness.receiver.accepted.map(({ body }) => body.status)).toEqual(['SETTLED']);
    expect(await answer.json()).toMatchObject({ status: 'ACCEPTED' });
    expect(executed()).toBe(1);
  });

  it('return_less gives back nine tenths, by callback, question, journal and statement alike', async () => {
    await harness.fault({ fault: 'return_less' });
    await harness.put('CW1', '10.01');
    await expect
      .poll(() => harness.receiver.accepted.map(({ body }) => body))
      .toMatchObject([{ status: 'RETURNED', amount: '9.01' }]);
    expect(await harness.json('/transfers/CW1')).toMatchObject({
      status: 'RETURNED',
      amount: '9.01',
    });
    expect(harness.bank().countMoney('CW1')).toMatchObject({
      executed: { count: 1, amount: '10.01' },
      returned: { count: 1, amount: '9.01' },
    });
    await harness.bank().cutStatements();
    const [cut] = (await harness.json('/statements')).data as { id: string }[];
    const xml = await (await harness.get(`/statements/${cut?.id ?? ''}`)).text();
    expect(xml).toMatch(/<Amt Ccy="EUR">9\.01<\/Amt>\s*<CdtDbtInd>CRDT/);
  });

  it('a whole return names no amount of its own', async () => {
    await harness.put('CW1', '10.02');
    await expect
      .poll(() => harness.receiver.accepted.map(({ body }) => body))
      .toMatchObject([{ status: 'RETURNED' }]);
    expect(harness.receiver.accepted[0]?.body).not.toHaveProperty('amount');
  });

  it('execute_then_wait has executed while the caller still waits', async () => {
    await harness.fault({ fault: 'execute_then_wait', ms: 250 });
    let isAnswered = false;
    const answering = harness.put('CW1', '10.00').then((answer) => {
      isAnswered = true;
      return answer.status;
    });
    await expect.poll(() => executed()).toBe(1);
    expect(isAnswered).toBe(false);
    expect(await answering).toBe(201);
  });

  it('applies only to the reference that was named, and can be taken back', async () => {
    await harness.fault({ fault: 'refuse_503', reference: 'CW2', count: 2 });
    expect((await harness.put('CW1', '10.00')).status).toBe(201);
    expect((await harness.put('CW2', '10.00')).status).toBe(503);
    await fetch(`${harness.bank().url}/faults`, { method: 'DELETE' });
    expect((await harness.put('CW2', '10.00')).status).toBe(201);
  });

  it('offers no double execution, and refuses an order that it cannot read', async () => {
    expect((await harness.fault({ fault: 'double_execute' })).status).toBe(400);
    expect((await harness.fault({ fault: 'hang', count: 0 })).status).toBe(400);
    expect((await harness.fault({ fault: 'execute_then_wait', ms: -1 })).status).toBe(400);
  });
});
