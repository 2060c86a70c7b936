import type { OperatorRight } from '../customers/access/operator-rights.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What a payment may take whose corridor promises no arrival, in ms: a long weekend. */
export const UNPROMISED_MS = 4 * DAY_MS;

/** When something has waited too long, and who is told. */
interface Overdue {
  /** What waits, in our words. */
  readonly what: string;
  /** How long it may wait, in ms; with `isPromised`, this long after the promised arrival. */
  readonly afterMs: number;
  /** Whether the time counts from the arrival that the corridor promises. */
  readonly isPromised?: true;
  /** Operators with this right receive the mail. */
  readonly right: OperatorRight;
  /** The console page that lists it. */
  readonly path: string;
}

const ofPayments = { right: 'decide-payments' } as const;
const ofStatements = { right: 'decide-reconciliation', path: '/reconciliation' } as const;
const ofReviews = { right: 'decide-reviews' } as const;

/**
 * What of live an operator hears of once it has waited too long, by kind: the one table. The check, the metric and the
 * table of docs/how-to/operate.md are made from it.
 */
export const OVERDUE = {
  PAYMENT_QUIET: {
    ...ofPayments,
    what: 'Payments in PROCESSING without news',
    ...{ afterMs: HOUR_MS, path: '/payments' },
  },
  PAYMENT_LATE: {
    ...ofPayments,
    what: 'Payments in SENT after their promised arrival',
    ...{ afterMs: HOUR_MS, isPromised: true, path: '/payments' },
  },
  PAYMENT_HELD_BY_RAIL: {
    ...ofPayments,
    what: 'Payments on hold for liquidity, a network or a corridor',
    ...{ afterMs: HOUR_MS, path: '/payments?show=held' },
  },
  PAYMENT_HELD: {
    ...ofPayments,
    what: 'Payments on hold for a customer, a review or a stop',
    ...{ afterMs: DAY_MS, path: '/payments?show=held' },
  },
  PAYMENT_UNRECONCILED: {
    ...ofPayments,
    what: 'Payments that no statement confirms',
    ...{ afterMs: 5 * DAY_MS, path: '/reconciliation' },
  },
  PAYMENT_NOT_FINAL: {
    ...ofPayments,
    what: 'Payments not final after their return window',
    ...{ afterMs: DAY_MS, path: '/payments' },
  },
  LATE_RETURN: { ...ofStatements, what: 'Late returns', afterMs: HOUR_MS },
  CREDIT_UNMATCHED: {
    ...ofStatements,
    what: 'Incoming credits that belong to no customer',
    afterMs: HOUR_MS,
  },
  LINE_EXCEPTION: {
    ...ofStatements,
    what: 'Statement lines that no payment explains',
    afterMs: HOUR_MS,
  },
  STATEMENT_UNREAD: { ...ofStatements, what: 'Statements not reconciled', afterMs: DAY_MS },
  STATEMENT_REFUSED: {
    ...ofStatements,
    what: 'Statements refused or unreadable',
    afterMs: HOUR_MS,
  },
  BATCH_RUNNING: {
    ...ofPayments,
    what: 'Payment batches still running',
    ...{ afterMs: HOUR_MS, path: '/payments' },
  },
  RELEASE_STOP: {
    ...ofPayments,
    what: 'Release stops still active',
    ...{ afterMs: DAY_MS, path: '/release' },
  },
  TRANSFER_WAITING: {
    ...ofPayments,
    what: 'On-chain transfers that no block confirms',
    ...{ afterMs: HOUR_MS, path: '/payments' },
  },
  TRANSFER_NOT_FINAL: {
    ...ofPayments,
    what: 'On-chain transfers in a block that is not final',
    ...{ afterMs: 6 * HOUR_MS, path: '/payments' },
  },
  DEPOSIT_NOT_FINAL: {
    ...ofPayments,
    what: 'Deposits in a block that is not final',
    ...{ afterMs: 6 * HOUR_MS, path: '/payments' },
  },
  DEPOSIT_SET_ASIDE: {
    ...ofPayments,
    what: 'Deposits that were set aside',
    ...{ afterMs: HOUR_MS, path: '/' },
  },
  SIGNER_ACCOUNT_FROZEN: {
    ...ofPayments,
    what: 'Hot addresses that are frozen',
    ...{ afterMs: 0, path: '/' },
  },
  LOW_GAS: {
    ...ofPayments,
    what: 'Hot addresses that are low on gas',
    ...{ afterMs: 0, path: '/' },
  },
  SCREENING_CASE: {
    ...ofReviews,
    what: 'Screening hits',
    ...{ afterMs: HOUR_MS, path: '/reviews?show=screening' },
  },
  KYC_IN_REVIEW: {
    ...ofReviews,
    what: 'KYC checks at the provider',
    ...{ afterMs: 3 * DAY_MS, path: '/' },
  },
  KYC_UNANSWERED: {
    ...ofReviews,
    what: 'KYC checks that wait for the end-user',
    ...{ afterMs: 30 * DAY_MS, path: '/' },
  },
  APPROVAL_WAITING: {
    ...{ what: 'Approvals without a decision', right: 'decide-approvals' },
    ...{ afterMs: DAY_MS, path: '/approvals' },
  },
  APPROVAL_NOT_IN_EFFECT: {
    ...{ what: 'Approvals that have not taken effect', right: 'decide-approvals' },
    ...{ afterMs: HOUR_MS, path: '/approvals?state=NOT_IN_EFFECT' },
  },
  ENDPOINT_DISABLED: {
    ...ofPayments,
    what: 'Webhook endpoints disabled because they fail',
    ...{ afterMs: DAY_MS, path: '/customers' },
  },
} as const satisfies Readonly<Record<string, Overdue>>;

export type OverdueKind = keyof typeof OVERDUE;

export const OVERDUE_KINDS = Object.keys(OVERDUE) as readonly OverdueKind[];
