import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeAttempt } from '../../../src/domain/webhooks/attempt.ts';
import { readRetryAfter } from '../../../src/domain/webhooks/retry-after.ts';
import { planRetry, RETRY_DELAYS_MS } from '../../../src/domain/webhooks/retry-schedule.ts';

const AT = new Date('2026-01-05T10:00:00Z');
const answered = (status: number, retryAfterSeconds?: number) => ({
  kind: 'ANSWERED' as const,
  status,
  retryAfterSeconds,
  durationMs: 5,
});

describe('the schedule of a delivery', () => {
  it('waits 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
    const hours = RETRY_DELAYS_MS.map((ms) => ms / 3_600_000);
    expect(hours.slice(3)).toEqual([0.5, 2, 5, 10, 14, 20, 24]);
    expect(RETRY_DELAYS_MS.slice(0, 3)).toEqual([0, 5_000, 300_000]);
  });

  it('spreads every wait by a fifth to both sides and no further', () => {
    expect(planRetry(1, 0)).toEqual({ kind: 'RETRY', delayMs: 4_000 });
    expect(planRetry(1, 0.5)).toEqual({ kind: 'RETRY', delayMs: 5_000 });
    expect(planRetry(1, 1)).toEqual({ kind: 'RETRY', delayMs: 6_000 });
  });

  it('ends after the tenth attempt', () => {
    expect(planRetry(9, 0.5)).toEqual({ kind: 'RETRY', delayMs: 86_400_000 });
    expect(planRetry(10, 0.5)).toEqual({ kind: 'EXHAUSTED' });
    expect(planRetry(11, 0.5, 60)).toEqual({ kind: 'EXHAUSTED' });
  });

  it('keeps a Retry-After within one to two times the planned wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 10 ** 9 }),
        (attempts, random, seconds) => {
          const planned = RETRY_DELAYS_MS[attempts] ?? 0;
          const plan = planRetry(attempts, random, seconds);
          if (plan.kind === 'EXHAUSTED') return false;
          return plan.delayMs >= planned && plan.delayMs <= 2 * planned;
        },
      ),
    );
  });
});

describe('the verdict on an attempt', () => {
  it.each([200, 202, 204, 299])('%i delivers', (status) => {
    expect(judgeAttempt(0, answered(status), AT, 0.5)).toEqual({
      status: 'DELIVERED',
      attempts: 1,
      nextAttemptAt: null,
      statusCode: status,
      error: null,
    });
  });

  it.each([301, 302, 307, 308])('%i is a failure, not a way to follow', (status) => {
    const verdict = judgeAttempt(0, answered(status), AT, 0.5);
    expect(verdict).toMatchObject({ status: 'PENDING', attempts: 1, error: 'REDIRECT' });
    expect(verdict.nextAttemptAt).toEqual(new Date(AT.getTime() + 5_000));
  });

  it('a delivery out of attempts is EXHAUSTED', () => {
    const result = { kind: 'FAILED', code: 'TIMEOUT', durationMs: 15_000 } as const;
    expect(judgeAttempt(9, result, AT, 0.5)).toEqual({
      status: 'EXHAUSTED',
      attempts: 10,
      nextAttemptAt: null,
      statusCode: null,
      error: 'TIMEOUT',
    });
  });
});

describe('Retry-After', () => {
  it('is read as seconds and as a date', () => {
    expect(readRetryAfter('120', AT)).toBe(120);
    expect(readRetryAfter('Mon, 05 Jan 2026 10:02:00 GMT', AT)).toBe(120);
    expect(readRetryAfter('Mon, 05 Jan 2026 09:00:00 GMT', AT)).toBe(0);
  });

  it.each(['soon', '-5', '1.5', '', '99999999999999999999', 'Xxx, 99 Xxx 2026 10:02:00 GMT'])(
    'ignores %j',
    (text) => {
      expect(readRetryAfter(text, AT)).toBeUndefined();
    },
  );
});
