import type { ScopedTransaction } from '../../../db/client/database.ts';
import { lockDepositAddress } from '../../../db/parties/deposit-address-store.ts';
import {
  lockDeposit,
  lockDepositsOf,
  type DepositOwner,
  type DepositRow,
} from '../../../db/onchain/deposit-store.ts';
import { lockFunding, type FundingRow } from '../../../db/payments/payment-funding-store.ts';
import { lockPayments, type PaymentRow } from '../../../db/payments/payment-store.ts';
import { readAttempts, type AttemptRow } from '../../../db/payments/settlement-attempt-store.ts';
import type { FundingBook } from '../../../domain/onchain/deposits/funding-book.ts';
import { isSettledOrFinal } from '../../../domain/payments/payment-states.ts';
import type { Scope } from '../../../domain/scope.ts';

/** A book whose rows this transaction holds, as they are now. */
export interface LockedBook {
  /** Null where it is a standing address's. */
  readonly payment: PaymentRow | null;
  /** The same. */
  readonly funding: FundingRow | null;
  readonly book: FundingBook;
  /** Those of the book, as stored. */
  readonly rows: readonly DepositRow[];
}

/** Which book: a payment's with its deposits that count, or a standing address's with one. */
type BookKey = DepositOwner & {
  /** Null: a payment's book, with the deposits that are not decided. */
  readonly depositId: string | null;
};

/**
 * The one way to deposits that are to be changed: the payment's lock first, then its funding's and its
 * deposits', or those of the standing address and the deposit. Throws where the scope has no such owner.
 */
export async function lockBook(
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, depositAddressId, depositId }: BookKey,
): Promise<LockedBook> {
  if (paymentId === null) {
    const address = await lockDepositAddress(tx, scope, depositAddressId);
    if (address === null) throw new Error(`there is no address ${depositAddressId} in its scope`);
    const row = depositId === null ? null : await lockDeposit(tx, scope, depositId);
    const rows = row === null ? [] : [row];
    const funding = { status: null, minAmount: address.minAmount };
    return { payment: null, funding: null, book: { funding, deposits: rows }, rows };
  }
  const [payment] = await lockPayments(tx, scope, [paymentId]);
  const funding = await lockFunding(tx, scope, paymentId);
  if (payment === undefined || funding === null) {
    throw new Error(`there is no payment ${paymentId} that waits for deposits in its scope`);
  }
  const rows = await lockDepositsOf(tx, scope, paymentId, depositId);
  const attempts = await readAttempts(tx, scope, paymentId);
  const book = { funding: { ...funding, isSpent: isSpent(payment, attempts) }, deposits: rows };
  return { payment, funding, book, rows };
}

/**
 * Whether what was held may have left, or is the customer's again: nothing reserved is taken back then. What the row
 * says of its attempts is as of the statement's beginning, they are as of the lock.
 */
const isSpent = ({ status, mayHaveLeft }: PaymentRow, attempts: readonly AttemptRow[]): boolean =>
  isSettledOrFinal(status) || mayHaveLeft || attempts.some(({ phase }) => phase !== 'READY');
