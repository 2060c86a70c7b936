import type {
  PaymentAdvice,
  PaymentSituation,
  Recommendation,
} from '../../../../domain/payments/payment-advice.ts';
import { releaseEndOf } from '../../../../modules/payments/release-ends.ts';
import type { StatusDetail } from '../../../../domain/payments/payment-states.ts';
import { durationWords } from '../../../kit/duration-words.ts';
import { statusWords } from '../../../kit/words/payment-status.ts';
import { moment } from '../../parts/moments.ts';
import type { Step } from '../../parts/what-to-do.tsx';
import { detailWordsOf } from '../../words/payment-detail-words.ts';

/** What the words of the first sentences are made from. */
export interface LeadFacts {
  readonly advice: PaymentAdvice;
  readonly status: string;
  readonly statusDetail: string;
  readonly heldSince: Date | null;
  readonly releaseAt: Date | null;
  /** When the engine asks the bank again; null: it does not. */
  readonly nextAskAt: Date | null;
  /** The bank may know of the payment. */
  readonly mayHaveLeft: boolean;
  readonly isToWallet: boolean;
  readonly now: Date;
}

const utc = (at: Date): string => `${moment(at)} UTC`;

/** Where a payment stands, why, and what the engine does next and when, or whom it waits for. */
export function leadOf(facts: LeadFacts): readonly string[] {
  return [stands(facts), WHY[facts.advice.situation](facts), nextOf(facts)].filter(
    (sentence) => sentence !== '',
  );
}

function stands({ status, statusDetail, heldSince, now }: LeadFacts): string {
  const { sentence } = detailWordsOf(statusDetail);
  const isHeld = status === 'ON_HOLD' && heldSince !== null;
  const since = isHeld
    ? `The payment has been on hold for ${durationWords(now.getTime() - heldSince.getTime())}.`
    : `The payment is ${statusWords(status).text.toLowerCase()}.`;
  return `${since} ${sentence}`;
}

type Words = (facts: LeadFacts) => string;
const none: Words = () => '';
const text =
  (sentence: string): Words =>
  () =>
    sentence;
const who = ({ isToWallet }: LeadFacts): string => (isToWallet ? 'The network' : 'The bank');

/** What the situation adds to the words of the detail. */
const WHY: Readonly<Record<PaymentSituation, Words>> = {
  LATE_RETURN_TO_DECIDE: text(
    'Its money came back after the payment ended, and the money is in suspense.',
  ),
  LATE_RETURN_NOT_BOOKED: text(
    'The bank says that its money came back after the payment ended. No statement shows the money yet.',
  ),
  ENDED_CONTRADICTED: text(
    'The bank or a statement says otherwise. Both cannot be true, and only the bank can tell which is.',
  ),
  ENDED: none,
  CONTRADICTED: text(
    'The bank or a statement contradicts what the engine knows. The engine sends nothing more for this payment, because that could pay twice.',
  ),
  NETWORK_UNSURE: text(
    'The database was restored, and a network may have paid it before. The engine does not send it before that is known.',
  ),
  KNOWN_BEFORE_RESTORE: text(
    'The database was restored, and the payment may have been sent before. The engine does not send it again.',
  ),
  OUTCOME_UNKNOWN: (facts) => `${who(facts)} may have paid it.`,
  BANK_UNDECIDED: text('The bank has it, but has neither paid nor rejected it for too long.'),
  REJECTED_REPEATEDLY: text('The bank rejected every attempt for a reason that may pass.'),
  NOT_TAKEN: none,
  ENGINE_FAULT: none,
  TRANSFER_STUCK: text('The network has not mined its transaction.'),
  COMPLIANCE_REVIEW: none,
  CUSTOMER_SUSPENDED: none,
  RELEASE_STOPPED: none,
  CORRIDOR_UNAVAILABLE: none,
  AWAITING_LIQUIDITY: none,
  SIGNING_STOPPED: none,
  AWAITING_RATE: none,
  TRAVEL_RULE: none,
  PARTNER_MUST_ACT: none,
  RETRYING: none,
  ASKING_BANK: text('The bank may have it or may have lost it.'),
  MOVING: none,
};

/** What the engine does next and when, or whom the payment waits for. */
function nextOf(facts: LeadFacts): string {
  const { advice, nextAskAt, now } = facts;
  const asks =
    nextAskAt === null || facts.isToWallet
      ? ''
      : nextAskAt > now
        ? `The engine asks the bank about it again at ${utc(nextAskAt)}.`
        : 'The engine is about to ask the bank about it again.';
  return [NEXT[advice.situation](facts), asks, endOf(facts)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const OPERATOR = text('It waits for an operator.');

const NEXT: Readonly<Record<PaymentSituation, Words>> = {
  LATE_RETURN_TO_DECIDE: text('It waits for two operators to decide who gets the money.'),
  LATE_RETURN_NOT_BOOKED: text('The engine waits for the statement that shows the money.'),
  ENDED_CONTRADICTED: OPERATOR,
  ENDED: ({ status }) =>
    status === 'COMPLETED' ? 'Nothing needs to be done.' : 'Nothing more happens to it.',
  CONTRADICTED: OPERATOR,
  NETWORK_UNSURE: text(
    'It continues on its own once every hot address of the network is open or given up.',
  ),
  KNOWN_BEFORE_RESTORE: OPERATOR,
  OUTCOME_UNKNOWN: OPERATOR,
  BANK_UNDECIDED: OPERATOR,
  REJECTED_REPEATEDLY: OPERATOR,
  NOT_TAKEN: OPERATOR,
  ENGINE_FAULT: OPERATOR,
  TRANSFER_STUCK: OPERATOR,
  COMPLIANCE_REVIEW: text('It waits for an operator to decide the review.'),
  CUSTOMER_SUSPENDED: text('It continues on its own when the customer is resumed.'),
  RELEASE_STOPPED: text('It continues on its own when release is resumed.'),
  CORRIDOR_UNAVAILABLE: text('It continues on its own when the corridor is open again.'),
  AWAITING_LIQUIDITY: text('It continues on its own when a hot address has enough.'),
  SIGNING_STOPPED: text(
    'It continues on its own when a hot address is thawed, or when an hour’s amount is free again.',
  ),
  AWAITING_RATE: text(
    'It continues on its own when a rate is within its maximum, and fails 24 hours after its first rate. The partner can cancel it.',
  ),
  TRAVEL_RULE: text('The engine asks the provider again. You do not need to do anything.'),
  PARTNER_MUST_ACT: ({ statusDetail }) => PARTNER_NEXT[statusDetail] ?? 'It waits for the partner.',
  RETRYING: text('The engine continues on its own. You do not need to do anything.'),
  ASKING_BANK: text(
    'The engine does not send it again before it knows the outcome. You do not need to do anything.',
  ),
  MOVING: ({ releaseAt, now }) =>
    releaseAt !== null && releaseAt > now
      ? `The engine sends it after ${utc(releaseAt)}.`
      : 'The engine continues on its own. You do not need to do anything.',
};

const PARTNER_NEXT: Readonly<Record<string, string>> = {
  KYC_WITHDRAWN:
    'It continues on its own when the end-user’s KYC is approved again. The partner can cancel it.',
  END_USER_NOT_ACTIVE:
    'It continues on its own when the end-user is active again. The partner can cancel it.',
  BANK_ACCOUNT_DISABLED:
    'A disabled account stays disabled. The partner has to cancel the payment.',
  WALLET_NOT_ACTIVE: 'A disabled wallet stays disabled. The partner has to cancel the payment.',
  CUSTOMER_APPROVAL:
    'It continues on its own when a user of the partner approves it in the dashboard. The partner can cancel it.',
  WALLET_NOT_PROVED:
    'It continues on its own when the partner proves the ownership of the wallet. The partner can cancel it.',
};

/** When the hold ends by itself: the payment fails then, unless the bank may have it. */
function endOf({ status, statusDetail, heldSince, mayHaveLeft, advice }: LeadFacts): string {
  if (status !== 'ON_HOLD' || heldSince === null || mayHaveLeft) return '';
  const isOfHold = ['COMPLIANCE_REVIEW', 'TRAVEL_RULE', 'PARTNER_MUST_ACT'].includes(
    advice.situation,
  );
  const end = isOfHold ? releaseEndOf(statusDetail as StatusDetail, false) : null;
  return end === null
    ? ''
    : `If nothing changes by ${utc(new Date(heldSince.getTime() + end.afterMs))}, the payment fails and its funds go back to the customer.`;
}

/** What is said before an act's own words, where it is recommended. */
export const RECOMMENDED_WHY: Readonly<Partial<Record<PaymentSituation, string>>> = {
  REJECTED_REPEATEDLY:
    'First ask the bank whether the cause is gone. Do not retry while the bank still rejects payments for it: the payment ends here again.',
  NOT_TAKEN:
    'First remove the cause at the bank: credentials, permissions, or a connection that loses orders. Do not retry before that: the payment ends here again.',
  ENGINE_FAULT:
    'First find “activity failed” with this workflow ID in the worker’s log, and fix the cause. Do not retry before that: the payment ends here again.',
  LATE_RETURN_TO_DECIDE:
    'Credit the customer only if the money is on the statement and no other line contradicts it.',
};

type Elsewhere = Exclude<
  Recommendation,
  'RETRY' | 'CONFIRM_SETTLED' | 'CONFIRM_FAILED' | 'SETTLE_LATE_RETURN' | 'VOID_TRANSFER'
>;

/** What is recommended and is no act on the payment. Null: there is nothing to do. */
const ELSEWHERE: Readonly<Record<Elsewhere, Omit<Step, 'right' | 'href'> | null>> = {
  ASK_BANK: {
    title: 'Ask the bank, and do not send the payment again',
    about:
      'Ask the bank by telephone or message what happened to the payment with our reference. Wait for the answer in writing. Then confirm below what the bank says. Do not pay the beneficiary in another way meanwhile: if the bank has paid, the money is paid twice.',
  },
  CHECK_NETWORK: {
    title: 'Check the network, and do not send the payment again',
    about:
      'Check that the network is not stopped, that its hot addresses are open, and that its fee cap is high enough. Waiting cannot pay twice. Do not send from a hot address by hand.',
  },
  DECIDE_REVIEW: {
    title: 'Decide the review',
    about:
      'Compare the party with the entry of the list. A refusal takes one operator, a release takes two. Do not release before you have compared the names.',
  },
  RESUME_CUSTOMER: {
    title: 'Look at the customer',
    about:
      'Find out why the customer is suspended. Resume the customer only when that reason is gone: all of its payments continue then.',
  },
  RESUME_RELEASE: {
    title: 'Look at the stop',
    about:
      'Find out why release was stopped. Resume it only when that reason is gone: every payment that the stop holds is sent then.',
  },
  OPEN_CORRIDOR: {
    title: 'Open the corridor',
    about:
      'Change the corridor file and restart the workers. Leave it closed while the bank or the country does not accept payments.',
  },
  FILL_ADDRESS: {
    title: 'Fill up a hot address',
    about:
      'First search the log of the chain process for TOKEN_REFUSES. If it is there, the issuer has paused the token or frozen the address: do not send anything to it. If it is not, send the asset to a hot address of the network.',
  },
  WAIT: null,
};

const HREFS: Readonly<Partial<Record<Elsewhere, (customerId: string) => string>>> = {
  DECIDE_REVIEW: () => '/reviews',
  RESUME_CUSTOMER: (customerId) => `/customers/${customerId}`,
  RESUME_RELEASE: () => '/release',
  CHECK_NETWORK: () => '/release?show=stopped-networks',
};

/** The recommended step where it is no act on the payment; null where there is nothing to do. */
export function stepElsewhere(recommended: Recommendation, customerId: string): Step | null {
  if (!Object.hasOwn(ELSEWHERE, recommended)) return null;
  const words = ELSEWHERE[recommended as Elsewhere];
  const href = HREFS[recommended as Elsewhere]?.(customerId) ?? null;
  return words === null ? null : { ...words, href, right: 'see' };
}
