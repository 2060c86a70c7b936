import { isOpenPhase, type AttemptPhase } from './attempt.ts';
import { isForOperators } from './next-bank-step.ts';
import { NETWORK_UNSURE } from './paid-before-restore.ts';
import type { PaymentStatus, StatusDetail } from './payment-states.ts';

/** Why a payment is where it is, as far as operators act on it. */
export type PaymentSituation =
  /** Money of an ended payment came back, and two operators decide who gets it. */
  | 'LATE_RETURN_TO_DECIDE'
  /** The bank says that money came back; no statement shows it yet. */
  | 'LATE_RETURN_NOT_BOOKED'
  /** It is COMPLETED or final, and the bank or a statement says otherwise. */
  | 'ENDED_CONTRADICTED'
  | 'ENDED'
  /** It is open, and the bank or a statement contradicts what is known of it. */
  | 'CONTRADICTED'
  /** A restored payment that a network may have paid. */
  | 'NETWORK_UNSURE'
  /** A restored payment that the bank, a statement, or a network knows under this or another reference. */
  | 'KNOWN_BEFORE_RESTORE'
  /** The bank may have paid it: nobody knows. */
  | 'OUTCOME_UNKNOWN'
  /** The bank has it and has not decided for too long. */
  | 'BANK_UNDECIDED'
  /** The bank rejected each attempt for a reason that may pass. */
  | 'REJECTED_REPEATEDLY'
  /** The bank refuses the order, or never saw it however often it was sent. */
  | 'NOT_TAKEN'
  | 'ENGINE_FAULT'
  /** A transfer over a network is not mined. */
  | 'TRANSFER_STUCK'
  /** A hold that needs no attempt: the detail says why, and the table what lifts it. */
  | 'COMPLIANCE_REVIEW'
  | 'CUSTOMER_SUSPENDED'
  | 'RELEASE_STOPPED'
  | 'CORRIDOR_UNAVAILABLE'
  | 'AWAITING_LIQUIDITY'
  | 'SIGNING_STOPPED'
  | 'AWAITING_RATE'
  | 'TRAVEL_RULE'
  | 'PARTNER_MUST_ACT'
  /** The engine works on it. */
  | 'RETRYING'
  | 'ASKING_BANK'
  | 'MOVING';

/** What an operator can do on the page of a payment. */
export type PaymentAct =
  'RETRY' | 'CONFIRM_SETTLED' | 'CONFIRM_FAILED' | 'SETTLE_LATE_RETURN' | 'VOID_TRANSFER';

/** What is recommended: an act of the engine, or something that an operator does elsewhere. */
export type Recommendation =
  | PaymentAct
  /** Nothing is sent again before the bank has said what became of it. */
  | 'ASK_BANK'
  | 'CHECK_NETWORK'
  | 'DECIDE_REVIEW'
  | 'RESUME_CUSTOMER'
  | 'RESUME_RELEASE'
  | 'OPEN_CORRIDOR'
  | 'FILL_ADDRESS'
  | 'WAIT';

/** An attempt, as far as the advice looks at it. */
export interface AdvisedAttempt {
  readonly phase: AttemptPhase;
  /** What keeps a restored attempt from being sent; null: nothing. */
  readonly heldBy: string | null;
}

export interface AdvisedPayment {
  readonly status: PaymentStatus;
  readonly statusDetail: StatusDetail;
  /** The bank or a statement contradicts what is known. */
  readonly isContradicted: boolean;
  readonly isToWallet: boolean;
  /** It has been SENT for longer than a bank needs. */
  readonly isQuiet: boolean;
  /** Oldest first. */
  readonly attempts: readonly AdvisedAttempt[];
  /** Money that came back after the end and is not decided; isBooked: a statement shows it. */
  readonly lateReturn: { readonly isBooked: boolean } | null;
  /** Its transfer over a network can still be given up. */
  readonly isVoidable: boolean;
}

export interface PaymentAdvice {
  readonly situation: PaymentSituation;
  readonly recommended: Recommendation;
  /** The acts that the engine takes in this state, the recommended one first. */
  readonly acts: readonly PaymentAct[];
}

/** CONFIRM_FAILED is never among them: if the bank pays after all, the payment is paid twice. */
const RECOMMENDED: Readonly<
  Record<PaymentSituation, Exclude<Recommendation, 'CONFIRM_FAILED' | 'CONFIRM_SETTLED'>>
> = {
  LATE_RETURN_TO_DECIDE: 'SETTLE_LATE_RETURN',
  LATE_RETURN_NOT_BOOKED: 'WAIT',
  ENDED_CONTRADICTED: 'ASK_BANK',
  ENDED: 'WAIT',
  CONTRADICTED: 'ASK_BANK',
  NETWORK_UNSURE: 'CHECK_NETWORK',
  KNOWN_BEFORE_RESTORE: 'ASK_BANK',
  OUTCOME_UNKNOWN: 'ASK_BANK',
  BANK_UNDECIDED: 'ASK_BANK',
  REJECTED_REPEATEDLY: 'RETRY',
  NOT_TAKEN: 'RETRY',
  ENGINE_FAULT: 'RETRY',
  TRANSFER_STUCK: 'CHECK_NETWORK',
  COMPLIANCE_REVIEW: 'DECIDE_REVIEW',
  CUSTOMER_SUSPENDED: 'RESUME_CUSTOMER',
  RELEASE_STOPPED: 'RESUME_RELEASE',
  CORRIDOR_UNAVAILABLE: 'OPEN_CORRIDOR',
  AWAITING_LIQUIDITY: 'FILL_ADDRESS',
  SIGNING_STOPPED: 'CHECK_NETWORK',
  AWAITING_RATE: 'WAIT',
  TRAVEL_RULE: 'WAIT',
  PARTNER_MUST_ACT: 'WAIT',
  RETRYING: 'WAIT',
  ASKING_BANK: 'WAIT',
  MOVING: 'WAIT',
};

/**
 * What an operator should do about a payment. It recommends nothing that can pay twice. A retry asks the bank first, and
 * the engine sends the same bytes again only after the bank has said twice that it never saw them; it is not recommended
 * while the bank may have paid. A confirmation is never recommended: only the bank's own word makes one true.
 */
export function advisePayment(payment: AdvisedPayment): PaymentAdvice {
  const situation = situationOf(payment);
  const recommended = RECOMMENDED[situation];
  const acts = actsOn(payment);
  const isFirst = (act: PaymentAct): boolean => act === recommended;
  return {
    situation,
    recommended,
    acts: [...acts.filter(isFirst), ...acts.filter((act) => !isFirst(act))],
  };
}

const ENDED: ReadonlySet<PaymentStatus> = new Set([
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'EXPIRED',
  'RETURNED',
]);

function situationOf(payment: AdvisedPayment): PaymentSituation {
  const { status, statusDetail, isContradicted, lateReturn, attempts } = payment;
  if (lateReturn !== null) {
    return lateReturn.isBooked ? 'LATE_RETURN_TO_DECIDE' : 'LATE_RETURN_NOT_BOOKED';
  }
  if (ENDED.has(status)) return isContradicted ? 'ENDED_CONTRADICTED' : 'ENDED';
  if (isContradicted) return 'CONTRADICTED';
  const heldBy = attempts.find((attempt) => attempt.heldBy !== null)?.heldBy ?? null;
  if (heldBy !== null) {
    return heldBy.startsWith(NETWORK_UNSURE) ? 'NETWORK_UNSURE' : 'KNOWN_BEFORE_RESTORE';
  }
  if (status === 'ON_HOLD') return situationOfHold(payment);
  const isInDoubt = statusDetail === 'OUTCOME_UNKNOWN' || openOf(payment)?.phase === 'UNKNOWN';
  if (isInDoubt && !payment.isToWallet) return 'ASKING_BANK';
  if (status !== 'SENT' || !payment.isQuiet) return 'MOVING';
  return payment.isToWallet ? 'TRANSFER_STUCK' : 'BANK_UNDECIDED';
}

function situationOfHold(payment: AdvisedPayment): PaymentSituation {
  const { statusDetail, isToWallet } = payment;
  switch (statusDetail) {
    case 'STALLED':
      return isToWallet ? 'TRANSFER_STUCK' : stalled(payment);
    case 'SETTLEMENT_FAILED':
      return settlementFailed(payment);
    case 'ENGINE_FAULT':
    case 'COMPLIANCE_REVIEW':
    case 'CUSTOMER_SUSPENDED':
    case 'RELEASE_STOPPED':
    case 'CORRIDOR_UNAVAILABLE':
    case 'AWAITING_LIQUIDITY':
    case 'SIGNING_STOPPED':
    case 'AWAITING_RATE':
    case 'TRAVEL_RULE':
    case 'RETRYING':
      return statusDetail;
    case 'KYC_WITHDRAWN':
    case 'END_USER_NOT_ACTIVE':
    case 'BANK_ACCOUNT_DISABLED':
    case 'WALLET_NOT_ACTIVE':
    case 'WALLET_NOT_PROVED':
    case 'CUSTOMER_APPROVAL':
      return 'PARTNER_MUST_ACT';
    default:
      // No other hold is known. Nothing is recommended that moves money.
      return openOf(payment) === null ? 'MOVING' : 'OUTCOME_UNKNOWN';
  }
}

const openOf = ({ attempts }: AdvisedPayment): AdvisedAttempt | null =>
  attempts.find(({ phase }) => isOpenPhase(phase)) ?? null;

const stalled = (payment: AdvisedPayment): PaymentSituation =>
  openOf(payment)?.phase === 'ACCEPTED' ? 'BANK_UNDECIDED' : 'OUTCOME_UNKNOWN';

/** Without an open attempt the bank has rejected the last one, or nothing of it left. */
function settlementFailed(payment: AdvisedPayment): PaymentSituation {
  const open = openOf(payment);
  if (open === null) {
    return payment.attempts.at(-1)?.phase === 'REJECTED' ? 'REJECTED_REPEATEDLY' : 'NOT_TAKEN';
  }
  return open.phase === 'ACCEPTED' ? 'BANK_UNDECIDED' : 'NOT_TAKEN';
}

/** What the engine takes in this state; it checks again when the act is done. */
function actsOn(payment: AdvisedPayment): PaymentAct[] {
  const { status, statusDetail, isContradicted, isToWallet, attempts, lateReturn } = payment;
  const isHeld = status === 'ON_HOLD' && isForOperators(statusDetail);
  // What became of a payment to a wallet is not for operators to say: what is mined decides.
  const isUnsettled = !isToWallet && attempts.length > 0 && (isHeld || status === 'SENT');
  return [
    ...(isHeld && !isContradicted ? (['RETRY'] as const) : []),
    ...(isUnsettled ? (['CONFIRM_SETTLED'] as const) : []),
    // Refused while the bank has said that it paid.
    ...(isUnsettled && !isContradicted ? (['CONFIRM_FAILED'] as const) : []),
    ...(lateReturn?.isBooked === true ? (['SETTLE_LATE_RETURN'] as const) : []),
    ...(payment.isVoidable ? (['VOID_TRANSFER'] as const) : []),
  ];
}
