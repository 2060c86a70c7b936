import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankHarness, transferBody } from '../../support/sandbox/bank-harness.ts';
import type { BankHarness } from '../../support/sandbox/bank-harness.ts';

let harness: BankHarness;
beforeEach(async () => {
  harness = await startBankHarness();
});
afterEach(() => harness.close());

describe('PUT /transfers/{reference}', () => {
  it('executes once and answers every repeat alike', async () => {
    const first = await harness.put('CW1', '10.00');
    expect(first.status).toBe(201);
    const answer = (await first.json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ reference: 'CW1', status: 'SETTLED' });
    const repeats = await Promise.all([1, 2, 3].map(() => harness.put('CW1', '10.00')));
    for (const repeat of repeats) {
      expect(repeat.status).toBe(200);
      expect(await repeat.json()).toEqual(answer);
    }
    expect(harness.bank().countMoney('CW1').executed).toEqual({ count: 1, amount: '10.00' });
  });

  it('takes simultaneous requests of one reference as one transfer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.put('CW1', '10.00')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(harness.bank().countMoney('CW1').executed.count).toBe(1);
  });

  it('takes the same body in another order of fields, and refuses another body with 409', async () => {
    await harness.put('CW1', '10.00');
    const reordered = Object.fromEntries(Object.entries(transferBody('10.00')).reverse());
    const url = `${harness.bank().url}/transfers/CW1`;
    const repeat = await fetch(url, { method: 'PUT', body: JSON.stringify(reordered) });
    expect(repeat.status).toBe(200);
    expect((await harness.put('CW1', '10.02')).status).toBe(409);
    expect((await harness.put('CW1', '10.00', { remittance: 'else' })).status).toBe(409);
    expect(harness.bank().countMoney('CW1').executed).toEqual({ count: 1, amount: '10.00' });
  });

  it.each([
    ['a reference in lower case', 'cw1', {}, 400, 'reference'],
    ['a reference that is too long', 'C'.repeat(36), {}, 400, 'reference'],
    ['a number as the amount', 'CW1', { amount: 10 }, 400, 'amount'],
    ['a negative amount', 'CW1', { amount: '-1.00' }, 400, 'amount'],
    ['a zero amount', 'CW1', { amount: '0.00' }, 422, 'amount'],
    ['too many decimals', 'CW1', { amount: '1.000' }, 422, 'amount'],
    ['an unknown currency', 'CW1', { currency: 'EUX' }, 422, 'currency'],
    ['no rail', 'CW1', { rail: undefined }, 400, 'rail'],
    ['no creditor', 'CW1', { creditor: null }, 400, 'creditor'],
    ['a long remittance', 'CW1', { remittance: 'x'.repeat(141) }, 400, 'remittance'],
    ['an unknown field', 'CW1', { priority: 1 }, 400, 'priority'],
  ])('refuses %s and names the field', async (_what, reference, over, status, field) => {
    const answer = await harness.put(reference, '10.00', over);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: 'invalid_field', field });
    expect(await harness.json('/journal')).toEqual({ data: [] });
  });

  it('answers ACCEPTED for ACH and settles by callback', async () => {
    const over = { currency: 'USD', rail: 'ACH' };
    expect(await (await harness.put('CW1', '10.00', over)).json()).toMatchObject({
      status: 'ACCEPTED',
    });
    await expect.poll(() => harness.receiver.accepted).toHaveLength(1);
    const { bankReference } = (await harness.json('/transfers/CW1')) as { bankReference: string };
    expect(harness.receiver.accepted[0]?.body).toEqual({
      ...{ reference: 'CW1', status: 'SETTLED', bankReference },
      at: expect.stringMatching(/Z$/),
    });
    expect(harness.bank().countMoney('CW1').executed.count).toBe(1);
  });
});

describe('the rest of the bank', () => {
  it('answers 404 for a reference that it has never seen, and reports its health', async () => {
    expect((await harness.get('/transfers/CW404')).status).toBe(404);
    expect((await harness.get('/transfers')).status).toBe(404);
    expect(await harness.json('/health')).toEqual({ status: 'ok' });
  });

  it('counts the money of all references with a prefix', async () => {
    await harness.put('CWA01', '1.00');
    await harness.put('CWA02', '2.00');
    await harness.put('CWB01', '3.00');
    const counts = (await harness.json('/journal?prefix=CWA')) as { data: object[] };
    expect(counts.data).toMatchObject([
      { reference: 'CWA01', executed: { count: 1, amount: '1.00' } },
      { reference: 'CWA02', executed: { count: 1, amount: '2.00' } },
    ]);
  });

  it('without magic treats every amount alike', async () => {
    const plain = await startBankHarness({ magic: false });
    try {
      for (const [index, amount] of ['1.01', '1.02', '1.03', '1.05', '1.06'].entries()) {
        expect(await (await plain.put(`CW${index}`, amount)).json()).toMatchObject({
          status: 'SETTLED',
        });
      }
    } finally {
      await plain.close();
    }
  });
});
