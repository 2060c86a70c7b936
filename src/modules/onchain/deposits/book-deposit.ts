import type { ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { holdDepositForReview, type DepositOwner } from '../../../db/onchain/deposit-store.ts';
import type { UnbookedDeposit } from '../../../db/onchain/read-deposit-store.ts';
import type { BookStep, FundingBook } from '../../../domain/onchain/deposits/funding-book.ts';
import { isSettledOrFinal } from '../../../domain/payments/payment-states.ts';
import type { Scope } from '../../../domain/scope.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import { lockBook, type LockedBook } from '../../ledger/funding/locked-book.ts';
import type { ReaderDeps } from './reader-deps.ts';
import { takeBookStep } from '../../ledger/funding/take-book-step.ts';

/** What books are worked on with. */
export type BookDeps = Pick<ReaderDeps, 'db' | 'place' | 'workflows' | 'clock'>;

/** A deposit's book and whose it is. */
type Owned = DepositOwner & Pick<Scope, 'customerId'>;

/**
 * Works on a locked book in one transaction, and wakes the payment that waits for it after the commit.
 * `work` says whether anything was written.
 */
export async function onBook(
  { db, place, workflows }: BookDeps,
  owner: Owned,
  depositId: string | null,
  work: (tx: ScopedTransaction, scope: Scope, locked: LockedBook) => Promise<boolean>,
): Promise<boolean> {
  const { customerId } = owner;
  const scope: Scope = { customerId, environment: place.environment };
  const { isWritten, payment } = await db.write(scope, async (tx) => {
    const locked = await lockBook(tx, scope, { ...ownerOf(owner), depositId });
    return { isWritten: await work(tx, scope, locked), payment: locked.payment };
  });
  if (isWritten && payment !== null && !isSettledOrFinal(payment.status)) {
    const told = depositId ?? payment.id;
    await workflows.wakePayment(payment.workflowId, { ...scope, paymentId: payment.id }, told);
  }
  return isWritten;
}

/** The one that an address is of. */
export const ownerOf = ({ paymentId, depositAddressId }: DepositOwner): DepositOwner =>
  paymentId === null
    ? { paymentId: null, depositAddressId }
    : { paymentId, depositAddressId: null };

/** A deposit as it was judged, and whose it is. */
export type JudgedDeposit = Owned & Pick<UnbookedDeposit, 'id' | 'blockHash' | 'review'>;

/**
 * Takes one step of a deposit's book; false where there is nothing to do, for it was done before. Where `mustWait` says
 * so of the step, the deposit waits for an operator instead.
 */
export function bookDeposit(
  deps: BookDeps,
  deposit: JudgedDeposit,
  step: (book: FundingBook, id: string) => BookStep | null,
  mustWait: (tx: ScopedTransaction, locked: LockedBook, step: BookStep) => Promise<boolean> = never,
): Promise<boolean> {
  return onBook(deps, deposit, deposit.id, async (tx, scope, locked) => {
    // It may have been mined elsewhere since it was judged: what was proved is the block that it was in.
    const row = locked.rows.find(({ id }) => id === deposit.id);
    if (row?.blockHash !== deposit.blockHash) return false;
    const taken = step(locked.book, deposit.id);
    if (taken === null) return false;
    if (await mustWait(tx, locked, taken)) return hold(deps, tx, scope, deposit.id);
    await takeBookStep(tx, scope, locked, taken, deps.clock.now());
    return true;
  });
}

const never = async (): Promise<boolean> => false;

/** A deposit waits for an operator. */
export function holdForReview(deps: BookDeps, deposit: JudgedDeposit): Promise<boolean> {
  return onBook(deps, deposit, deposit.id, (tx, scope) => hold(deps, tx, scope, deposit.id));
}

async function hold(
  { clock }: BookDeps,
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<boolean> {
  const at = clock.now();
  const held = await holdDepositForReview(tx, scope, id, at);
  if (held !== null) await recordEvent(tx, scope, depositEvent('deposit.updated', held), at);
  return held !== null;
}
