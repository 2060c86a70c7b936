import type { MovedDeposit } from '../../ledger/deposit-movements.ts';
import {
  applyDeposit,
  applyToAddress,
  type Funding,
  type FundingStatus,
  type StandingAddress,
} from './apply-deposit.ts';
import { isForGood, type BookedDeposit } from './deposit.ts';

/**
 * A payment's funding with every deposit that came to its address, behind the payment's lock; or a standing
 * address with one deposit to it.
 */
export interface FundingBook {
  readonly funding: Funding | StandingAddress;
  readonly deposits: readonly BookedDeposit[];
}

/** What a step makes of a book. Everything of it is written in one transaction. */
export interface BookStep {
  /** Of the funding; null where there is none. */
  readonly status: FundingStatus | null;
  /** The deposits that are not as they were. */
  readonly changed: readonly BookedDeposit[];
  readonly movements: readonly MovedDeposit[];
}

const applied = ({ applied: application }: BookedDeposit): bigint => application?.toPayment ?? 0n;

/** What the deposits have brought to the payment, in minor units of its asset. */
export const amountReceived = (deposits: readonly BookedDeposit[]): bigint =>
  deposits.reduce((sum, deposit) => sum + applied(deposit), 0n);

/** Those of the payment's deposits that money of it stands in. */
const bringing = (deposits: readonly BookedDeposit[]): readonly BookedDeposit[] =>
  deposits.filter((deposit) => applied(deposit) > 0n);

/**
 * A deposit is deep enough and its sender is clear: it is credited, and with what completes the payment all
 * that waited is held. Null where it does not wait for that: then it was done before.
 */
export function creditDeposit(book: FundingBook, id: string): BookStep | null {
  const deposit = book.deposits.find((one) => one.id === id);
  return deposit?.status === 'SEEN' ? credit(book, deposit, 'DEPOSIT') : null;
}

/**
 * Nothing is wrong with the sender of a blocked deposit: it leaves suspense for where it goes now, as one that is
 * credited at this moment. Null where it is not BLOCKED.
 */
export function releaseDeposit(book: FundingBook, id: string): BookStep | null {
  const deposit = book.deposits.find((one) => one.id === id);
  return deposit?.status === 'BLOCKED' ? credit(book, deposit, 'DEPOSIT_UNBLOCK') : null;
}

function credit(
  { funding, deposits }: FundingBook,
  deposit: BookedDeposit,
  kind: 'DEPOSIT' | 'DEPOSIT_UNBLOCK',
): BookStep {
  const received = amountReceived(deposits);
  const application =
    funding.status === null
      ? applyToAddress(funding, deposit)
      : applyDeposit(funding, received, deposit);
  const credited: BookedDeposit = { ...deposit, status: 'CREDITED', applied: application };
  const { toPayment } = application;
  const available = deposit.amount - toPayment;
  const arrival: MovedDeposit = {
    depositId: deposit.id,
    round: deposit.round,
    movement: { kind, pending: toPayment, available },
  };
  const isComplete =
    funding.status === 'AWAITED' && received + toPayment === funding.amountDue && toPayment > 0n;
  const held = isComplete ? [...bringing(deposits), credited] : [];
  return {
    status: isComplete ? 'HELD' : funding.status,
    changed: [credited],
    movements: [arrival, ...held.map((one) => moveApplied(one, 'DEPOSIT_HOLD'))],
  };
}

function moveApplied(
  deposit: BookedDeposit,
  kind: 'DEPOSIT_HOLD' | 'DEPOSIT_UNHOLD' | 'DEPOSIT_RELEASE',
): MovedDeposit {
  const { id: depositId, round } = deposit;
  return { depositId, round, movement: { kind, amount: applied(deposit) } };
}

/** A deposit's sender is on a list: all of it is kept in suspense. Null where it is not SEEN. */
export function blockDeposit({ funding, deposits }: FundingBook, id: string): BookStep | null {
  const deposit = deposits.find((one) => one.id === id);
  if (deposit?.status !== 'SEEN') return null;
  const { round, amount } = deposit;
  return {
    status: funding.status,
    changed: [
      {
        ...deposit,
        status: 'BLOCKED',
        applied: { appliedTo: 'SUSPENSE', reason: null, toPayment: 0n },
      },
    ],
    movements: [{ depositId: id, round, movement: { kind: 'DEPOSIT_BLOCK', amount } }],
  };
}

/** A blocked deposit stays in suspense for good: nothing of it moves. Null where it is not BLOCKED. */
export function keepDeposit({ funding, deposits }: FundingBook, id: string): BookStep | null {
  const deposit = deposits.find((one) => one.id === id);
  if (deposit?.status !== 'BLOCKED') return null;
  return { status: funding.status, changed: [{ ...deposit, status: 'KEPT' }], movements: [] };
}

/** No reorganisation takes a credited deposit's block back any more. Null where it is not CREDITED. */
export function finaliseDeposit({ funding, deposits }: FundingBook, id: string): BookStep | null {
  const deposit = deposits.find((one) => one.id === id);
  if (deposit?.status !== 'CREDITED') return null;
  return { status: funding.status, changed: [{ ...deposit, status: 'FINAL' }], movements: [] };
}

/**
 * The block that held a deposit is gone. What it brought is taken back from where it is: a payment that
 * nothing was paid of yet waits again, and the others' part with it; else from the balance, and what that
 * does not cover is owed. Null where there is nothing to take: it is ORPHANED before, FINAL or KEPT.
 */
export function orphanDeposit(book: FundingBook, id: string): BookStep | null {
  const deposit = book.deposits.find((one) => one.id === id);
  if (deposit === undefined || deposit.status === 'ORPHANED' || isForGood(deposit.status))
    return null;
  return takeBack(book, deposit);
}

/**
 * The same of a deposit that was FINAL or KEPT, on a network that has taken back what it had called final: only while
 * operators let it go on. Null where it is neither.
 */
export function takeBackFinal(book: FundingBook, id: string): BookStep | null {
  const deposit = book.deposits.find((one) => one.id === id);
  return deposit !== undefined && isForGood(deposit.status) ? takeBack(book, deposit) : null;
}

function takeBack(book: FundingBook, deposit: BookedDeposit): BookStep {
  const { funding, deposits } = book;
  const orphaned: BookedDeposit = { ...deposit, status: 'ORPHANED', applied: null };
  if (deposit.applied === null)
    return { status: funding.status, changed: [orphaned], movements: [] };
  const kept = whereKept(funding, deposit);
  const taken: MovedDeposit = {
    depositId: deposit.id,
    round: deposit.round,
    movement: { kind: 'DEPOSIT_ORPHAN', kept, balance: deposit.amount - kept.amount },
  };
  const gone: BookedDeposit = { ...orphaned, round: deposit.round + 1 };
  const isUndone = kept.in === 'reserved' && kept.amount > 0n;
  if (!isUndone) return { status: funding.status, changed: [gone], movements: [taken] };
  const others = bringing(deposits).filter((one) => one.id !== deposit.id);
  return {
    status: 'AWAITED',
    changed: [gone, ...others.map((one) => ({ ...one, round: one.round + 1 }))],
    movements: [taken, ...others.map((one) => moveApplied(one, 'DEPOSIT_UNHOLD'))],
  };
}

function whereKept(
  funding: Funding | StandingAddress,
  { applied: application, amount }: BookedDeposit,
): { readonly in: 'pending' | 'reserved' | 'suspense'; readonly amount: bigint } {
  if (application?.appliedTo === 'SUSPENSE') return { in: 'suspense', amount };
  const toPayment = application?.toPayment ?? 0n;
  if (funding.status === 'AWAITED') return { in: 'pending', amount: toPayment };
  const isReserved = funding.status === 'HELD' && !funding.isSpent;
  return { in: 'reserved', amount: isReserved ? toPayment : 0n };
}

/** The payment ended before it was complete: what waited is in the balance. Null where nothing waits. */
export function closeFunding({ funding, deposits }: FundingBook): BookStep | null {
  if (funding.status !== 'AWAITED') return null;
  const waiting = bringing(deposits);
  return {
    status: 'CLOSED',
    changed: waiting.map((one) => ({
      ...one,
      applied: { appliedTo: 'BALANCE', reason: 'UNDERPAID', toPayment: 0n },
    })),
    movements: waiting.map((one) => moveApplied(one, 'DEPOSIT_RELEASE')),
  };
}

/**
 * How long past `expiresAt`, in ms, a payment with a quote waits for what came in time and is not credited yet, for its
 * sender is looked up. An hour is the longest that a quote is locked for: longer than that we promise no rate for what
 * may never come.
 */
const LOOKED_UP_MAX_MS = 3_600_000;

/**
 * Why a payment expires, once the final cursor of its network has reached a block of `finalAt`; null while it
 * does not. Whatever was mined in time is then known for good: but one that is not credited yet, for its
 * sender is looked up, still may complete it, for as long as the rate of a quote holds. What could not complete
 * it is not waited for.
 */
export function expiryOf(
  { funding, deposits }: FundingBook,
  finalAt: Date,
  isQuoted: boolean,
): 'DEPOSIT_EXPIRED' | 'DEPOSIT_UNDERPAID' | null {
  if (funding.status !== 'AWAITED' || finalAt <= funding.expiresAt) return null;
  const received = amountReceived(deposits);
  const inTime = deposits.filter(
    (one) => one.status === 'SEEN' && applyDeposit(funding, 0n, one).appliedTo === 'PAYMENT',
  );
  const came = inTime.reduce((sum, { amount }) => sum + amount, received);
  const isRateHeld = finalAt.getTime() <= funding.expiresAt.getTime() + LOOKED_UP_MAX_MS;
  const mayComplete = came >= funding.amountDue;
  if (mayComplete && (isRateHeld || !isQuoted)) return null;
  const isPart = received > 0n || (came > 0n && !mayComplete);
  return isPart ? 'DEPOSIT_UNDERPAID' : 'DEPOSIT_EXPIRED';
}

/**
 * Whether what is still to be decided would complete the payment, with what is credited: what came in time and is BLOCKED,
 * or not credited yet.
 */
export function mayBeCompleted({ funding, deposits }: FundingBook): boolean {
  if (funding.status !== 'AWAITED') return false;
  const undecided = deposits
    .filter(({ status }) => status === 'SEEN' || status === 'BLOCKED')
    .filter((one) => applyDeposit(funding, 0n, one).appliedTo === 'PAYMENT')
    .reduce((sum, { amount }) => sum + amount, 0n);
  return amountReceived(deposits) + undecided >= funding.amountDue;
}
