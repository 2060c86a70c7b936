import { createHmac, timingSafeEqual } from 'node:crypto';
import { pepperOf, type Peppers } from '../domain/peppers.ts';

/**
 * Keyed hashes (HMAC-SHA-256), kept apart by purpose: equal inputs are found, never read. Under pepper 0 a hash has 32
 * bytes. Under a later one it is the hash under the pepper before, hashed again, with the number in front. So a stored hash
 * moves to a new pepper without what it was made of, and the earlier pepper alone no longer makes or tests it.
 */
export interface KeyedHashes {
  /** Under the current pepper: what is stored. */
  keyedHash(purpose: string, text: string): Buffer;
  /** Under the current pepper, or under the pepper of an earlier hash if that is a later one and there. */
  keyedHashAfter(earlier: Uint8Array, purpose: string, text: string): Buffer;
  /** Under every pepper that is accepted, the current one first: what is looked for. */
  keyedHashes(purpose: string, text: string): readonly Buffer[];
  /** Was a hash made of this text, under a pepper that is accepted? */
  isKeyedHash(hash: Uint8Array, purpose: string, text: string): boolean;
  /** Under the lowest pepper that is accepted, on which all processes agree: what lives for hours at the most. */
  briefHash(purpose: string, text: string): Buffer;
  /** Under pepper 0, whatever the others are: what a repeated request must come to again after years. */
  steadyHash(purpose: string, text: string): Buffer;
  /** A stored hash under the current pepper; the same hash where it has that one or a later one. */
  raiseHash(hash: Buffer): Buffer;
}

/** Throws where a pepper is missing. */
export function createKeyedHashes({ byNumber, current, acceptedFrom }: Peppers): KeyedHashes {
  const pepper = (number: number): Buffer => {
    const found = byNumber.get(number);
    if (found === undefined) throw new Error(`PEPPER has no number ${String(number)}`);
    if (found.length < 32) throw new Error('the pepper is shorter than 32 bytes');
    return found;
  };
  const newest = Math.max(...byNumber.keys());
  for (let number = 0; number <= newest; number += 1) pepper(number);

  const raise = (hash: Buffer, to: number): Buffer => {
    let raised = hash;
    for (let number = pepperOf(hash) + 1; number <= to; number += 1) {
      const under = raised.subarray(-32);
      const mac = createHmac('sha256', pepper(number)).update('raised\0').update(under).digest();
      raised = Buffer.concat([Buffer.from([number]), mac]);
    }
    return raised;
  };
  const steadyHash = (purpose: string, text: string): Buffer =>
    createHmac('sha256', pepper(0)).update(purpose).update('\0').update(text).digest();
  const hashUnder = (number: number, purpose: string, text: string): Buffer =>
    raise(steadyHash(purpose, text), number);
  const isAccepted = (number: number): boolean => number >= acceptedFrom && number <= newest;
  const accepted = [...byNumber.keys()].filter(isAccepted).toSorted((one, other) => one - other);
  const [lowest = current] = accepted;
  const inTurn = [current, ...accepted.filter((number) => number !== current)];

  return {
    keyedHash: (purpose, text) => hashUnder(current, purpose, text),
    keyedHashAfter: (earlier, purpose, text) =>
      hashUnder(Math.min(newest, Math.max(current, pepperOf(earlier))), purpose, text),
    keyedHashes: (purpose, text) => inTurn.map((number) => hashUnder(number, purpose, text)),
    isKeyedHash(hash, purpose, text) {
      const number = pepperOf(hash);
      const right = hashUnder(isAccepted(number) ? number : current, purpose, text);
      return hash.length === right.length && timingSafeEqual(hash, right);
    },
    briefHash: (purpose, text) => hashUnder(lowest, purpose, text),
    steadyHash,
    raiseHash: (hash) => raise(hash, current),
  };
}
