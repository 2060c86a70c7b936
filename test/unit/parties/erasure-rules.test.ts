import { describe, expect, it } from 'vitest';
import {
  judgeErasure,
  type ErasureCase,
} from '../../../src/modules/parties/end-users/judge-erasure.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date('2026-11-22T12:00:00.000Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);
const RETENTION_MS = 10 * DAY_MS;

const judge = (more: Partial<ErasureCase> = {}) =>
  judgeErasure(
    {
      ...{ status: 'CLOSED', updatedAt: daysAgo(10), openPayments: 0n },
      ...{ lastFinalAt: daysAgo(10) },
      ...more,
    },
    RETENTION_MS,
    NOW,
  ).map(({ code, meta }) => ({ code, ...meta }));

describe('an end-user may be erased', () => {
  it('once closed, with all payments final, and the retention over to the millisecond', () => {
    expect(judge()).toEqual([]);
    expect(judge({ lastFinalAt: null })).toEqual([]);
    const late = new Date(daysAgo(10).getTime() + 1);
    const possibleFrom = new Date(NOW.getTime() + 1).toISOString();
    expect(judge({ updatedAt: late })).toEqual([{ code: 'retention_not_over', possibleFrom }]);
  });

  it('no sooner than the later of closing and last final payment allows', () => {
    const possibleFrom = new Date(NOW.getTime() + 3 * DAY_MS).toISOString();
    const told = [{ code: 'retention_not_over', possibleFrom }];
    expect(judge({ lastFinalAt: daysAgo(7) })).toEqual(told);
    expect(judge({ updatedAt: daysAgo(7) })).toEqual(told);
  });

  it.each(['ACTIVE', 'SUSPENDED'] as const)('never while %s', (status) => {
    expect(judge({ status })).toEqual([{ code: 'end_user_not_closed' }]);
  });

  it('never while a payment is not final, and no date is promised then', () => {
    expect(judge({ openPayments: 2n })).toEqual([{ code: 'payments_not_final', count: 2 }]);
  });

  it('is told all that is missing at once', () => {
    const codes = judge({ status: 'ACTIVE', openPayments: 1n });
    expect(codes).toEqual([
      { code: 'end_user_not_closed' },
      { code: 'payments_not_final', count: 1 },
    ]);
  });
});
