import type { PaymentDestination } from './payment-destination.ts';
import { assertNever } from '../assert-never.ts';
import { isOpenPhase, isSettledDownAt, type Attempt } from './attempt.ts';
import { waitOf } from './chain-reports.ts';
import type { Finality } from './finality.ts';
import type { PaymentStatus, StatusDetail } from './payment-states.ts';
import type { ReportSource, TransferReport } from './transfer-report.ts';

/** What a bank's report does to a payment. */
export type ReportEffect =
  | 'MARK_SENT'
  | 'COMPLETE'
  | 'REJECT'
  | 'COMPLETE_AND_RETURN'
  | 'RETURN'
  /** Not believed as it came: the bank is asked, and its answer decides. */
  | 'ASK_FIRST'
  /** Settled, and a return whose amount only the statement can say. */
  | 'COMPLETE_AND_AWAIT_STATEMENT'
  | 'AWAIT_STATEMENT'
  /** The money of a final payment came back: it stays COMPLETED, and operators decide. */
  | 'LATE_RETURN'
  /** Known already, or older than what is known. */
  | 'NOTHING'
  /** Against what is final: nothing moves, an operator must look. */
  | 'CONTRADICTION';

/** What is known when a report arrives. */
interface KnownAtReport {
  readonly payment: {
    readonly status: PaymentStatus;
    readonly statusDetail: StatusDetail;
    readonly destination: Pick<PaymentDestination, 'kind'>;
    readonly finality: Finality;
    readonly hasOpenAttempt: boolean;
  };
  readonly attempt: Attempt;
  readonly source: ReportSource;
  readonly now: Date;
  /** The rail takes charges off what it returns: without an amount nothing can be credited. */
  readonly areReturnsDeducted: boolean;
}

/** By how much a bank's clock may differ from ours before what it dates is not believed. 5 minutes. */
export const BANK_CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * Judges one report of the bank about one attempt. Reports come late, twice and out of order, so each
 * is held against what is known; money moves on a report only from a state in which it has not moved
 * yet. A bank that rejected an attempt and then says that it settled is believed only while nothing
 * else is under way for the payment. A rejection and a return give funds back, so they must be about
 * every send: see `isAboutEverySend`.
 */
export function judgeReport(known: KnownAtReport, report: TransferReport): ReportEffect {
  const { payment, attempt, source } = known;
  const { phase } = attempt;
  const isOpen = isOpenPhase(phase);
  const isByOperators = source.kind === 'OPERATORS';
  const mayStillMove = isUnsettled(payment.status) && (isOpen || !payment.hasOpenAttempt);
  // Nothing of it was sent: whatever the bank says of it, only its answer to a question counts.
  if (phase === 'READY') return 'ASK_FIRST';
  switch (report.status) {
    case 'ACCEPTED': {
      const isNewToIt = phase !== 'ACCEPTED' || !isShown(payment, report);
      if (phase === 'REJECTED') {
        // The bank never said that it rejected it: operators did, and the bank works on it after all.
        if (attempt.confirmedBy !== null) return 'CONTRADICTION';
        return mayStillMove && isAsked(source) ? 'MARK_SENT' : 'NOTHING';
      }
      return mayStillMove && isOpen && isNewToIt ? 'MARK_SENT' : 'NOTHING';
    }
    case 'SETTLED':
      if (phase === 'RETURNED' && settlesRepeatedSend(known)) return 'CONTRADICTION';
      if (phase === 'SETTLED' || phase === 'RETURNED') return 'NOTHING';
      return mayStillMove ? 'COMPLETE' : 'CONTRADICTION';
    case 'REJECTED':
      // Operators end what the bank only rejected for now; to hear it again from the bank is nothing new.
      if (phase === 'REJECTED') return isByOperators && mayStillMove ? 'REJECT' : 'NOTHING';
      if (!mayStillMove || !isOpen) return 'CONTRADICTION';
      return isAboutEverySend(known, report) ? 'REJECT' : 'ASK_FIRST';
    case 'RETURNED': {
      if (phase === 'RETURNED') return 'NOTHING';
      // A statement is the bank's books: what it shows is about every send.
      const isTrusted = source.kind === 'STATEMENT' || isAboutEverySend(known, report);
      // No chain takes charges off: what moved nothing left everything where it was.
      const isDeducted = known.areReturnsDeducted && source.kind !== 'CHAIN';
      const isAmountOpen = report.returnedAmount === null && isDeducted;
      if (payment.status === 'COMPLETED' && phase === 'SETTLED') {
        if (payment.finality === 'FINAL') return 'LATE_RETURN';
        return isAmountOpen || !isTrusted ? 'AWAIT_STATEMENT' : 'RETURN';
      }
      if (!mayStillMove) return 'CONTRADICTION';
      if (!isTrusted && isOpen) return 'ASK_FIRST';
      return isAmountOpen ? 'COMPLETE_AND_AWAIT_STATEMENT' : 'COMPLETE_AND_RETURN';
    }
    default:
      return assertNever(report.status);
  }
}

/**
 * Whether a rejection or a return is about every send of the attempt, the one under way included. The answer to the
 * last send is; the answer to a question is, where the attempt was sent once, or no send can be on its
 * way any more; a callback is only where the attempt was sent once and the bank does not date it
 * before that. Any other may be about an earlier send while a later one moves the money.
 */
function isAboutEverySend(known: KnownAtReport, report: TransferReport): boolean {
  const { attempt, source } = known;
  // They have asked about the payment, and nothing of it is under way: see findConfirmationObstacle.
  if (source.kind === 'OPERATORS') return true;
  if (attempt.phase === 'NOT_SENT') return false;
  switch (source.kind) {
    case 'ANSWER': {
      const { to, sends, calledAt } = source.call;
      if (sends !== attempt.sends) return false;
      const isSentOnce = sends === 1 && !attempt.isRestored;
      return to === 'SEND' || isSentOnce || calledAt >= isSettledDownAt(attempt, source.timing);
    }
    case 'CALLBACK':
      return (
        attempt.sends === 1 &&
        !attempt.isRestored &&
        isDatedWithin(report.at, attempt.sentAt, known.now)
      );
    case 'STATEMENT':
      return false;
    // The outcome of a nonce is that of every transaction that was ever sent for it.
    case 'CHAIN':
      return true;
    default:
      return assertNever(source);
  }
}

/** The last of several sends settled, though the bank said that the money came back: it moved twice. */
const settlesRepeatedSend = ({ attempt, source }: KnownAtReport): boolean =>
  source.kind === 'ANSWER' && source.call.to === 'SEND' && attempt.sends > 1;

function isDatedWithin(at: Date | null, from: Date, to: Date): boolean {
  if (at === null) return true;
  return (
    at.getTime() >= from.getTime() - BANK_CLOCK_TOLERANCE_MS &&
    at.getTime() <= to.getTime() + BANK_CLOCK_TOLERANCE_MS
  );
}

/** Whether the payment already shows what ACCEPTED says: that it is sent or, to a wallet, what it waits for. */
function isShown(
  { status, statusDetail, destination }: KnownAtReport['payment'],
  report: TransferReport,
): boolean {
  if (destination.kind === 'BANK') return status === 'SENT';
  const wait = waitOf(report);
  return wait === null ? status === 'SENT' && statusDetail === 'IN_RAIL' : statusDetail === wait;
}

const isAsked = (source: ReportSource): boolean =>
  source.kind === 'ANSWER' && source.call.to === 'ASK';

const isUnsettled = (status: PaymentStatus): boolean =>
  status === 'PROCESSING' || status === 'ON_HOLD' || status === 'SENT';
