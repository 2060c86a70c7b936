import type { GasFees } from './chain-facts.ts';
import { BUMPS_MAX, raisedFees, voidFees } from './transaction-fees.ts';

/**
 * TRANSFER moves the token, SWEEP what lies at addresses of deposits; VOID uses the nonce up and moves nothing. TOP_UP
 * gave gas to another signer account: an earlier release made it.
 */
export type TransactionKind = 'TRANSFER' | 'SWEEP' | 'TOP_UP' | 'VOID';

/** What was, or is about to be, signed for a nonce. */
export interface StoredTransaction extends GasFees {
  /** From 0, in the order in which they were made. */
  readonly number: number;
  readonly kind: TransactionKind;
  /** Null until it is signed and stored: then no node was sent it. */
  readonly hash: string | null;
  readonly signedAt: Date | null;
  /** The newest block when it was signed. */
  readonly signedAtBlock: bigint | null;
}

/** Why a nonce is used up without moving anything. */
export type VoidWhy = 'VOIDED' | 'SIGNING_REFUSED';

/** A nonce whose outcome is not final. */
export interface CarryingNonce {
  readonly nonce: bigint;
  /** OPEN: nothing of it is believed yet. SETTLED: its transfer is. */
  readonly state: 'OPEN' | 'SETTLED';
  readonly voidWhy: VoidWhy | null;
  /** At least one, in the order of their numbers. */
  readonly transactions: readonly StoredTransaction[];
}

/**
 * Where a block lies: YOUNG may be reorganised away any moment, CREDIT is deep enough to be believed for the
 * amount, FINAL is for good.
 */
export type BlockDepth = 'YOUNG' | 'CREDIT' | 'FINAL';

/** What the chain shows of a nonce. */
export type NonceFinding =
  /** None of its transactions is in a canonical block. */
  | { readonly kind: 'UNUSED' }
  | {
      readonly kind: 'MINED';
      readonly number: number;
      readonly isSuccess: boolean;
      readonly depth: BlockDepth;
    };

export interface ChainMoment {
  readonly now: Date;
  /** The number of the newest block. */
  readonly head: bigint;
  readonly suggested: GasFees;
  /** In wei per gas. */
  readonly gasCaps: GasFees;
  /** What a sweep may offer; null: nothing is swept any more. */
  readonly sweepCaps: GasFees | null;
  /** It is the signer account's lowest one that is not used: those behind it cannot be mined before it. */
  readonly isLowest: boolean;
  /** That one is stuck and raised: what is behind it and stuck as well is raised with it. */
  readonly isLowestRaised: boolean;
}

export type ChainStep =
  /** Ask the signer for the transaction of that number and store it. */
  | { readonly kind: 'SIGN'; readonly number: number }
  /** Send its stored bytes to every node, again or for the first time. */
  | { readonly kind: 'BROADCAST'; readonly number: number }
  /** Make another transaction for the nonce: the same transfer, or a void, with higher fees. */
  | { readonly kind: 'BUMP' | 'VOID'; readonly number: number; readonly fees: GasFees }
  /**
   * As BROADCAST, and the fees are as high as they may be. CONGESTED: the network asks for more than the cap, and
   * cheaper blocks will do. STALLED: it takes a human.
   */
  | { readonly kind: 'HOLD'; readonly number: number; readonly why: 'CONGESTED' | 'STALLED' }
  /**
   * Its nonce is to be used up: of a sweep that is stuck and may offer no more, which costs a hundredth of it, and of a
   * top-up by an earlier release.
   */
  | { readonly kind: 'GIVE_UP' }
  | { readonly kind: 'WAIT' }
  /** The transfer is deep enough to be believed. */
  | { readonly kind: 'SETTLED'; readonly number: number }
  /** What was believed is in no block, or in a young one: it is open again. */
  | { readonly kind: 'REORGANISED' }
  /** The transfer is for good. */
  | { readonly kind: 'FINAL'; readonly number: number }
  /** For good, the nonce is used by a transaction that moved nothing. */
  | {
      readonly kind: 'REJECTED';
      readonly number: number;
      readonly why: VoidWhy | 'REVERTED';
    };

/** A transaction is stuck after so many blocks, and not before so many milliseconds. */
export const STUCK_BLOCKS = 5n;
export const STUCK_MS = 30_000;

/**
 * What is done next about a nonce. Its outcome is that of whichever of its transactions is mined, so the
 * same bytes may be sent any number of times; funds are given back only for what can no longer change.
 */
export function nextChainStep(
  carrying: CarryingNonce,
  finding: NonceFinding,
  moment: ChainMoment,
): ChainStep {
  if (finding.kind === 'MINED') return stepOfMined(carrying, finding);
  if (carrying.state === 'SETTLED') return { kind: 'REORGANISED' };
  const newest = newestOf(carrying);
  if (carrying.voidWhy !== null && newest.kind !== 'VOID') {
    const fees = voidFees(newest, moment.suggested, moment.gasCaps);
    return { kind: 'VOID', number: newest.number + 1, fees };
  }
  if (newest.kind === 'TOP_UP') return { kind: 'GIVE_UP' };
  if (newest.hash === null) return { kind: 'SIGN', number: newest.number };
  const broadcast = { kind: 'BROADCAST', number: newest.number } as const;
  const mayRaise = moment.isLowest || moment.isLowestRaised;
  if (!mayRaise || !isStuck(newest, moment)) return broadcast;
  const raised = stepOfStuck(carrying, newest, moment);
  return moment.isLowest || raised.kind === 'BUMP' ? raised : broadcast;
}

/** Raises what is stuck, or says why that is not done. */
function stepOfStuck(
  carrying: CarryingNonce,
  newest: StoredTransaction,
  moment: ChainMoment,
): ChainStep {
  const bumps = carrying.transactions.filter(({ kind }) => kind === newest.kind).length - 1;
  const isOver = bumps >= BUMPS_MAX && !isOutbid(newest, moment.suggested);
  const isUsedUp = isOver || newest.number >= NUMBER_MAX[newest.kind];
  if (newest.kind === 'SWEEP') return isUsedUp ? { kind: 'GIVE_UP' } : raisedSweep(newest, moment);
  return isUsedUp ? held(newest, moment) : raisedStep(newest, moment);
}

function raisedSweep(newest: StoredTransaction, { suggested, sweepCaps }: ChainMoment): ChainStep {
  const fees = sweepCaps === null ? null : raisedFees(newest, suggested, sweepCaps);
  if (fees === null) return { kind: 'GIVE_UP' };
  return { kind: 'BUMP', number: newest.number + 1, fees };
}

function stepOfMined(
  { state, voidWhy, transactions }: CarryingNonce,
  { number, isSuccess, depth }: Extract<NonceFinding, { readonly kind: 'MINED' }>,
): ChainStep {
  const mined = transactions.find((one) => one.number === number);
  if (mined === undefined) throw new RangeError(`there is no transaction ${String(number)}`);
  const isPaid = mined.kind !== 'VOID' && isSuccess;
  if (state === 'SETTLED' && (!isPaid || depth === 'YOUNG')) return { kind: 'REORGANISED' };
  if (isPaid) {
    if (state === 'OPEN') return depth === 'YOUNG' ? { kind: 'WAIT' } : { kind: 'SETTLED', number };
    return depth === 'FINAL' ? { kind: 'FINAL', number } : { kind: 'WAIT' };
  }
  if (depth !== 'FINAL') return { kind: 'WAIT' };
  const why = mined.kind === 'VOID' ? (voidWhy ?? 'VOIDED') : 'REVERTED';
  return { kind: 'REJECTED', number, why };
}

/** The last numbers that a nonce's transactions may have; all others leave room for a void's. */
const NUMBER_MAX: Readonly<Record<TransactionKind, number>> = {
  ...{ TRANSFER: 11, SWEEP: 11, TOP_UP: 11 },
  VOID: 20,
};

function held({ number }: StoredTransaction, { suggested, gasCaps }: ChainMoment): ChainStep {
  const isCongested = suggested.maxFeePerGas > gasCaps.maxFeePerGas;
  return { kind: 'HOLD', number, why: isCongested ? 'CONGESTED' : 'STALLED' };
}

/** Whether the network itself asks for as much more as a raise is: then one more has a reason. */
const isOutbid = (newest: GasFees, suggested: GasFees): boolean =>
  suggested.maxFeePerGas * 8n >= newest.maxFeePerGas * 9n;

function raisedStep(newest: StoredTransaction, moment: ChainMoment): ChainStep {
  const fees = raisedFees(newest, moment.suggested, moment.gasCaps);
  if (fees === null) return held(newest, moment);
  return { kind: 'BUMP', number: newest.number + 1, fees };
}

function isStuck(
  { signedAt, signedAtBlock }: StoredTransaction,
  { now, head }: ChainMoment,
): boolean {
  if (signedAt === null || signedAtBlock === null) return false;
  return head - signedAtBlock >= STUCK_BLOCKS && now.getTime() - signedAt.getTime() >= STUCK_MS;
}

function newestOf({ nonce, transactions }: CarryingNonce): StoredTransaction {
  const newest = transactions.at(-1);
  if (newest === undefined) throw new RangeError(`nonce ${nonce.toString()} carries nothing`);
  return newest;
}
