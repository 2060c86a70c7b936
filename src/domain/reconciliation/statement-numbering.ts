/** A number so far beyond the highest is no gap: it would put every later statement out of sight. */
const SEQUENCE_JUMP_MAX = 10_000n;

/** The newest numbering of a connector's statements. */
export interface NumberingHead {
  /** The highest number taken in it. */
  readonly sequence: bigint;
  /** The latest end of any statement taken, in any numbering. */
  readonly toAt: Date | null;
}

/**
 * NEXT, also the first of all. GAP: numbers before it are missing. OLD: below the highest, which fills a
 * gap or is known. RESTART: below the highest, yet of a later time than everything taken: the bank
 * counts anew. JUMP: not credible.
 */
export type StatementPlace = 'NEXT' | 'GAP' | 'OLD' | 'RESTART' | 'JUMP';

/** Where a statement that is not known by its id is in its bank's numbering. */
export function placeStatement(
  listed: { readonly sequence: bigint; readonly toAt: Date },
  head: NumberingHead | null,
): StatementPlace {
  if (head === null) return 'NEXT';
  const step = listed.sequence - head.sequence;
  if (step > SEQUENCE_JUMP_MAX) return 'JUMP';
  if (step > 0n) return step === 1n ? 'NEXT' : 'GAP';
  const isLater = head.toAt !== null && listed.toAt.getTime() > head.toAt.getTime();
  return isLater ? 'RESTART' : 'OLD';
}
