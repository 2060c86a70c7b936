import { describe, expect, it } from 'vitest';
import type { HistoryRow } from '../../../src/db/payments/payment-history-store.ts';
import type { PaymentRow } from '../../../src/db/payments/payment-store.ts';
import type { AttemptRow } from '../../../src/db/payments/settlement-attempt-store.ts';
import {
  attemptClaimed,
  attemptSentAgain,
  readyAttempt,
} from '../../../src/domain/payments/attempt.ts';
import { timelineOf } from '../../../src/modules/payments/timeline.ts';
import type { SettlementTiming } from '../../../src/domain/payments/settlement-timing.ts';

const TIMING = { attemptDeadlineMs: 3_000 } as SettlementTiming;

const STATES = {
  QUEUED: ['PROCESSING', 'HELD'],
  SUBMITTING: ['PROCESSING', 'HELD'],
  OUTCOME_UNKNOWN: ['PROCESSING', 'UNKNOWN'],
  RELEASE_STOPPED: ['ON_HOLD', 'HELD'],
  DELIVERED: ['COMPLETED', 'DELIVERED'],
} as const;
type Detail = keyof typeof STATES;

const second = (seconds: number): Date =>
  new Date(Date.UTC(2026, 8, 29, 12, 0, 0) + seconds * 1_000);

/** Versions in their order, each at a second. */
const versions = (...rows: readonly (readonly [Detail, number])[]): HistoryRow[] =>
  rows.map(([statusDetail, at], index) => ({
    ...{ paymentId: 'pay_1', version: index + 1, at: second(at), statusDetail },
    ...{ status: STATES[statusDetail][0], fundsStatus: STATES[statusDetail][1] },
    reconciliationStatus: 'PENDING',
  }));

const row = (attempt: ReturnType<typeof readyAttempt>): AttemptRow => ({
  ...{ ...attempt, paymentId: 'pay_1', number: 1, rail: 'SEPA', encodedTransfer: Buffer.alloc(0) },
});
const ready = (): AttemptRow => row(readyAttempt('CWSAMPLE01', second(0)));
const sentAt = (seconds: number): AttemptRow => attemptClaimed(ready(), second(seconds), TIMING);

/** What is told as done, as "detail@second". */
const told = (history: readonly HistoryRow[], ...attempts: readonly AttemptRow[]): string[] => {
  const { status, statusDetail, fundsStatus, reconciliationStatus } = history.at(-1) ?? {};
  const state = { status, statusDetail, fundsStatus, reconciliationStatus };
  const payment = { ...state, destination: { kind: 'BANK' }, rateHeldUntil: null };
  return timelineOf(payment as unknown as PaymentRow, history, attempts, second(0))
    .filter(({ expected }) => !expected)
    .map(({ statusDetail: detail, at }) => {
      return `${detail}@${String((Date.parse(at ?? '') - second(0).getTime()) / 1_000)}`;
    });
};

describe('the first send of a payment', () => {
  it('is told at its time, between what was before it and what came of it', () => {
    const history = versions(['QUEUED', 0], ['DELIVERED', 3]);
    expect(told(history, sentAt(1))).toEqual(['QUEUED@0', 'SUBMITTING@1', 'DELIVERED@3']);
  });

  it('is told while it is under way, and not before', () => {
    const history = versions(['QUEUED', 0]);
    expect(told(history, ready())).toEqual(['QUEUED@0']);
    expect(told(history, sentAt(1))).toEqual(['QUEUED@0', 'SUBMITTING@1']);
  });

  it('is told once, also where the bytes went out again', () => {
    const history = versions(['QUEUED', 0], ['OUTCOME_UNKNOWN', 2], ['DELIVERED', 9]);
    const again = attemptSentAgain({ ...sentAt(1), phase: 'UNKNOWN' }, second(7), TIMING);
    const expected = ['QUEUED@0', 'SUBMITTING@1', 'OUTCOME_UNKNOWN@2', 'DELIVERED@9'];
    expect(told(history, again)).toEqual(expected);
  });

  it('is told once where it is a version too', () => {
    const history = versions(
      ['QUEUED', 0],
      ['RELEASE_STOPPED', 1],
      ['SUBMITTING', 2],
      ['DELIVERED', 3],
    );
    const expected = ['QUEUED@0', 'RELEASE_STOPPED@1', 'SUBMITTING@2', 'DELIVERED@3'];
    expect(told(history, sentAt(2))).toEqual(expected);
  });

  it('is told before another attempt, which is a version', () => {
    const history = versions(['QUEUED', 0], ['SUBMITTING', 5], ['DELIVERED', 6]);
    const next = { ...sentAt(5), number: 2, reference: 'CWSAMPLE02' };
    const first: AttemptRow = { ...sentAt(1), phase: 'REJECTED' };
    const expected = ['QUEUED@0', 'SUBMITTING@1', 'SUBMITTING@5', 'DELIVERED@6'];
    expect(told(history, first, next)).toEqual(expected);
  });

  it('that was a version and is not in the attempt is told once', () => {
    const history = versions(['QUEUED', 0], ['SUBMITTING', 1], ['DELIVERED', 2]);
    const expected = ['QUEUED@0', 'SUBMITTING@1', 'DELIVERED@2'];
    expect(told(history, { ...sentAt(1), firstSentAt: null })).toEqual(expected);
  });

  it('stands before what came of it, within one millisecond too', () => {
    const history = versions(['QUEUED', 0], ['DELIVERED', 1]);
    expect(told(history, sentAt(1))).toEqual(['QUEUED@0', 'SUBMITTING@1', 'DELIVERED@1']);
    const atOnce = versions(['QUEUED', 0], ['DELIVERED', 0]);
    expect(told(atOnce, sentAt(0))).toEqual(['QUEUED@0', 'SUBMITTING@0', 'DELIVERED@0']);
  });

  it('stands behind the acceptance, though the clock of the worker is behind that of the API', () => {
    const history = versions(['QUEUED', 2], ['DELIVERED', 4]);
    expect(told(history, sentAt(1))).toEqual(['QUEUED@2', 'SUBMITTING@1', 'DELIVERED@4']);
  });
});
