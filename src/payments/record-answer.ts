import type { Database, ScopedTransaction } from '../db/database.ts';
import { lockPayment, type PaymentRow } from '../db/payment-store.ts';
import { updateAttempt, type AttemptRow } from '../db/settlement-attempt-store.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { Clock } from '../domain/clock.ts';
import type { TransferReport } from '../domain/payments/transfer-report.ts';
import { MISSING_TO_RESEND, missingCounts, nextAskAt } from '../domain/payments/settlement-plan.ts';
import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { Scope } from '../domain/scope.ts';
import { applyReport } from './apply-report.ts';
import { applyReports, type PaymentWithAttempts } from './apply-reports.ts';
import { changePayment } from './change-payment.ts';
import { nextStep, openAttemptOf, type PaymentStep } from './plan-payment.ts';

/** What became of a send or a question, in the words of the settlement rules. */
export type BankAnswer =
  /** The bank says where the transfer stands. */
  | { readonly kind: 'WORD'; readonly word: TransferReport }
  /** Provably no byte of the send reached the bank. */
  | { readonly kind: 'NOT_SENT'; readonly why: string }
  /** The bank refused the send itself: 401, 403 or 409. */
  | { readonly kind: 'REFUSED'; readonly why: string }
  /** It answered the send with something that settles nothing: 503, another 4xx or 5xx, garbage. */
  | { readonly kind: 'ANSWERED_UNCLEARLY'; readonly why: string }
  /** No answer to the send, or none to the question. */
  | { readonly kind: 'SILENCE'; readonly why: string }
  /** Asked, it says that it never saw the reference. */
  | { readonly kind: 'MISSING' };

/** Which call was answered: `sends` is the attempt's count as the caller knew it. */
export interface AnsweredCall {
  readonly paymentId: string;
  readonly reference: string;
  readonly sends: number;
  readonly to: 'SEND' | 'ASK';
  /** When the call began: what it learnt is no younger than that. */
  readonly calledAt: Date;
}

export interface RecordDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly timing: SettlementTiming;
}

/**
 * Writes down what the bank answered to a send (`to` SEND) or a question (`to` ASK), in one
 * transaction that also finalises the payment if the answer is final. Reports that arrived meanwhile
 * are judged first, so an answer that they have overtaken changes nothing. Answers what is next.
 */
export function recordAnswer(
  deps: RecordDeps,
  scope: Scope,
  about: AnsweredCall,
  answer: BankAnswer,
): Promise<PaymentStep> {
  return deps.db.write(scope, async (tx) => {
    const locked = await lockPayment(tx, scope, about.paymentId);
    if (locked === null) throw new Error(`there is no payment ${about.paymentId} in its scope`);
    const now = deps.clock.now();
    const known = await applyReports(tx, scope, locked, now);
    const attempt = known.attempts.find((one) => one.reference === about.reference);
    if (attempt === undefined) throw new Error(`there is no attempt ${about.reference}`);
    const learnt =
      answer.kind === 'WORD'
        ? await applyWord(deps, tx, scope, { ...known, attempt }, about, answer.word, now)
        : await applyNonWord(deps, tx, scope, { ...known, attempt }, about, answer, now);
    const attempts = known.attempts.map((one) =>
      one.reference === learnt.attempt.reference ? learnt.attempt : one,
    );
    return nextStep({ payment: learnt.payment, attempts }, now, deps.timing);
  });
}

interface KnownAttempt extends PaymentWithAttempts {
  readonly attempt: AttemptRow;
}

interface Learnt {
  readonly payment: PaymentRow;
  readonly attempt: AttemptRow;
}

async function applyWord(
  deps: RecordDeps,
  tx: ScopedTransaction,
  scope: Scope,
  known: KnownAttempt,
  about: AnsweredCall,
  word: TransferReport,
  now: Date,
): Promise<Learnt> {
  const actor = about.to === 'SEND' ? 'bank-answer' : 'bank-asked';
  const judged = await applyReport(tx, scope, known, word, actor, now);
  const { payment } = judged;
  const wasRejected = judged.attempt.phase === 'REJECTED' && known.attempt.phase === 'REJECTED';
  if (wasRejected && isAskedSince(known.attempt, about)) {
    return { payment, attempt: await confirmRejection(tx, scope, judged.attempt, now) };
  }
  return { payment, attempt: await rememberLook(deps, tx, scope, judged.attempt, now) };
}

async function applyNonWord(
  deps: RecordDeps,
  tx: ScopedTransaction,
  scope: Scope,
  known: KnownAttempt,
  about: AnsweredCall,
  answer: Exclude<BankAnswer, { kind: 'WORD' }>,
  now: Date,
): Promise<Learnt> {
  const { payment, attempt } = known;
  if (attempt.phase === 'REJECTED') {
    return { payment, attempt: await hearAgain(deps, tx, scope, attempt, about, answer, now) };
  }
  const isOpen = openAttemptOf(known.attempts)?.reference === attempt.reference;
  // Somebody has sent since: what this call did not learn says nothing about that send.
  if (!isOpen || attempt.sends !== about.sends) return { payment, attempt };
  const next = learn(attempt, about, answer, now, deps.timing);
  await updateAttempt(tx, scope, next, now);
  return { payment: await showUnknown(tx, scope, payment, next, now), attempt: next };
}

/** Asked about a rejected attempt before the next: "never seen" confirms it, silence does not. */
async function hearAgain(
  deps: RecordDeps,
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
  about: AnsweredCall,
  answer: Exclude<BankAnswer, { kind: 'WORD' }>,
  now: Date,
): Promise<AttemptRow> {
  if (answer.kind === 'MISSING' && isAskedSince(attempt, about)) {
    return confirmRejection(tx, scope, attempt, now);
  }
  const next = { ...attempt, nextAskAt: nextAskAt(attempt.askBaseAt, now, deps.timing) };
  await updateAttempt(tx, scope, next, now);
  return next;
}

/** Whether the bank was asked after the last thing learnt: what it said before confirms nothing. */
const isAskedSince = (attempt: AttemptRow, { to, calledAt }: AnsweredCall): boolean =>
  to === 'ASK' && calledAt >= attempt.updatedAt;

async function confirmRejection(
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
  now: Date,
): Promise<AttemptRow> {
  const next = { ...attempt, isRejectionConfirmed: true, nextAskAt: null };
  await updateAttempt(tx, scope, next, now);
  return next;
}

/** The bank knows the transfer and it is not final: sets when it will be asked next. */
async function rememberLook(
  deps: RecordDeps,
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
  now: Date,
): Promise<AttemptRow> {
  if (attempt.phase !== 'ACCEPTED') return attempt;
  const next = {
    ...attempt,
    unknownSince: null,
    missingCount: 0,
    nextAskAt: nextAskAt(attempt.askBaseAt, now, deps.timing),
  };
  await updateAttempt(tx, scope, next, now);
  return next;
}

function learn(
  attempt: AttemptRow,
  about: AnsweredCall,
  answer: Exclude<BankAnswer, { kind: 'WORD' }>,
  now: Date,
  timing: SettlementTiming,
): AttemptRow {
  const { to, calledAt } = about;
  // Found in the middle of a send whose process died: that send ends here, without an answer.
  const endsSend = to === 'SEND' || attempt.phase === 'SENDING';
  // A report may have said ACCEPTED while the send was under way: that is known, silence is not.
  const phase = attempt.phase === 'ACCEPTED' ? 'ACCEPTED' : 'UNKNOWN';
  const askBaseAt = endsSend ? now : attempt.askBaseAt;
  const unclear: AttemptRow = {
    ...attempt,
    phase,
    unknownSince: attempt.unknownSince ?? now,
    // Once a send: an answer that comes after somebody has asked ends one that is counted already.
    fruitlessSends: attempt.fruitlessSends + (attempt.phase === 'SENDING' ? 1 : 0),
    askBaseAt,
    nextAskAt: nextAskAt(askBaseAt, now, timing),
    lastAnswer: 'why' in answer ? answer.why : answer.kind,
  };
  switch (answer.kind) {
    case 'NOT_SENT':
      if (attempt.phase !== 'SENDING') return attempt;
      // A repeated send that did not leave: the bank's two "never seen" still stand.
      return attempt.sends > 1
        ? {
            ...attempt,
            phase: 'UNKNOWN',
            sends: attempt.sends - 1,
            missingCount: MISSING_TO_RESEND,
          }
        : { ...attempt, phase: 'NOT_SENT', unknownSince: null, lastAnswer: answer.why };
    case 'REFUSED':
      return { ...unclear, answeredAt: now, refusedByBank: true };
    case 'ANSWERED_UNCLEARLY':
      return to === 'SEND' ? { ...unclear, answeredAt: now } : unclear;
    case 'SILENCE':
      return unclear;
    case 'MISSING': {
      // Dated by the question: an answer may lie about for a while before it is written down.
      const isFresh = isAskedSince(attempt, about) || attempt.phase === 'SENDING';
      const counts = isFresh && missingCounts({ ...attempt, phase }, calledAt, timing);
      if (!counts) return unclear;
      const missingCount = attempt.missingCount + 1;
      if (missingCount >= MISSING_TO_RESEND) return { ...unclear, missingCount };
      // The second "never seen" only confirms the first: it need not wait as long as an answer might.
      const confirmAt = new Date(now.getTime() + timing.askFirstMs);
      return { ...unclear, missingCount, nextAskAt: confirmAt };
    }
    default:
      return assertNever(answer);
  }
}

/** The first time that nobody knows, the payment says so. */
async function showUnknown(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
  attempt: AttemptRow,
  now: Date,
): Promise<PaymentRow> {
  if (attempt.phase !== 'UNKNOWN' || payment.status !== 'PROCESSING') return payment;
  if (payment.statusDetail === 'OUTCOME_UNKNOWN') return payment;
  const patch = { statusDetail: 'OUTCOME_UNKNOWN', fundsStatus: 'UNKNOWN' } as const;
  return changePayment(tx, scope, payment, { ...patch, actor: 'settle' }, now);
}
