const BYTES_MIN = 32;
/** The number stands in one byte before a keyed hash. */
const NUMBER_MAX = 254;

/** The secrets of keyed hashes, numbered from 0 without a gap. A hash under number 2 is made with 0, 1 and 2. */
export interface Peppers {
  readonly byNumber: ReadonlyMap<number, Buffer>;
  /** Under which new hashes are made. */
  readonly current: number;
  /** Hashes under a number below this one count for nothing. */
  readonly acceptedFrom: number;
}

/**
 * Reads `<base64>`, which has number 0, or a list: `<base64>,1:<base64>`. The last one makes new hashes. `:retired` behind
 * one says that hashes under it are no longer accepted. Null where the text is no such list, a number is missing, two
 * values are equal, a later one is retired before an earlier one, or the last one is retired.
 */
export function readPeppers(text: string): Peppers | null {
  const byNumber = new Map<number, Buffer>();
  const retired = new Set<number>();
  let current = 0;
  for (const part of text.split(',')) {
    const found = /^(?:([0-9]{1,3}):)?([A-Za-z0-9+/]+={0,2})(:retired)?$/.exec(part.trim());
    const [, number = '0', base64 = '', mark] = found ?? [];
    const pepper = Buffer.from(base64, 'base64');
    if (base64.length % 4 !== 0 || pepper.length < BYTES_MIN) return null;
    current = Number(number);
    const isTwice = [...byNumber.values()].some((other) => other.equals(pepper));
    if (current > NUMBER_MAX || byNumber.has(current) || isTwice) return null;
    byNumber.set(current, pepper);
    if (mark !== undefined) retired.add(current);
  }
  const numbers = [...byNumber.keys()].toSorted((one, other) => one - other);
  const areWhole = numbers.every((number, at) => number === at);
  const areInOrder = [...retired].every((number) => number < retired.size);
  if (!areWhole || !areInOrder || retired.has(current)) return null;
  return { byNumber, current, acceptedFrom: retired.size };
}

/** Under which pepper a keyed hash was made: it says so in front of its 32 bytes, except under number 0. */
export const pepperOf = (hash: Uint8Array): number => (hash.length === 33 ? (hash[0] ?? 0) : 0);
