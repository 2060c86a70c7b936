import { assertNever } from '../assert-never.ts';

/** What a ledger transaction is for. A payment has at most one of each. */
export type PostingKind = 'FUND' | 'HOLD' | 'SETTLE' | 'RELEASE' | 'RETURN';

/** One line of a ledger transaction: minor units, credits positive. */
export interface Posting {
  readonly account: string;
  readonly amount: bigint;
}

/**
 * The two sides of every movement of a payment's money. Credits are positive: `available` and
 * `reserved` are what we owe the customer; money that leaves our account at the bank (nostro) is a
 * credit there. The lines sum to zero.
 */
export function postingsFor(kind: PostingKind, amount: bigint, rail: string): readonly Posting[] {
  if (amount <= 0n) throw new RangeError('a posting moves a positive amount');
  switch (kind) {
    case 'FUND':
      return pair(`nostro:${rail}`, 'available', amount);
    case 'HOLD':
      return pair('available', 'reserved', amount);
    case 'SETTLE':
      return pair('reserved', `nostro:${rail}`, amount);
    case 'RELEASE':
      return pair('reserved', 'available', amount);
    case 'RETURN':
      return pair(`nostro:${rail}`, 'available', amount);
    default:
      return assertNever(kind);
  }
}

const pair = (debit: string, credit: string, amount: bigint): readonly Posting[] => [
  { account: debit, amount: -amount },
  { account: credit, amount },
];
