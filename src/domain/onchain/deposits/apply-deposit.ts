import type { Network } from '../network.ts';
import type { Application, BookedDeposit, DepositReason } from './deposit.ts';

/**
 * AWAITED: less than is due is credited, and it is in `pending`. HELD: all that is due is credited, and is
 * reserved for the payment. CLOSED: the payment ended before it was complete.
 */
export type FundingStatus = 'AWAITED' | 'HELD' | 'CLOSED';

/** What a payment that deposits pay for waits for. */
export interface Funding {
  readonly asset: string;
  readonly network: Network;
  /** Source amount and fees of the payment, minor units. */
  readonly amountDue: bigint;
  /** A deposit is in time whose block's timestamp is not after it, however late it confirms. */
  readonly expiresAt: Date;
  readonly status: FundingStatus;
  /**
   * Whether what was held has been handed to the payment's rail, or the payment has ended: then nothing
   * that is reserved may be taken back.
   */
  readonly isSpent: boolean;
}

/** An address that is no payment's: what comes to it is the customer's. */
export interface StandingAddress {
  readonly status: null;
  /** Minor units; less is in the balance too, and told. */
  readonly minAmount: bigint;
}

type Arrived = Pick<BookedDeposit, 'asset' | 'network' | 'amount' | 'blockAt'>;

const toBalance = (reason: DepositReason | null): Application => ({
  appliedTo: 'BALANCE',
  reason,
  toPayment: 0n,
});

/**
 * Where a deposit to a payment's address goes. `received`: minor units that other deposits have brought to
 * the payment. What the payment cannot take is the customer's, in the asset that came.
 */
export function applyDeposit(funding: Funding, received: bigint, deposit: Arrived): Application {
  if (deposit.network !== funding.network) return toBalance('WRONG_NETWORK');
  if (deposit.asset !== funding.asset) return toBalance('WRONG_ASSET');
  if (deposit.blockAt > funding.expiresAt || funding.status === 'CLOSED') return toBalance('LATE');
  const missing = funding.status === 'AWAITED' ? funding.amountDue - received : 0n;
  if (missing <= 0n) return toBalance('SURPLUS');
  return deposit.amount > missing
    ? { appliedTo: 'PAYMENT', reason: 'SURPLUS', toPayment: missing }
    : { appliedTo: 'PAYMENT', reason: null, toPayment: deposit.amount };
}

/** Where a deposit to a standing address goes: the customer's balance. */
export const applyToAddress = (
  { minAmount }: StandingAddress,
  { amount }: Pick<Arrived, 'amount'>,
): Application => toBalance(amount < minAmount ? 'BELOW_MINIMUM' : null);
