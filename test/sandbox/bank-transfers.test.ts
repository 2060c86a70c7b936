import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBankStand, transferBody } from './bank-stand.ts';
import type { BankStand } from './bank-stand.ts';

let stand: BankStand;
beforeEach(async () => {
  stand = await startBankStand();
});
afterEach(() => stand.close());

describe('PUT /transfers/{reference}', () => {
  it('executes once and answers every repeat alike', async () => {
    const first = await stand.put('CW1', '10.00');
    expect(first.status).toBe(201);
    const answer = (await first.json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ reference: 'CW1', status: 'SETTLED' });
    const repeats = await Promise.all([1, 2, 3].map(() => stand.put('CW1', '10.00')));
    for (const repeat of repeats) {
      expect(repeat.status).toBe(200);
      expect(await repeat.json()).toEqual(answer);
    }
    expect(stand.bank().countMoney('CW1').executed).toEqual({ count: 1, amount: '10.00' });
  });

  it('takes simultaneous requests of one reference as one transfer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => stand.put('CW1', '10.00')));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(stand.bank().countMoney('CW1').executed.count).toBe(1);
  });

  it('takes the same body in another order of fields, and refuses another body with 409', async () => {
    await stand.put('CW1', '10.00');
    const reordered = Object.fromEntries(Object.entries(transferBody('10.00')).reverse());
    const url = `${stand.bank().url}/transfers/CW1`;
    const repeat = await fetch(url, { method: 'PUT', body: JSON.stringify(reordered) });
    expect(repeat.status).toBe(200);
    expect((await stand.put('CW1', '10.02')).status).toBe(409);
    expect((await stand.put('CW1', '10.00', { remittance: 'else' })).status).toBe(409);
    expect(stand.bank().countMoney('CW1').executed).toEqual({ count: 1, amount: '10.00' });
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
    const answer = await stand.put(reference, '10.00', over);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: 'invalid_field', field });
    expect(await stand.json('/journal')).toEqual({ data: [] });
  });

  it('answers ACCEPTED for ACH and settles by callback', async () => {
    const over = { currency: 'USD', rail: 'ACH' };
    expect(await (await stand.put('CW1', '10.00', over)).json()).toMatchObject({
      status: 'ACCEPTED',
    });
    await expect.poll(() => stand.receiver.accepted).toHaveLength(1);
    const { bankReference } = (await stand.json('/transfers/CW1')) as { bankReference: string };
    expect(stand.receiver.accepted[0]?.body).toEqual({
      ...{ reference: 'CW1', status: 'SETTLED', bankReference },
      at: expect.stringMatching(/Z$/),
    });
    expect(stand.bank().countMoney('CW1').executed.count).toBe(1);
  });
});

describe('the rest of the bank', () => {
  it('answers 404 for a reference that it has never seen, and reports its health', async () => {
    expect((await stand.get('/transfers/CW404')).status).toBe(404);
    expect((await stand.get('/transfers')).status).toBe(404);
    expect(await stand.json('/health')).toEqual({ status: 'ok' });
  });

  it('counts the money of all references with a prefix', async () => {
    await stand.put('CWA01', '1.00');
    await stand.put('CWA02', '2.00');
    await stand.put('CWB01', '3.00');
    const counts = (await stand.json('/journal?prefix=CWA')) as { data: object[] };
    expect(counts.data).toMatchObject([
      { reference: 'CWA01', executed: { count: 1, amount: '1.00' } },
      { reference: 'CWA02', executed: { count: 1, amount: '2.00' } },
    ]);
  });

  it('without magic treats every amount alike', async () => {
    const plain = await startBankStand({ magic: false });
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
