import { ENTRY_LINES_MAX } from './balance-transaction-id.ts';
import type { LedgerLine, MovementKind } from './movements.ts';

/** What a line is for: what its transaction is for, or a fee, or the repayment of what the customer owes. */
export type EntryKind = MovementKind | 'FEE' | 'REPAYMENT';

interface PlacedLine extends LedgerLine {
  /** From 1. */
  readonly line: number;
  readonly kind: EntryKind;
}

/** That the database may write behind them. */
const REPAYMENT_LINES = 2;

/**
 * Numbers the lines of a transaction and says what each is for. Lines stand in pairs, what is taken and
 * where it goes; a pair that touches `fees` is a fee, and what a settled payment gives back is a release. Throws RangeError for more lines than have an id.
 */
export function placeLines(kind: MovementKind, lines: readonly LedgerLine[]): PlacedLine[] {
  if (lines.length + REPAYMENT_LINES > ENTRY_LINES_MAX)
    throw new RangeError('a transaction has too many lines');
  return lines.map((line, index) => {
    const pair = lines.slice(index - (index % 2), index - (index % 2) + 2);
    return { ...line, line: index + 1, kind: kindOfPair(kind, pair) };
  });
}

/** Of a payment that settles, what goes back to the customer is a release. */
function kindOfPair(kind: MovementKind, pair: readonly LedgerLine[]): EntryKind {
  const touches = (name: string) => pair.some(({ account }) => account === name);
  if (touches('fees')) return 'FEE';
  return kind === 'SETTLE' && touches('available') ? 'RELEASE' : kind;
}
