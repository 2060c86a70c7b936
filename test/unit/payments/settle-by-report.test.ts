import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptPhase } from '../../../src/domain/payments/attempt.ts';
import { BANK_CLOCK_TOLERANCE_MS } from '../../../src/domain/payments/judge-report.ts';
import type { PaymentStatus } from '../../../src/domain/payments/payment-states.ts';
import { settleByReport } from '../../../src/domain/payments/settle-by-report.ts';
import {
  isRetryableReason,
  TRANSFER_STATUSES,
  type ReportSource,
  type TransferReport,
  type TransferStatus,
} from '../../../src/domain/payments/transfer-report.ts';
import {
  at,
  carryOut,
  NOW,
  report,
  standing,
  TIMING,
  type Standing,
  FINAL_DUE_AT,
} from '../../support/payments/settling-payment.ts';

const CALLBACK: ReportSource = { kind: 'CALLBACK' };
const answer = (to: 'SEND' | 'ASK', sends: number, calledAt = NOW): ReportSource => ({
  kind: 'ANSWER',
  call: { to, sends, calledAt },
  timing: TIMING,
});

function hear(
  before: Standing,
  said: TransferReport,
  source = CALLBACK,
  options: { readonly areReturnsDeducted?: boolean; readonly now?: Date } = {},
) {
  const { areReturnsDeducted = false, now = NOW } = options;
  const { payment, attempt } = before;
  const settlement = { payment, attempt, areReturnsDeducted, finalDueAt: FINAL_DUE_AT };
  const decision = settleByReport(settlement, said, source, now);
  return { effect: decision.effect, after: carryOut(before, decision) };
}

const anyStatuses = fc.array(fc.constantFrom<TransferStatus>(...TRANSFER_STATUSES), {
  maxLength: 12,
});
const anyStart = fc
  .record({
    status: fc.constantFrom<PaymentStatus>('PROCESSING', 'ON_HOLD', 'SENT'),
    phase: fc.constantFrom<AttemptPhase>('SENDING', 'UNKNOWN', 'ACCEPTED'),
  })
  .filter(({ status, phase }) => status !== 'SENT' || phase === 'ACCEPTED')
  .map(({ status, phase }) => standing({ payment: { status }, attempt: { phase } }));

const hearAll = (start: Standing, statuses: readonly TransferStatus[]): Standing =>
  statuses.reduce((current, status) => hear(current, report(status)).after, start);

describe('reports about one attempt, in any order and number', () => {
  it('move the money out at most once, and never after it was given back', () => {
    fc.assert(
      fc.property(anyStart, anyStatuses, (start, statuses) => {
        const story = hearAll(start, statuses).moved.join();
        expect(['', 'SETTLE', 'RELEASE', 'SETTLE,RETURN']).toContain(story);
      }),
      { numRuns: 2_000 },
    );
  });

  it('said twice have no second effect', () => {
    fc.assert(
      fc.property(anyStart, anyStatuses, (start, statuses) => {
        let twice = start;
        for (const status of statuses) {
          twice = hear(twice, report(status)).after;
          const again = hear(twice, report(status));
          expect(['NOTHING', 'CONTRADICTION']).toContain(again.effect);
          expect(again.after).toEqual(twice);
        }
        expect(twice).toEqual(hearAll(start, statuses));
      }),
    );
  });

  it('of a bank that does not contradict itself lead to one end in any order', () => {
    const stories: readonly [TransferStatus[], PaymentStatus][] = [
      [['ACCEPTED', 'SETTLED'], 'COMPLETED'],
      [['ACCEPTED', 'REJECTED'], 'FAILED'],
      [['ACCEPTED', 'SETTLED', 'RETURNED'], 'RETURNED'],
    ];
    fc.assert(
      fc.property(
        anyStart,
        fc
          .constantFrom(...stories)
          .chain(([statuses, end]) =>
            fc
              .shuffledSubarray([...statuses, ...statuses], { minLength: statuses.length * 2 })
              .map((order) => ({ order, end })),
          ),
        (start, { order, end }) => {
          const effects: string[] = [];
          let current = start;
          for (const status of order) {
            const heard = hear(current, report(status));
            effects.push(heard.effect);
            current = heard.after;
          }
          expect(current.payment.status).toBe(end);
          expect(effects).not.toContain('CONTRADICTION');
        },
      ),
    );
  });

  it('against what is final are contradictions that move nothing', () => {
    const effectOf = (status: PaymentStatus, phase: AttemptPhase, said: TransferStatus) => {
      const before = standing({ payment: { status, hasOpenAttempt: false }, attempt: { phase } });
      const { effect, after } = hear(before, report(said), answer('ASK', 1));
      expect(after.moved).toEqual([]);
      expect(after.payment).toMatchObject({ status, reconciliationStatus: 'EXCEPTION' });
      return effect;
    };
    expect(effectOf('COMPLETED', 'SETTLED', 'REJECTED')).toBe('CONTRADICTION');
    expect(effectOf('FAILED', 'REJECTED', 'SETTLED')).toBe('CONTRADICTION');
    expect(effectOf('FAILED', 'REJECTED', 'RETURNED')).toBe('CONTRADICTION');
    expect(effectOf('RETURNED', 'RETURNED', 'REJECTED')).toBe('CONTRADICTION');
  });
});

describe('a rejection gives the funds back only where it is about every send', () => {
  const anySecondSend = fc
    .record({
      phase: fc.constantFrom<AttemptPhase>('SENDING', 'UNKNOWN', 'ACCEPTED'),
      sends: fc.integer({ min: 2, max: 5 }),
    })
    .map((attempt) => standing({ attempt }));
  const REJECTED = report('REJECTED');

  it('told unasked about an attempt that was sent more than once, it is a reason to ask', () => {
    fc.assert(
      fc.property(anySecondSend, fc.integer({ min: -1e6, max: 1e6 }), (start, offsetMs) => {
        const { effect, after } = hear(start, report('REJECTED', { at: at(offsetMs) }));
        expect(effect).toBe('ASK_FIRST');
        expect(after.moved).toEqual([]);
        expect(after.attempt).toMatchObject({ phase: start.attempt.phase, nextAskAt: NOW });
      }),
    );
  });

  it('the answer to the last send is believed, the answer to one before it is not', () => {
    fc.assert(
      fc.property(anySecondSend, fc.integer({ min: 1, max: 5 }), (start, sends) => {
        const { effect } = hear(start, REJECTED, answer('SEND', sends));
        expect(effect).toBe(sends === start.attempt.sends ? 'REJECT' : 'ASK_FIRST');
      }),
    );
  });

  it('the answer to a question is believed once no send can be on its way any more', () => {
    const start = standing({ attempt: { phase: 'UNKNOWN', sends: 2 } });
    const asked = (ms: number) => hear(start, REJECTED, answer('ASK', 2, at(ms))).effect;
    expect([asked(0), asked(4_999), asked(5_000)]).toEqual(['ASK_FIRST', 'ASK_FIRST', 'REJECT']);
  });

  it('about bytes that never left it is a reason to ask, and they may have left after all', () => {
    const start = standing({ attempt: { phase: 'NOT_SENT' } });
    const { effect, after } = hear(start, REJECTED);
    expect(effect).toBe('ASK_FIRST');
    expect(after.attempt).toMatchObject({ phase: 'UNKNOWN', nextAskAt: NOW });
  });

  it('dated long before the only send, or long after now, it is a reason to ask', () => {
    const dated = (ms: number) => hear(standing(), report('REJECTED', { at: at(ms) })).effect;
    const far = BANK_CLOCK_TOLERANCE_MS + 1;
    expect([dated(-far), dated(far)]).toEqual(['ASK_FIRST', 'ASK_FIRST']);
    expect([dated(1 - far), dated(far - 1), dated(0)]).toEqual(['REJECT', 'REJECT', 'REJECT']);
    expect(hear(standing(), REJECTED).effect).toBe('REJECT');
  });

  it('of another attempt that was said to be paid before, it gives nothing back', () => {
    const start = standing({ payment: { reconciliationStatus: 'EXCEPTION' } });
    const { after } = hear(start, REJECTED);
    expect(after).toMatchObject({
      payment: { status: 'ON_HOLD', statusDetail: 'STALLED' },
      moved: [],
    });
  });
});

describe('reports about a rejected attempt', () => {
  it('are believed while nothing else is under way, and never while something is', () => {
    for (const status of ['PROCESSING', 'ON_HOLD', 'SENT'] as const) {
      const effectOf = (hasOpenAttempt: boolean) => {
        const payment = { status, hasOpenAttempt };
        return hear(standing({ payment, attempt: { phase: 'REJECTED' } }), report('SETTLED'))
          .effect;
      };
      expect(effectOf(false)).toBe('COMPLETE');
      expect(effectOf(true)).toBe('CONTRADICTION');
    }
  });

  it('ACCEPTED takes it up again as an answer, and is old news as a callback', () => {
    const effectOf = (source: ReportSource, hasOpenAttempt: boolean) => {
      const start = standing({ payment: { hasOpenAttempt }, attempt: { phase: 'REJECTED' } });
      return hear(start, report('ACCEPTED'), source).effect;
    };
    expect(effectOf(answer('ASK', 1), false)).toBe('MARK_SENT');
    expect(effectOf(CALLBACK, false)).toBe('NOTHING');
    expect(effectOf(answer('ASK', 1), true)).toBe('NOTHING');
  });
});

describe('money that comes back', () => {
  const paid = standing({
    payment: { status: 'COMPLETED', hasOpenAttempt: false },
    attempt: { phase: 'SETTLED' },
  });
  const deducted = { areReturnsDeducted: true };

  it('is credited as far as the bank says, and never beyond what was paid', () => {
    const credited = (returnedAmount: bigint | null) =>
      hear(paid, report('RETURNED', { returnedAmount })).after.payment.returnInfo;
    expect(credited(null)).toMatchObject({ amount: '1000', fee: '0' });
    expect(credited(750n)).toMatchObject({ amount: '750', fee: '250' });
    expect(credited(5_000n)).toMatchObject({ amount: '1000', fee: '0' });
  });

  it('over a rail that takes charges off waits for the statement where no amount is told', () => {
    const told = hear(paid, report('RETURNED'), CALLBACK, deducted);
    expect(told.effect).toBe('AWAIT_STATEMENT');
    expect(told.after).toEqual(paid);
    const read = report('RETURNED', { returnedAmount: 900n });
    const { effect, after } = hear(told.after, read, { kind: 'STATEMENT' }, deducted);
    expect(effect).toBe('RETURN');
    expect(after).toMatchObject({ payment: { returnInfo: { amount: '900' } }, moved: ['RETURN'] });
  });

  it('over such a rail, before the payment was known to be paid, first completes it', () => {
    const { effect, after } = hear(standing(), report('RETURNED'), CALLBACK, deducted);
    expect(effect).toBe('COMPLETE_AND_AWAIT_STATEMENT');
    expect(after).toMatchObject({ payment: { status: 'COMPLETED' }, moved: ['SETTLE'] });
  });
});

describe('a reason', () => {
  it.each(['BANK_UNAVAILABLE', 'AB05', 'RAIL_UNAVAILABLE'])(
    '%s may not meet a later try',
    (code) => {
      expect(isRetryableReason(code)).toBe(true);
    },
  );
  it.each([null, 'AC04', 'ACCOUNT_NOT_FOUND', 'UNSPECIFIED', 'bank_unavailable'])(
    '%s would meet every try',
    (code) => {
      expect(isRetryableReason(code)).toBe(false);
    },
  );
});
