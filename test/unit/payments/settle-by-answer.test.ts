import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptSentAgain, isOpenPhase } from '../../../src/domain/payments/attempt.ts';
import { nextStep, planPayment } from '../../../src/domain/payments/next-step.ts';
import { settleByAnswer } from '../../../src/domain/payments/settle-by-answer.ts';
import { settleByReport } from '../../../src/domain/payments/settle-by-report.ts';
import {
  TRANSFER_STATUSES,
  type TransferAnswer,
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

const blank: readonly TransferAnswer[] = [
  { kind: 'NOT_SENT', why: 'CONNECT_FAILED' },
  { kind: 'REFUSED', why: 'HTTP_409' },
  { kind: 'UNCLEAR', why: 'HTTP_503' },
  { kind: 'SILENCE', why: 'TIMEOUT' },
  { kind: 'NEVER_SEEN' },
];
const anyAnswer = fc.oneof(
  fc.constantFrom(...blank),
  fc.constantFrom(...TRANSFER_STATUSES).map((status): TransferAnswer => ({
    kind: 'REPORT',
    report: report(status),
  })),
);

/** What a bank or an unlucky process may do next, in any order. */
const anyEvent = fc.oneof(
  fc.record({
    kind: fc.constant('ANSWER' as const),
    answer: anyAnswer,
    to: fc.constantFrom('SEND' as const, 'ASK' as const),
    sendsBehind: fc.integer({ min: 0, max: 1 }),
    calledBeforeMs: fc.integer({ min: 0, max: 20_000 }),
  }),
  fc.record({
    kind: fc.constant('CALLBACK' as const),
    status: fc.constantFrom(...TRANSFER_STATUSES),
  }),
  fc.record({ kind: fc.constant('TIME' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
);

/** Plays events as the use cases do: the plan decides whether the bytes go out again. */
function play(
  start: Standing,
  events: readonly (typeof anyEvent extends fc.Arbitrary<infer E> ? E : never)[],
) {
  let current = start;
  let now = NOW;
  let sends = 1;
  const trail: { readonly released: boolean; readonly sends: number }[] = [];
  for (const event of events) {
    if (event.kind === 'TIME') now = new Date(now.getTime() + event.ms);
    const { payment, attempt } = current;
    const settlement = { payment, attempt, areReturnsDeducted: false, finalDueAt: FINAL_DUE_AT };
    if (event.kind === 'CALLBACK') {
      const said = report(event.status);
      current = carryOut(current, settleByReport(settlement, said, { kind: 'CALLBACK' }, now));
    } else if (event.kind === 'ANSWER') {
      const call = {
        to: event.to,
        sends: attempt.sends - event.sendsBehind,
        calledAt: new Date(now.getTime() - event.calledBeforeMs),
      };
      const decision = settleByAnswer(settlement, event.answer, { call, now, timing: TIMING });
      current = carryOut(current, decision);
    }
    const plan = planPayment(
      { payment: current.payment, attempts: [current.attempt] },
      now,
      TIMING,
    );
    if (plan.kind === 'SEND_AGAIN') {
      sends += 1;
      current = { ...current, attempt: attemptSentAgain(current.attempt, now, TIMING) };
    }
    trail.push({ released: current.moved.includes('RELEASE'), sends });
  }
  return { current, trail };
}

describe('whatever the bank answers, reports and keeps to itself', () => {
  const MOVES = ['', 'SETTLE', 'RELEASE', 'SETTLE,RETURN'];
  const anyEvents = fc.array(anyEvent, { maxLength: 20 });
  /** What was played once, others at every run, for all tests. */
  const played = fc
    .sample(anyEvents, 3_000)
    .map((events) => ({ told: JSON.stringify(events), ...play(standing(), events) }));

  it('the money leaves at most once and never after it was given back', () => {
    const wrong = played.filter(({ current }) => !MOVES.includes(current.moved.join()));
    expect(wrong.map(({ told }) => told)).toEqual([]);
  });

  it('the bytes never go out again once the funds were given back', () => {
    const ofReleased = played.flatMap(({ told, trail }) => {
      const atRelease = trail.find(({ released }) => released);
      return atRelease === undefined ? [] : [{ told, atRelease, atEnd: trail.at(-1) }];
    });
    const wrong = ofReleased.filter(({ atRelease, atEnd }) => atEnd?.sends !== atRelease.sends);
    expect(wrong.map(({ told }) => told)).toEqual([]);
    expect(ofReleased.length).toBeGreaterThan(20);
  });

  it('a payment that is open always has a next step, and one that is not has none', () => {
    const wrong = played.filter(({ current: { payment, attempt } }) => {
      const step = nextStep({ payment, attempts: [attempt] }, at(1_000_000), TIMING);
      const isOver = ['COMPLETED', 'FAILED', 'RETURNED'].includes(payment.status);
      const isStepRight = step.kind === (isOver ? 'DONE' : 'WAIT');
      return !isStepRight || payment.hasOpenAttempt !== isOpenPhase(attempt.phase);
    });
    expect(wrong.map(({ told }) => told)).toEqual([]);
  });

  it('an answer about an earlier send that says nothing of the transfer changes nothing', () => {
    const start = standing({ attempt: { phase: 'SENDING', sends: 2 } });
    for (const answer of blank) {
      const call = { to: 'SEND', sends: 1, calledAt: NOW } as const;
      const { payment, attempt } = start;
      const settlement = { payment, attempt, areReturnsDeducted: false, finalDueAt: FINAL_DUE_AT };
      const { steps } = settleByAnswer(settlement, answer, { call, now: at(1), timing: TIMING });
      expect(steps).toEqual([]);
    }
  });
});

describe('a rejection heard again by a worker whose clock is behind', () => {
  it('is asked about after a pause, not at once', () => {
    const { payment, attempt } = standing({
      payment: { hasOpenAttempt: false },
      attempt: { phase: 'REJECTED', updatedAt: at(500), nextAskAt: NOW },
    });
    const call = { to: 'ASK', sends: 1, calledAt: NOW } as const;
    const settlement = { payment, attempt, areReturnsDeducted: false, finalDueAt: FINAL_DUE_AT };
    const answer = { kind: 'REPORT', report: report('REJECTED') } as const;
    const { steps } = settleByAnswer(settlement, answer, { call, now: NOW, timing: TIMING });
    expect(steps[0]?.attempt).toMatchObject({ isRejectionConfirmed: false, nextAskAt: at(1_000) });
  });
});

describe('a rejection heard too early', () => {
  it('is asked about again, not before a send can no longer be on its way, and not without a pause', () => {
    const asked = (calledAt: Date, now: Date) => {
      const { payment, attempt } = standing({ attempt: { phase: 'SENDING', sends: 2 } });
      const call = { to: 'ASK', sends: 2, calledAt } as const;
      const settlement = { payment, attempt, areReturnsDeducted: false, finalDueAt: FINAL_DUE_AT };
      const answer = { kind: 'REPORT', report: report('REJECTED') } as const;
      return settleByAnswer(settlement, answer, { call, now, timing: TIMING }).steps[0]?.attempt;
    };
    expect(asked(NOW, at(10))).toMatchObject({ phase: 'UNKNOWN', nextAskAt: at(5_000) });
    expect(asked(at(4_900), at(4_950))).toMatchObject({ nextAskAt: at(5_950) });
  });
});
