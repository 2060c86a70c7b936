import { describe, expect, it } from 'vitest';
import { parseBankCallback } from '../../../src/domain/payments/bank-messages/parse-callback.ts';

const report = {
  reference: 'CWA01',
  status: 'SETTLED',
  bankReference: 'B-1',
  at: '2026-11-03T10:00:00Z',
};

describe('a callback of the bank', () => {
  it('is read, unknown fields passed over', () => {
    expect(parseBankCallback({ ...report, more: [1] })).toEqual({
      ok: true,
      callback: { ...report, reason: null, amount: null, at: new Date('2026-11-03T10:00:00Z') },
    });
  });

  it('gives a code for why money came back', () => {
    const parsed = parseBankCallback({ ...report, status: 'RETURNED', reason: 'ac04' });
    expect(parsed).toMatchObject({ ok: true, callback: { status: 'RETURNED', reason: 'AC04' } });
    const bare = parseBankCallback({ ...report, status: 'REJECTED', bankReference: null });
    expect(bare).toMatchObject({
      ok: true,
      callback: { reason: 'UNSPECIFIED', bankReference: null },
    });
  });

  it.each(['0', '9.5', '999999999999999999.0000000000001'])(
    'may say that %s came back',
    (amount) => {
      const parsed = parseBankCallback({ ...report, status: 'RETURNED', amount });
      expect(parsed).toMatchObject({ ok: true, callback: { amount } });
    },
  );

  it('has an amount only where money came back', () => {
    const parsed = parseBankCallback({ ...report, amount: '9.50' });
    expect(parsed).toMatchObject({ ok: true, callback: { amount: null } });
  });

  it.each([9.5, '-1', '1e3', '', '1,50', ' 1', '1234567890123456789'])(
    'is refused for the amount %j that came back',
    (amount) => {
      const parsed = parseBankCallback({ ...report, status: 'RETURNED', amount });
      expect(parsed).toEqual({ ok: false, problem: 'amount' });
    },
  );

  it.each([
    [null, 'not_an_object'],
    [[report], 'not_an_object'],
    ['SETTLED', 'not_an_object'],
    [{ ...report, reference: 7 }, 'reference'],
    [{ ...report, reference: '' }, 'reference'],
    [{ ...report, reference: 'A'.repeat(65) }, 'reference'],
    [{ ...report, status: 'settled' }, 'status'],
    [{ ...report, status: ['SETTLED'] }, 'status'],
    [{ ...report, bankReference: 7 }, 'bankReference'],
    [{ ...report, reason: {} }, 'reason'],
    [{ ...report, at: '2026-11-03' }, 'at'],
    [{ ...report, at: '9999-12-31T23:59:59-12:00' }, 'at'],
    [{ ...report, at: '0000-01-01T00:00:00Z' }, 'at'],
    [{ ...report, at: '2026-02-30T10:00:00Z' }, 'at'],
    [{ ...report, at: 1700000000 }, 'at'],
    [{ ...report, at: undefined }, 'at'],
  ])('%j is refused for its %s', (json, problem) => {
    expect(parseBankCallback(json)).toEqual({ ok: false, problem });
  });
});
