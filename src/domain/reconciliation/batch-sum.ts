import { fromUnits, toUnits } from './decimal-units.ts';

interface BatchTotals {
  /** What the entry moved, decimal text. */
  readonly entryTotal: string;
  /** What its transactions add up to, signed in the entry's direction; null where unknown. */
  readonly transactionsTotal: string | null;
}

type BatchVerdict =
  | { readonly kind: 'BALANCED' }
  /** `difference`: entry less transactions, decimal text. */
  | { readonly kind: 'AMOUNT_MISMATCH'; readonly difference: string }
  /** Currencies differ within the batch, or a line could not be read. */
  | { readonly kind: 'NOT_COMPARABLE' };

/** A batch booking is one movement of money: its transactions have to add up to it. */
export function checkBatch({ entryTotal, transactionsTotal }: BatchTotals): BatchVerdict {
  if (transactionsTotal === null) return { kind: 'NOT_COMPARABLE' };
  const isNegative = transactionsTotal.startsWith('-');
  const units = toUnits(isNegative ? transactionsTotal.slice(1) : transactionsTotal);
  const differenceUnits = toUnits(entryTotal) - (isNegative ? -units : units);
  if (differenceUnits === 0n) return { kind: 'BALANCED' };
  return { kind: 'AMOUNT_MISMATCH', difference: fromUnits(differenceUnits) };
}
