import { closeFunding } from '../../domain/onchain/deposits/funding-book.ts';
import { takeBookStep } from '../ledger/funding/take-book-step.ts';
import type { LockedPayment } from './locked-payment.ts';

/**
 * A locked payment ends, in this transaction: what deposits have brought in part goes to the balance, and what comes
 * from now on too. Nothing where a deposit is not waited for.
 */
export async function closeDeposits({ tx, scope, book, now }: LockedPayment): Promise<void> {
  const step = book === null ? null : closeFunding(book.book);
  if (book !== null && step !== null) await takeBookStep(tx, scope, book, step, now);
}
