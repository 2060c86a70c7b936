import { assertNever } from '../../assert-never.ts';
import type { PaymentState } from '../../payments/payment.ts';
import { applyDeposit, type Funding } from './apply-deposit.ts';
import type { BookedDeposit } from './deposit.ts';
import { amountReceived } from './funding-book.ts';

type Situation = Pick<PaymentState, 'statusDetail' | 'fundsStatus'>;

const AWAITED: Situation = { statusDetail: 'AWAITING_DEPOSIT', fundsStatus: 'AWAITED' };
const ARRIVING: Situation = { statusDetail: 'DEPOSIT_SEEN', fundsStatus: 'ARRIVING' };
const HELD: Situation = { statusDetail: 'QUEUED', fundsStatus: 'HELD' };

const DETAILS: ReadonlySet<string> = new Set([AWAITED.statusDetail, ARRIVING.statusDetail]);
const FUNDS: ReadonlySet<string> = new Set([AWAITED.fundsStatus, ARRIVING.fundsStatus]);

const isShownToWait = ({ statusDetail, fundsStatus }: Situation): boolean =>
  DETAILS.has(statusDetail) || FUNDS.has(fundsStatus);

/**
 * Where a payment stands by its funding and by the deposits to its address. Null where it stands by something
 * else: its funding is complete and that was shown before, or it has ended.
 */
export function situationOf(
  payment: Situation,
  funding: Omit<Funding, 'isSpent'>,
  deposits: readonly BookedDeposit[],
): Situation | null {
  switch (funding.status) {
    case 'HELD':
      return isShownToWait(payment) ? HELD : null;
    case 'AWAITED':
      return isArriving(funding, deposits) ? ARRIVING : AWAITED;
    case 'CLOSED':
      return null;
    default:
      return assertNever(funding.status);
  }
}

/** Whether a block holds something for the payment that is not credited yet. */
function isArriving(
  funding: Omit<Funding, 'isSpent'>,
  deposits: readonly BookedDeposit[],
): boolean {
  const received = amountReceived(deposits);
  return deposits.some(
    (one) =>
      one.status === 'SEEN' &&
      applyDeposit({ ...funding, isSpent: false }, received, one).appliedTo === 'PAYMENT',
  );
}
