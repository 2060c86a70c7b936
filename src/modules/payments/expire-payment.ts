import { readFinalCursor } from '../../db/onchain/chain-cursor-store.ts';
import { mayChainHavePaid } from '../../db/onchain/foreign-transaction-store.ts';
import { findPaidBeforeRestore } from '../../db/operations/paid-before-restore-store.ts';
import { lockReleaseShared } from '../../db/operations/release-stop-store.ts';
import { mayPredateRestore } from '../../db/operations/restore-mode-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { expiryOf, mayBeCompleted } from '../../domain/onchain/deposits/funding-book.ts';
import { reasonNamed } from '../../domain/payments/failures/rail-reasons.ts';
import { isPaidBefore, NOT_PAID_BEFORE } from '../../domain/payments/paid-before-restore.ts';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import { changePayment } from './change-payment.ts';
import { closeDeposits } from './close-deposits.ts';
import type { LockedPayment } from './locked-payment.ts';
import { mayHaveLeftUnseen } from './may-have-left-unseen.ts';

const FAILURES = {
  DEPOSIT_EXPIRED: 'deposit_expired',
  DEPOSIT_UNDERPAID: 'deposit_underpaid',
} as const;

/** NOT_YET: it is looked at again. ASK_RAILS: they must say first that none has paid it. SEEN: one may have. */
export type Expiry = 'EXPIRED' | 'NOT_YET' | 'ASK_RAILS' | 'SEEN';

/** What is known of a payment whose time is over, beside its rows. */
export interface ExpiryInput {
  readonly timing: Pick<SettlementTiming, 'missingAfterMs'>;
  /** Under which a database before a restore would have sent it first. */
  readonly reference: string;
  /** Its rails have said that none has paid it, now and before. */
  readonly isNotPaid: boolean;
}

/**
 * Ends a payment that was not paid for in time: what came of it goes to the balance. Not yet while a deposit in time
 * may still be found: its network is not read far enough where nothing changes any more, a sender is looked up (by a
 * quote for an hour at most), or the database is being restored and may have lost one.
 *
 * The database before a restore may have sent it, paid for by the same deposits: the same order, or one that cost less.
 * What would complete it is waited for, and then its rail is asked as before any send. Else it ends only after all
 * rails said that they have not paid it, also where nothing came: what came before the restore may be found later.
 */
export async function expirePayment(
  locked: LockedPayment,
  { timing, reference, isNotPaid }: ExpiryInput,
): Promise<Expiry> {
  const { tx, payment, book, now } = locked;
  if (book === null || payment.funding === null) return 'NOT_YET';
  const { environment, destination } = payment;
  const { network } = payment.funding;
  // The funding is locked: no deposit to it is SEEN, or SEEN again, between the look at its deposits and this one.
  const final = await readFinalCursor(tx, { environment, network });
  const { funding, deposits } = book.book;
  if (final === null || funding.status === null) return 'NOT_YET';
  const statusDetail = expiryOf({ funding, deposits }, final.at, payment.quoteId !== null);
  if (statusDetail === null) return 'NOT_YET';
  // As for a cancel: restore mode may be beginning. Some time after its end, what a rail says is of all sends.
  await lockReleaseShared(tx);
  const since = new Date(now.getTime() - timing.missingAfterMs);
  if (await mayPredateRestore(tx, since)) return 'NOT_YET';
  if (await mayHaveLeftUnseen(locked)) {
    if (mayBeCompleted(book.book)) return 'NOT_YET';
    const word = await findPaidBeforeRestore(tx, environment, reference, null);
    if (word?.kind === 'SEEN') return 'SEEN';
    if (!isNotPaid) return 'ASK_RAILS';
    // Of the network that would pay it something must have been looked at, where it has no hot address yet too.
    const isUnsure =
      destination.kind === 'WALLET' &&
      (await mayChainHavePaid(tx, { environment, network: destination.network }, reference));
    if (isUnsure || word !== null) return 'NOT_YET';
  }
  await closeDeposits(locked);
  await changePayment(
    locked,
    {
      ...{ status: 'EXPIRED', statusDetail, fundsStatus: 'BACK_IN_BALANCE' },
      failure: reasonNamed(FAILURES[statusDetail]),
      ...(isPaidBefore(payment) ? NOT_PAID_BEFORE : {}),
    },
    systemActor('settlement'),
  );
  return 'EXPIRED';
}
