import type { EntryKind } from './line-places.ts';

interface Line {
  readonly seq: bigint;
  readonly kind: EntryKind;
  /** Minor units. */
  readonly amount: bigint;
}

/**
 * The bookings that lines in the ledger's order make: the lines of one transaction and one kind are one,
 * told by its first line and its sum. What sums to nothing is none.
 */
export function groupEntries<Row extends Line>(
  lines: readonly Row[],
): (readonly [first: Row, amount: bigint])[] {
  const groups = new Map<string, readonly [Row, bigint]>();
  for (const line of lines) {
    const key = `${line.seq.toString()} ${line.kind}`;
    const [first, sum] = groups.get(key) ?? [line, 0n];
    groups.set(key, [first, sum + line.amount]);
  }
  return [...groups.values()].filter(([, amount]) => amount !== 0n);
}
