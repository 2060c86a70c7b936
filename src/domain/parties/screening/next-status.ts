import type { ScreeningStatus } from './screening-verdict.ts';

/** What operators decided about a subject, or have not decided yet. */
export interface KnownCase {
  readonly id: string;
  /** Null while it is open. */
  readonly outcome: 'RELEASED' | 'REFUSED' | 'SUPERSEDED' | null;
  /** Keyed hash of the names that were looked up. */
  readonly namesHash: Buffer;
  /** Keyed hashes of the entries that they hit. */
  readonly entryHashes: readonly Buffer[];
}

export interface Found {
  readonly namesHash: Buffer;
  readonly entryHashes: readonly Buffer[];
}

interface NextStatus {
  readonly status: Exclude<ScreeningStatus, 'UNSCREENED'>;
  /** The open case that does not say all there is: a new one takes its place. */
  readonly superseded: KnownCase | null;
  readonly opensCase: boolean;
}

/**
 * What a look-up means for a subject. Only operators end a hit: other names, or a list without the
 * entry, leave an open case open. A release is good for the same names and for the entries that were
 * seen; a refusal for good.
 */
export function nextStatus(found: Found, cases: readonly KnownCase[]): NextStatus {
  const keep = (status: NextStatus['status']): NextStatus => ({
    status,
    superseded: null,
    opensCase: false,
  });
  if (cases.some(({ outcome }) => outcome === 'REFUSED')) return keep('REFUSED');
  const open = cases.find(({ outcome }) => outcome === null);
  if (open !== undefined) {
    const saysAll = open.namesHash.equals(found.namesHash) && covers([open], found);
    return saysAll ? keep('HIT') : { status: 'HIT', superseded: open, opensCase: true };
  }
  if (found.entryHashes.length === 0) return keep('CLEAR');
  const released = cases.filter(
    ({ outcome, namesHash }) => outcome === 'RELEASED' && namesHash.equals(found.namesHash),
  );
  if (covers(released, found)) return keep('RELEASED');
  return { status: 'HIT', superseded: null, opensCase: true };
}

function covers(cases: readonly KnownCase[], { entryHashes }: Found): boolean {
  const known = cases.flatMap((one) => one.entryHashes);
  return entryHashes.every((hash) => known.some((one) => one.equals(hash)));
}
