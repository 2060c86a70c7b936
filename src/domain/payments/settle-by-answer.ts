import { assertNever } from '../assert-never.ts';
import { isOpenPhase, isSettledDownAt, type Attempt } from './attempt.ts';
import type { PaymentChange, SettlingPayment } from './payment.ts';
import {
  settleByReport,
  type Settlement,
  type SettlementDecision,
  type SettlementStep,
} from './settle-by-report.ts';
import { MISSING_TO_RESEND, nextAskAt } from './next-bank-step.ts';
import type { SettlementTiming } from './settlement-timing.ts';
import type {
  AnsweredCall,
  BlankAnswer,
  TransferAnswer,
  TransferReport,
} from './transfer-report.ts';

/**
 * The rail of a network stores what becomes of a transfer that it has taken, and wakes its payment, which the
 * reconciler repeats. So it is asked as rarely as this, in ms: each question is an event of the payment's history.
 */
export const CHAIN_ASK_MS = 30 * 60_000;

/** The call that was answered, when that is written down, and how patient we are. */
interface Answered {
  readonly call: AnsweredCall;
  readonly now: Date;
  readonly timing: SettlementTiming;
}

/**
 * The next states of a payment and its attempt after the bank's answer to a send or a question. An
 * answer that says nothing of the transfer's status tells only of the send that it was about:
 * where the bytes went out again since, it changes nothing.
 */
export function settleByAnswer<Row extends Attempt>(
  settlement: Settlement<Row>,
  answer: TransferAnswer,
  answered: Answered,
): SettlementDecision<Row> {
  if (answer.kind === 'REPORT') return reported(settlement, answer.report, answered);
  const { payment, attempt } = settlement;
  if (attempt.phase === 'REJECTED') {
    return stepsOf({ attempt: afterRejection(attempt, answer, answered), change: null });
  }
  if (!isOpenPhase(attempt.phase) || attempt.sends !== answered.call.sends) return stepsOf();
  const next = afterBlankAnswer(attempt, answer, answered);
  return stepsOf({ attempt: next, change: unknownShown(payment, next) });
}

const stepsOf = <Row extends Attempt>(
  ...steps: readonly SettlementStep<Row>[]
): SettlementDecision<Row> => ({ effect: 'NOTHING', steps });

function reported<Row extends Attempt>(
  settlement: Settlement<Row>,
  report: TransferReport,
  { call, now, timing }: Answered,
): SettlementDecision<Row> {
  const before = settlement.attempt;
  const source = { kind: 'ANSWER', call, timing } as const;
  const { effect, steps } = settleByReport(settlement, report, source, now);
  const last = steps.at(-1);
  const attempt = last?.attempt ?? before;
  const replace = (next: Row): SettlementDecision<Row> => ({
    effect,
    steps: [...steps.slice(0, -1), { attempt: next, change: last?.change ?? null }],
  });
  if (effect === 'ASK_FIRST') return replace(askedAgain(attempt, now, timing));
  const wasRejected = before.phase === 'REJECTED' && attempt.phase === 'REJECTED';
  if (wasRejected) {
    return replace(
      isAskedSince(before, call) ? confirmed(attempt, now) : askedLater(attempt, now, timing),
    );
  }
  if (attempt.phase !== 'ACCEPTED') return { effect, steps };
  // The bank knows the transfer and it is not final: it is asked again at growing distances. A chain tells it.
  const { destination } = settlement.payment;
  return replace({
    ...attempt,
    unknownSince: null,
    missingCount: 0,
    nextAskAt:
      destination.kind === 'BANK'
        ? nextAskAt(attempt.askBaseAt, now, timing)
        : new Date(now.getTime() + CHAIN_ASK_MS),
    updatedAt: now,
  });
}

/** A rejection that came too early to be about every send: asked again once no send can be on its way. */
function askedAgain<Row extends Attempt>(attempt: Row, now: Date, timing: SettlementTiming): Row {
  const ended = attempt.phase === 'SENDING' ? endedSend(attempt, now) : attempt;
  const soonest = now.getTime() + timing.askFirstMs;
  const settledDown = isSettledDownAt(ended, timing).getTime();
  return { ...ended, missingCount: 0, nextAskAt: new Date(Math.max(soonest, settledDown)) };
}

/** Asked about a rejected attempt before the next: "never seen" confirms it, silence does not. */
function afterRejection<Row extends Attempt>(
  attempt: Row,
  answer: BlankAnswer,
  { call, now, timing }: Answered,
): Row {
  if (answer.kind === 'NEVER_SEEN' && isAskedSince(attempt, call)) return confirmed(attempt, now);
  return askedLater(attempt, now, timing);
}

const askedLater = <Row extends Attempt>(
  attempt: Row,
  now: Date,
  timing: SettlementTiming,
): Row => ({
  ...attempt,
  nextAskAt: nextAskAt(attempt.askBaseAt, now, timing),
});

const confirmed = <Row extends Attempt>(attempt: Row, now: Date): Row => ({
  ...attempt,
  isRejectionConfirmed: true,
  nextAskAt: null,
  updatedAt: now,
});

/** Whether the bank was asked after the last thing learnt: what it said before confirms nothing. */
const isAskedSince = (attempt: Attempt, { to, calledAt }: AnsweredCall): boolean =>
  to === 'ASK' && calledAt >= attempt.updatedAt;

/** The send under way ended without an outcome. Counted once a send, however it is found out. */
const endedSend = <Row extends Attempt>(attempt: Row, now: Date): Row => ({
  ...attempt,
  // A report may have said ACCEPTED while the send was under way: that is known, silence is not.
  phase: attempt.phase === 'ACCEPTED' ? 'ACCEPTED' : 'UNKNOWN',
  unknownSince: attempt.unknownSince ?? now,
  fruitlessSends: attempt.fruitlessSends + (attempt.phase === 'SENDING' ? 1 : 0),
  askBaseAt: now,
  updatedAt: now,
});

function afterBlankAnswer<Row extends Attempt>(
  attempt: Row,
  answer: BlankAnswer,
  { call, now, timing }: Answered,
): Row {
  // Found by a question in the middle of a send whose process died: that send ends here.
  const endsSend = call.to === 'SEND' || attempt.phase === 'SENDING';
  const ended = endedSend(attempt, now);
  const askBaseAt = endsSend ? now : attempt.askBaseAt;
  const unclear: Row = {
    ...ended,
    askBaseAt,
    nextAskAt: nextAskAt(askBaseAt, now, timing),
    lastAnswer: 'why' in answer ? answer.why : answer.kind,
  };
  switch (answer.kind) {
    case 'NOT_SENT':
      return notSent(attempt, answer.why, now);
    case 'REFUSED':
      return { ...unclear, answeredAt: now, refusedByBank: true };
    case 'UNCLEAR':
      return call.to === 'SEND' ? { ...unclear, answeredAt: now } : unclear;
    case 'SILENCE':
      return unclear;
    case 'NEVER_SEEN': {
      // Dated by the question: an answer may lie about for a while before it is written down.
      const isFresh = isAskedSince(attempt, call) || attempt.phase === 'SENDING';
      if (!isFresh || call.calledAt < isSettledDownAt(attempt, timing)) return unclear;
      const missingCount = attempt.missingCount + 1;
      if (missingCount >= MISSING_TO_RESEND) return { ...unclear, missingCount };
      // The second "never seen" only confirms the first: it need not wait as long as an answer might.
      return { ...unclear, missingCount, nextAskAt: new Date(now.getTime() + timing.askFirstMs) };
    }
    default:
      return assertNever(answer);
  }
}

function notSent<Row extends Attempt>(attempt: Row, why: string, now: Date): Row {
  if (attempt.phase !== 'SENDING') return attempt;
  // A repeated send that did not leave: the bank's two "never seen" still count.
  return attempt.sends > 1
    ? {
        ...attempt,
        phase: 'UNKNOWN',
        sends: attempt.sends - 1,
        missingCount: MISSING_TO_RESEND,
        updatedAt: now,
      }
    : { ...attempt, phase: 'NOT_SENT', unknownSince: null, lastAnswer: why, updatedAt: now };
}

/** The first time that the outcome is unknown, the payment says so. */
function unknownShown(payment: SettlingPayment, attempt: Attempt): PaymentChange | null {
  if (attempt.phase !== 'UNKNOWN' || payment.status !== 'PROCESSING') return null;
  if (payment.statusDetail === 'OUTCOME_UNKNOWN') return null;
  return { statusDetail: 'OUTCOME_UNKNOWN', fundsStatus: 'UNKNOWN' };
}
