import { assertNever } from '../assert-never.ts';
import type { PaymentStatus } from './payment-states.ts';

/** What a bank says of a transfer, whichever way: answer, question, callback or statement. */
export interface TransferReport {
  readonly status: 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';
  readonly bankReference: string | null;
  readonly reason: string | null;
  /** What came back, in minor units; null where the bank did not say: all of it. */
  readonly returnedAmount?: bigint | null;
}

export type AttemptPhase =
  'SENDING' | 'NOT_SENT' | 'UNKNOWN' | 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';

/** What a bank's word does to a payment. */
export type ReportEffect =
  | 'MARK_SENT'
  | 'COMPLETE'
  | 'REJECT'
  | 'COMPLETE_AND_RETURN'
  | 'RETURN'
  /** Known already, or older than what is known. */
  | 'NOTHING'
  /** Against what is final: nothing moves, a human must look. */
  | 'CONTRADICTION';

/** What is known when a word arrives. */
export interface KnownOfAttempt {
  readonly payment: PaymentStatus;
  readonly phase: AttemptPhase;
  /** Whether any attempt of the payment may still move money. */
  readonly hasOpenAttempt: boolean;
  /** It answers a question of ours, so it is no older word that comes late. */
  readonly isAnswer: boolean;
}

/**
 * Judges one word of the bank about one attempt. Words come late, twice and out of order, so each is
 * held against what is known; money moves on a word only from a state in which it has not moved yet.
 * A bank that rejected an attempt and then says that it settled is believed only while nothing else
 * is under way for the payment.
 */
export function judgeTransferReport(
  known: KnownOfAttempt,
  word: TransferReport['status'],
): ReportEffect {
  const { payment, phase } = known;
  const mayStillMove = isOpenPayment(payment) && (isOpen(phase) || !known.hasOpenAttempt);
  switch (word) {
    case 'ACCEPTED':
      if (phase === 'REJECTED') return mayStillMove && known.isAnswer ? 'MARK_SENT' : 'NOTHING';
      return mayStillMove && isOpen(phase) && (phase !== 'ACCEPTED' || payment !== 'SENT')
        ? 'MARK_SENT'
        : 'NOTHING';
    case 'SETTLED':
      if (phase === 'SETTLED' || phase === 'RETURNED') return 'NOTHING';
      return mayStillMove ? 'COMPLETE' : 'CONTRADICTION';
    case 'REJECTED':
      if (phase === 'REJECTED') return 'NOTHING';
      return mayStillMove && isOpen(phase) ? 'REJECT' : 'CONTRADICTION';
    case 'RETURNED':
      if (phase === 'RETURNED') return 'NOTHING';
      if (payment === 'COMPLETED' && phase === 'SETTLED') return 'RETURN';
      return mayStillMove ? 'COMPLETE_AND_RETURN' : 'CONTRADICTION';
    default:
      return assertNever(word);
  }
}

const isOpen = (phase: AttemptPhase): boolean =>
  phase === 'SENDING' || phase === 'NOT_SENT' || phase === 'UNKNOWN' || phase === 'ACCEPTED';

const isOpenPayment = (status: PaymentStatus): boolean =>
  status === 'PROCESSING' || status === 'ON_HOLD' || status === 'SENT';

/** ISO 20022 external status reason codes and our contract's words that a later try may not meet. */
const RETRYABLE_REASONS: ReadonlySet<string> = new Set([
  'BANK_UNAVAILABLE',
  'TEMPORARILY_UNAVAILABLE',
  'RAIL_UNAVAILABLE',
  'AB05',
  'AB06',
  'AB07',
  'AB08',
]);

/** Whether another attempt may succeed where the bank rejected this one for the reason given. */
export function isRetryableReason(reason: string | null): boolean {
  return reason !== null && RETRYABLE_REASONS.has(reason);
}
