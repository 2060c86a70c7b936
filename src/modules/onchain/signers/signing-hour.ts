import { hourBefore } from '../../../domain/onchain/hour-before.ts';

/** The nonce of a hot address: of all that is signed for it, one transaction at most is mined. */
interface NonceOfSignerAccount {
  readonly address: string;
  readonly nonce: bigint;
}

/** Nonces of a hot address from the first to the last. */
export interface NonceRange {
  readonly address: string;
  readonly first: bigint;
  readonly last: bigint;
}

/** A wish to sign for an amount of an asset. */
interface HourWish extends NonceOfSignerAccount {
  readonly asset: string;
  readonly amount: bigint;
  readonly hourMax: bigint;
  readonly now: Date;
  /** What others know to have been signed for within the hour, for other nonces than it has booked, in minor units. */
  readonly knownElsewhere: bigint;
}

/** Adds up what was signed for on one network within the last hour. */
export interface SigningHour {
  /**
   * Books the amount and says true, or says false and books nothing. What was signed again for a nonce,
   * with a higher fee or after a crash, counts once, with its largest amount.
   */
  take(wish: HourWish): boolean;
  /** What it has booked of an asset within the hour before. */
  spent(asset: string, now: Date): bigint;
  /** The nonces that it has booked anything for within the hour before. */
  held(now: Date): readonly NonceRange[];
}

/** Begins empty at every start: what was signed before, callers add as `knownElsewhere`. */
export function createSigningHour(): SigningHour {
  const taken = new Map<string, Booked>();
  const forget = (now: Date): void => {
    const since = hourBefore(now).getTime();
    for (const [key, entry] of taken) if (entry.at <= since) taken.delete(key);
  };
  return {
    take({ asset, amount, hourMax, now, knownElsewhere, address, nonce }) {
      const at = now.getTime();
      forget(now);
      const key = `${asset} ${address} ${String(nonce)}`;
      const others = [...taken].filter(([other, entry]) => other !== key && entry.asset === asset);
      const own = others.reduce((sum, [, entry]) => sum + entry.amount, 0n);
      const before = taken.get(key)?.amount ?? 0n;
      const largest = amount > before ? amount : before;
      if (own + knownElsewhere + largest > hourMax) return false;
      taken.set(key, { address, nonce, amount: largest, asset, at });
      return true;
    },
    spent(asset, now) {
      forget(now);
      const booked = [...taken.values()].filter((entry) => entry.asset === asset);
      return booked.reduce((sum, { amount }) => sum + amount, 0n);
    },
    held(now) {
      forget(now);
      return rangesOf([...taken.values()]);
    },
  };
}

interface Booked extends NonceOfSignerAccount {
  readonly asset: string;
  readonly amount: bigint;
  readonly at: number;
}

/** Few, as a hot address takes one nonce after the other. */
function rangesOf(nonces: readonly NonceOfSignerAccount[]): readonly NonceRange[] {
  const ranges: NonceRange[] = [];
  for (const { address, nonce } of nonces.toSorted(inOrder)) {
    const before = ranges.at(-1);
    const isNext = before?.address === address && nonce <= before.last + 1n;
    if (isNext) ranges.pop();
    ranges.push({ address, first: isNext ? before.first : nonce, last: nonce });
  }
  return ranges;
}

function inOrder(one: NonceOfSignerAccount, other: NonceOfSignerAccount): number {
  if (one.address !== other.address) return one.address < other.address ? -1 : 1;
  return one.nonce < other.nonce ? -1 : 1;
}
