import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptClaimed,
  isSettledDownAt,
  readyAttempt,
} from '../../../src/domain/payments/attempt.ts';
import { PAYMENT_STATUSES, STATUS_DETAILS } from '../../../src/domain/payments/payment-states.ts';
import {
  isForOperators,
  MISSING_TO_RESEND,
  nextAskAt,
  planSettlement,
  type OpenAttempt,
  type PlanInput,
} from '../../../src/domain/payments/next-bank-step.ts';
import {
  doublingDelay,
  FRUITLESS_SENDS_MAX,
  type SettlementTiming,
} from '../../../src/domain/payments/settlement-timing.ts';

const TIMING: SettlementTiming = {
  bankTimeoutMs: 2_000,
  attemptDeadlineMs: 3_000,
  askFirstMs: 1_000,
  askMaxMs: 10_000,
  missingAfterMs: 2_000,
  stalledAfterMs: 30_000,
  retryFirstMs: 1_000,
  retryMaxMs: 10_000,
  holdCheckMs: 10_000,
};

const NOW = new Date('2026-09-29T12:00:00.000Z');
const at = (offsetMs: number) => new Date(NOW.getTime() + offsetMs);
const anyTime = fc.integer({ min: -100_000, max: 100_000 }).map(at);
const anyAttempt: fc.Arbitrary<OpenAttempt> = fc.record({
  phase: fc.constantFrom('SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED'),
  fruitlessSends: fc.integer({ min: 0, max: 6 }),
  refusedByBank: fc.boolean(),
  deadlineAt: anyTime,
  answeredAt: fc.option(anyTime),
  unknownSince: fc.option(anyTime),
  nextAskAt: fc.option(anyTime),
  missingCount: fc.integer({ min: 0, max: 4 }),
});
const anyInput: fc.Arbitrary<PlanInput> = fc.record({
  status: fc.constantFrom(...PAYMENT_STATUSES),
  statusDetail: fc.constantFrom(...STATUS_DETAILS),
  rejections: fc.integer({ min: 0, max: 6 }),
  releaseAt: fc.option(anyTime),
  depositUntil: fc.option(anyTime),
  updatedAt: anyTime,
  heldSince: fc.option(anyTime),
  isContradicted: fc.boolean(),
  attempt: fc.option(anyAttempt),
  unconfirmedRejection: fc.option(fc.record({ nextAskAt: fc.option(anyTime) })),
});

const plan = (input: PlanInput) => planSettlement(input, NOW, TIMING);
const always = (rule: (input: PlanInput, kind: string) => boolean | undefined) =>
  fc.assert(
    fc.property(anyInput, (input) => rule(input, plan(input).kind) ?? true),
    { numRuns: 3_000 },
  );

const BASE: PlanInput = {
  status: 'PROCESSING',
  statusDetail: 'SUBMITTING',
  rejections: 0,
  releaseAt: null,
  depositUntil: null,
  updatedAt: NOW,
  heldSince: null,
  isContradicted: false,
  attempt: null,
  unconfirmedRejection: null,
};
const ATTEMPT: OpenAttempt = {
  phase: 'UNKNOWN',
  fruitlessSends: 1,
  refusedByBank: false,
  deadlineAt: at(3_000),
  answeredAt: NOW,
  unknownSince: NOW,
  nextAskAt: at(1_000),
  missingCount: 0,
};
const unknown = (more: Partial<OpenAttempt> = {}): PlanInput => ({
  ...BASE,
  attempt: { ...ATTEMPT, ...more },
});

describe('what settlement does next, whatever the database holds', () => {
  it('sends again only what never left, or what the bank never saw, said twice', () => {
    always(({ attempt }, kind) => {
      if (kind !== 'SEND_AGAIN') return true;
      if (attempt === null) return false;
      return (
        attempt.phase === 'NOT_SENT' ||
        (attempt.phase !== 'ACCEPTED' && attempt.missingCount >= MISSING_TO_RESEND)
      );
    });
  });

  it('claims a new attempt only with none open', () => {
    always(({ attempt }, kind) => kind !== 'CLAIM' || attempt === null);
  });

  it('sends nothing for a payment about which the bank contradicted itself', () => {
    always(
      ({ isContradicted }, kind) => !isContradicted || !['CLAIM', 'SEND_AGAIN'].includes(kind),
    );
  });

  it('sends nothing before the moment of its release, and waits for it', () => {
    always(({ releaseAt }, kind) => {
      const isEarly = releaseAt !== null && releaseAt > NOW;
      return !isEarly || !['CLAIM', 'SEND_AGAIN'].includes(kind);
    });
    const scheduled = { ...BASE, statusDetail: 'SCHEDULED', releaseAt: at(1) } as const;
    expect(plan(scheduled)).toEqual({ kind: 'WAIT', waitMs: 1 });
    const inAYear = at(365 * 24 * 3_600_000);
    expect(plan({ ...scheduled, releaseAt: inAYear })).toEqual({
      ...{ kind: 'WAIT', waitMs: 24 * 3_600_000 },
    });
    expect(plan({ ...scheduled, releaseAt: NOW })).toEqual({ kind: 'CLAIM' });
  });

  it('sends nothing, and asks about nothing, before the deposit that pays for it is there', () => {
    always(
      ({ depositUntil }, kind) =>
        depositUntil === null || !['CLAIM', 'SEND_AGAIN', 'ASK'].includes(kind),
    );
    const waiting = { ...BASE, statusDetail: 'AWAITING_DEPOSIT' } as const;
    expect(plan({ ...waiting, depositUntil: at(1) })).toEqual({ kind: 'WAIT', waitMs: 1 });
    expect(plan({ ...waiting, depositUntil: NOW })).toEqual({ kind: 'EXPIRE', since: NOW });
  });

  it('looks at a held payment at doubling distances, an hour apart at most', () => {
    const held = { ...BASE, status: 'ON_HOLD', statusDetail: 'STALLED', heldSince: NOW } as const;
    const neverSent = { ...ATTEMPT, phase: 'NOT_SENT' } as const;
    for (const input of [
      { ...held, statusDetail: 'SETTLEMENT_FAILED' } as const,
      { ...held, isContradicted: true },
      { ...held, attempt: neverSent },
    ]) {
      const looks: number[] = [];
      for (let ms = 0; ms < 4 * 3_600_000; ms += looks.at(-1) ?? 0) {
        const next = planSettlement(input, at(ms), TIMING);
        looks.push(next.kind === 'WAIT' ? next.waitMs : NaN);
      }
      expect(looks.slice(0, 4)).toEqual([10_000, 10_000, 20_000, 40_000]);
      expect(looks.at(-1)).toBe(3_600_000);
    }
    const asked = { ...held, heldSince: at(-600_000), attempt: { ...ATTEMPT, nextAskAt: at(1) } };
    expect(plan(asked)).toEqual({ kind: 'WAIT', waitMs: 1 });
  });

  it('sends nothing that waits for an operator', () => {
    always(({ status, statusDetail }, kind) => {
      const isHeld = status === 'ON_HOLD' && isForOperators(statusDetail);
      return !isHeld || !['CLAIM', 'SEND_AGAIN'].includes(kind);
    });
  });

  it('sends nothing after four fruitless sends, four rejections or one refusal', () => {
    always(({ attempt, rejections }, kind) => {
      if (kind === 'CLAIM') return rejections < FRUITLESS_SENDS_MAX;
      if (kind !== 'SEND_AGAIN' || attempt === null || attempt.phase === 'NOT_SENT') return true;
      return attempt.fruitlessSends < FRUITLESS_SENDS_MAX && !attempt.refusedByBank;
    });
  });

  it('is done exactly where the payment is COMPLETED or final', () => {
    const over = ['COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED', 'RETURNED'];
    always(({ status }, kind) => (kind === 'DONE') === over.includes(status));
  });

  it('waits for a while, never for nothing and never for ever', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const next = plan(input);
        if (next.kind !== 'WAIT') return;
        expect(next.waitMs).toBeGreaterThan(0);
        expect(Number.isFinite(next.waitMs)).toBe(true);
      }),
    );
  });

  it('asks while an attempt waits for a human: the bank may still say', () => {
    const held = { status: 'ON_HOLD', statusDetail: 'STALLED' } as const;
    expect(plan({ ...unknown({ nextAskAt: NOW }), ...held })).toEqual({ kind: 'ASK' });
  });
});

describe('holding', () => {
  it.each([
    ['four fruitless sends that the bank never saw', { fruitlessSends: 4, missingCount: 2 }],
    ['one 401, 403 or 409', { refusedByBank: true }],
  ])('after %s', (_what, more) => {
    expect(plan(unknown(more))).toEqual({ kind: 'HOLD', detail: 'SETTLEMENT_FAILED' });
  });

  it('after three fruitless sends not yet', () => {
    expect(plan(unknown({ fruitlessSends: 3, missingCount: 2 }))).toEqual({ kind: 'SEND_AGAIN' });
  });

  it('after four rejections', () => {
    expect(plan({ ...BASE, rejections: 4 })).toEqual({ kind: 'HOLD', detail: 'SETTLEMENT_FAILED' });
  });

  it('as STALLED at the very time, and wakes for it', () => {
    const since = (ms: number) => unknown({ unknownSince: at(-ms), nextAskAt: at(60_000) });
    expect(plan(since(30_000))).toEqual({ kind: 'HOLD', detail: 'STALLED' });
    expect(plan(since(29_999))).toEqual({ kind: 'WAIT', waitMs: 1 });
  });

  it('as STALLED only once the bank was asked, however long the worker could not ask', () => {
    const since = { unknownSince: at(-1_000_000), nextAskAt: at(-900_000) };
    expect(plan(unknown(since))).toEqual({ kind: 'ASK' });
    expect(plan(unknown({ ...since, phase: 'SENDING', nextAskAt: null }))).toEqual({ kind: 'ASK' });
  });

  it('where it would have sent, once the bank contradicted itself', () => {
    const held = { kind: 'HOLD', detail: 'STALLED' };
    expect(plan({ ...BASE, isContradicted: true })).toEqual(held);
    expect(plan({ ...unknown({ missingCount: 2 }), isContradicted: true })).toEqual(held);
  });
});

describe('distances', () => {
  it('between attempts double from the first to the greatest', () => {
    expect([0, 1, 2, 3, 4, 5, 99].map((n) => doublingDelay(1_000, 10_000, n))).toEqual([
      ...[1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000],
    ]);
    const after = (rejections: number) => plan({ ...BASE, rejections });
    expect(after(1)).toEqual({ kind: 'WAIT', waitMs: 1_000 });
    expect(after(3)).toEqual({ kind: 'WAIT', waitMs: 4_000 });
  });

  it('between questions double with the age, from 1 s to 10 s', () => {
    const asked: number[] = [];
    let now = NOW;
    while (now.getTime() < NOW.getTime() + 60_000) {
      now = nextAskAt(NOW, now, TIMING);
      asked.push((now.getTime() - NOW.getTime()) / 1_000);
    }
    expect(asked).toEqual([1, 2, 4, 8, 16, 26, 36, 46, 56, 66]);
  });

  it('between questions never shrink, whenever they are asked', () => {
    const late = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(late, late, (a, b) => {
        const [early, later] = a < b ? [a, b] : [b, a];
        const distance = (age: number) =>
          nextAskAt(NOW, at(age), TIMING).getTime() - at(age).getTime();
        expect(distance(later)).toBeGreaterThanOrEqual(distance(early));
        expect(distance(early)).toBeGreaterThanOrEqual(TIMING.askFirstMs);
        expect(distance(later)).toBeLessThanOrEqual(TIMING.askMaxMs);
      }),
    );
  });
});

describe('an answer of the bank is about every send', () => {
  it('2 s after the answer to the send, or after the deadline where there was none', () => {
    const settledDown = (answeredAt: Date | null) =>
      isSettledDownAt(
        { ...attemptClaimed(readyAttempt('CW01', NOW), NOW, TIMING), answeredAt },
        TIMING,
      );
    expect(settledDown(NOW)).toEqual(at(2_000));
    expect(settledDown(null)).toEqual(at(5_000));
  });
});
