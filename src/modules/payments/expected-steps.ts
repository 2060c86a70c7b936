import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import type { ShownFunding } from '../../domain/onchain/deposits/shown-funding.ts';
import { isOpenPhase, openAttemptOf } from '../../domain/payments/attempt.ts';
import { mayBankKnow } from '../../domain/payments/cancel-rules.ts';
import { isFinal, type StatusDetail } from '../../domain/payments/payment-states.ts';
import { isForOperators } from '../../domain/payments/next-bank-step.ts';
import { isLasting, releaseEndOf } from './release-ends.ts';
import type { TimelineRow, WaitsFor } from './timeline-row.ts';

type Change = Partial<Omit<TimelineRow, 'version' | 'expected' | 'waitsFor'>>;

/**
 * What comes next of a payment, in order: what is waited for, from whom and when, and, where the wait ends
 * by itself, how. Nothing of a payment that nothing changes any more.
 */
export function expectedSteps(
  payment: PaymentRow,
  attempts: readonly AttemptRow[],
  now: Date,
): TimelineRow[] {
  const { status, statusDetail, fundsStatus, reconciliationStatus, finality } = payment;
  const current = { status, statusDetail, fundsStatus, reconciliationStatus, finality };
  const expect = (who: WaitsFor, change: Change): TimelineRow => {
    // No bank pays a wallet.
    const waitsFor = who === 'BANK' && payment.destination.kind === 'WALLET' ? 'NETWORK' : who;
    return { at: null, ...current, ...change, ...{ version: null, expected: true, waitsFor } };
  };
  if (isFinal(status)) return [];
  if (status === 'COMPLETED') return afterCompleted(payment, expect);
  if (status === 'ON_HOLD') return afterHold(payment, attempts, now, expect);
  if (payment.funding?.status === 'AWAITED')
    return afterDeposit(payment.funding, statusDetail, expect);
  const attempt = openAttemptOf(attempts);
  if (statusDetail === 'OUTCOME_UNKNOWN') {
    return [expect('BANK', { at: attempt?.nextAskAt?.toISOString() ?? null })];
  }
  return [
    ...afterWait(payment, attempts, now, expect),
    expect('BANK', DELIVERED),
    ...endOfRate(payment, attempts, now, expect),
  ];
}

/** Its deposit, which makes it as another payment; and how the wait for it ends where it does not come. */
function afterDeposit(
  { expiresAt }: ShownFunding,
  statusDetail: StatusDetail,
  expect: Expect,
): TimelineRow[] {
  const isSeen = statusDetail === 'DEPOSIT_SEEN';
  return [
    expect(isSeen ? 'NETWORK' : 'PARTNER', { statusDetail: 'QUEUED', fundsStatus: 'HELD' }),
    expect('NETWORK', { ...EXPIRED, at: expiresAt }),
  ];
}

const EXPIRED = {
  status: 'EXPIRED',
  statusDetail: 'DEPOSIT_EXPIRED',
  fundsStatus: 'BACK_IN_BALANCE',
  finality: 'FINAL',
} as const;

/** The send, of a payment of which nothing has left: when its rail opens, else as soon as we come to it. */
function afterWait(
  { releaseAt }: PaymentRow,
  attempts: readonly AttemptRow[],
  now: Date,
  expect: Expect,
): TimelineRow[] {
  if (mayBankKnow(attempts)) return [];
  const statusDetail = 'SUBMITTING';
  const isToCome = releaseAt !== null && releaseAt > now;
  return isToCome
    ? [expect('RAIL', { at: releaseAt.toISOString(), statusDetail })]
    : [expect('US', { statusDetail })];
}

const DELIVERED = {
  status: 'COMPLETED',
  statusDetail: 'DELIVERED',
  fundsStatus: 'DELIVERED',
  finality: 'PROVISIONAL',
} as const;

const SENT = { status: 'SENT', statusDetail: 'IN_RAIL', fundsStatus: 'IN_RAIL' } as const;

const CANCELED_BY_PARTNER = {
  status: 'CANCELED',
  statusDetail: 'CANCELED_ON_REQUEST',
  fundsStatus: 'BACK_IN_BALANCE',
  finality: 'FINAL',
} as const;

type Expect = (waitsFor: WaitsFor, change: Change) => TimelineRow;

/** First a statement shows it, then its return window ends; what is contradicted waits for operators. */
function afterCompleted(payment: PaymentRow, expect: Expect): TimelineRow[] {
  const { reconciliationStatus, finality } = payment;
  const finalDueAt = payment.destination.kind === 'BANK' ? payment.finalDueAt : null;
  const isPending = reconciliationStatus === 'PENDING';
  const shown = { reconciliationStatus: 'RECONCILED' };
  const isToBeFinal = finality === 'PROVISIONAL' && reconciliationStatus !== 'EXCEPTION';
  const final = { at: finalDueAt?.toISOString() ?? null, ...shown, finality: 'FINAL' } as const;
  return [
    ...(isPending ? [expect('BANK', shown)] : []),
    ...(isToBeFinal ? [expect('US', final)] : []),
  ];
}

/** The one who must act takes it up again; some holds end by themselves, if nothing of it has left. */
function afterHold(
  payment: PaymentRow,
  attempts: readonly AttemptRow[],
  now: Date,
  expect: Expect,
): TimelineRow[] {
  const { statusDetail, heldSince } = payment;
  const mayHaveLeft = mayBankKnow(attempts);
  // What waits for an operator is judged when they let it go on.
  const rateEnds = isForOperators(statusDetail) ? [] : endOfRate(payment, attempts, now, expect);
  if (statusDetail === 'AWAITING_RATE') return rateEnds;
  if (isLasting(statusDetail) && !mayHaveLeft) {
    return [expect('PARTNER', CANCELED_BY_PARTNER), ...rateEnds];
  }
  // The network's rail has taken it, and has not sent it.
  if (statusDetail === 'AWAITING_LIQUIDITY' || statusDetail === 'SIGNING_STOPPED') {
    return [expect('OPERATOR', SENT), ...endOfRate(payment, [], now, expect)];
  }
  const nextAskAt = openAttemptOf(attempts)?.nextAskAt?.toISOString() ?? null;
  const resumed = isForOperators(statusDetail) ? 'RETRYING' : 'SUBMITTING';
  const next = expect(whoLifts(statusDetail), {
    ...{ at: nextAskAt, status: 'PROCESSING', statusDetail: resumed },
  });
  if (rateEnds.length > 0) return [next, ...rateEnds];
  const end = releaseEndOf(statusDetail, mayHaveLeft);
  if (end === null || heldSince === null || mayHaveLeft) return [next];
  return [
    next,
    expect('US', {
      at: new Date(heldSince.getTime() + end.afterMs).toISOString(),
      status: end.change.status ?? 'FAILED',
      statusDetail: end.change.statusDetail ?? statusDetail,
      ...{ fundsStatus: 'BACK_IN_BALANCE', finality: 'FINAL' as const },
    }),
  ];
}

/** What becomes of one that is not sent while its rate is held: an attempt that may be at the bank is not ended. */
function endOfRate(
  { rateHeldUntil, requoteUntil }: PaymentRow,
  attempts: readonly AttemptRow[],
  now: Date,
  expect: Expect,
): TimelineRow[] {
  const isOut = attempts.some(({ phase }) => isOpenPhase(phase) && phase !== 'NOT_SENT');
  if (rateHeldUntil === null || isOut) return [];
  if (requoteUntil === null || requoteUntil <= rateHeldUntil) {
    return [expect('US', { ...QUOTE_EXPIRED, at: rateHeldUntil.toISOString() })];
  }
  // Over already: it is priced anew once nothing else keeps it from being sent.
  const at = now < rateHeldUntil ? rateHeldUntil.toISOString() : null;
  return [
    expect('US', { status: 'PROCESSING', statusDetail: 'REQUOTED', at }),
    expect('US', { ...QUOTE_EXPIRED, at: requoteUntil.toISOString() }),
  ];
}

const QUOTE_EXPIRED = {
  status: 'FAILED',
  statusDetail: 'QUOTE_EXPIRED',
  fundsStatus: 'BACK_IN_BALANCE',
  finality: 'FINAL',
} as const;

/** Whose act lets a held payment go on. */
function whoLifts(detail: StatusDetail): WaitsFor {
  switch (detail) {
    case 'KYC_WITHDRAWN':
    case 'END_USER_NOT_ACTIVE':
    case 'BANK_ACCOUNT_DISABLED':
    case 'WALLET_NOT_ACTIVE':
    case 'WALLET_NOT_PROVED':
    case 'CUSTOMER_APPROVAL':
      return 'PARTNER';
    default:
      return 'OPERATOR';
  }
}
