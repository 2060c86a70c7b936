import type { TokenAsk, TokenLease } from '../db/customers/rate-bucket-store.ts';
import type { RateLimit } from './settings.ts';

/** Between two looks at all buckets. */
export const TICK_MS = 200;
const TICK_SECONDS = TICK_MS / 1_000;

/** What is kept ahead: the demand of so many seconds, a little more than passes between two looks. */
const AHEAD_SECONDS = 0.3;

/** A demand per second below this is none. */
const DEMAND_MIN = 0.5;

/** Looks without a request after which nothing is kept any more. */
const IDLE_TICKS = 2;

/**
 * Tokens that may be used before they are taken, so that the first requests of an idle caller wait for no
 * statement: one, or this part of the burst. They are settled at the next look, whatever is left.
 */
const OWED_PART = 1 / 40;

/** The state of a bucket after it was asked. */
export interface BucketAnswer {
  readonly isGranted: boolean;
  /** Whole tokens left, as far as this process knows. */
  readonly remaining: number;
  /** Seconds until there is a token again, or until the bucket is full where there is one now; at least 1. */
  readonly resetSeconds: number;
}

/** A process's part of a bucket that PostgreSQL keeps. Time passes in it by ticks alone, never by a clock. */
export interface TokenBucket {
  readonly storedName: string;
  readonly limit: RateLimit;
  /** Tokens taken and not yet used. */
  inHand: number;
  /** Tokens used and not yet taken. */
  owed: number;
  /** What the shared bucket held when last heard of, refilled since; below 1: nothing is to be had. */
  shared: number;
  /** A bucket of this process alone, for while PostgreSQL does not answer. */
  alone: number;
  /** Requests since the last tick, and the demand per second that those before showed. */
  asked: number;
  demand: number;
  idleTicks: number;
  /** Out of memory: what is in hand goes back. */
  isDropped: boolean;
  /** Requests that wait for the next lease. */
  readonly waiting: ((answer: BucketAnswer) => void)[];
}

export function openBucket(storedName: string, limit: RateLimit): TokenBucket {
  const { burst } = limit;
  const nothing = { inHand: 0, owed: 0, asked: 0, demand: 0, idleTicks: 0, isDropped: false };
  return { storedName, limit, ...nothing, shared: burst, alone: burst, waiting: [] };
}

/** Whether one more request is granted now; undefined: only a lease can tell. */
export function takeToken(bucket: TokenBucket, isAlone: boolean): boolean | undefined {
  if (bucket.inHand >= 1) {
    bucket.inHand -= 1;
    return true;
  }
  if (isAlone) {
    if (bucket.alone < 1) return false;
    bucket.alone -= 1;
    return true;
  }
  if (bucket.shared - bucket.owed < 1) return false;
  const owedMax = Math.max(1, bucket.limit.burst * OWED_PART);
  if (bucket.owed + 1 <= owedMax && bucket.waiting.length === 0) {
    bucket.owed += 1;
    return true;
  }
  return undefined;
}

/**
 * What to keep ahead, in tokens: nothing for a caller whose requests are few and far between, and little
 * in a burst, or the rest of it, at another process, would find nothing left.
 */
function targetOf({ demand, asked, limit }: TokenBucket): number {
  const ofBurst = Math.min(Math.floor(asked / 4), limit.perSecond * AHEAD_SECONDS);
  return Math.ceil(Math.max(demand * AHEAD_SECONDS, ofBurst));
}

/** Lets a tick pass. Answers whether the bucket has something to settle or to take. */
export function passTick(bucket: TokenBucket, isAlone: boolean): boolean {
  const { limit, asked } = bucket;
  const refill = limit.perSecond * TICK_SECONDS;
  bucket.shared = Math.min(limit.burst, bucket.shared + refill);
  bucket.alone = Math.min(limit.burst, bucket.alone + refill);
  bucket.idleTicks = asked === 0 ? bucket.idleTicks + 1 : 0;
  bucket.asked = 0;
  const seen = Math.max(0, asked - 1) / TICK_SECONDS;
  const demand = Math.min(limit.perSecond, Math.max(seen, bucket.demand / 2));
  bucket.demand = bucket.idleTicks >= IDLE_TICKS || demand < DEMAND_MIN ? 0 : demand;
  if (bucket.owed > 0 || bucket.waiting.length > 0) return true;
  const target = targetOf(bucket);
  if (bucket.inHand > 2 * target) return true;
  return bucket.inHand < target / 2 && (isAlone || bucket.shared >= 1);
}

/** Nothing is known of the bucket that a new one would not say too. */
export function isForgettable({ limit, ...bucket }: TokenBucket): boolean {
  const isQuiet = bucket.idleTicks >= IDLE_TICKS && bucket.waiting.length === 0;
  const isWhole = bucket.shared >= limit.burst && bucket.alone >= limit.burst;
  return isQuiet && isWhole && bucket.inHand === 0 && bucket.owed === 0;
}

/**
 * What is asked of PostgreSQL for the bucket; with `isLast` nothing is kept. What it gives back is out of
 * hand from now on.
 */
export function askFor(bucket: TokenBucket, isLast: boolean): TokenAsk {
  const target = isLast ? 0 : targetOf(bucket);
  const surplus = bucket.inHand > 2 * target ? bucket.inHand - target : 0;
  bucket.inHand -= surplus;
  return {
    name: bucket.storedName,
    rate: bucket.limit.perSecond,
    burst: bucket.limit.burst,
    settled: bucket.owed - surplus,
    wanted: bucket.waiting.length + Math.max(0, target - bucket.inHand),
  };
}

/** `owed`: what the ask had settled. Those that wait are granted what came, in their order. */
export function takeLease(bucket: TokenBucket, owed: number, lease: TokenLease): void {
  bucket.owed -= owed;
  bucket.inHand += lease.granted;
  bucket.shared = lease.remaining;
  while (bucket.waiting.length > 0 && (bucket.inHand >= 1 || bucket.shared < 1)) {
    const isGranted = bucket.inHand >= 1;
    if (isGranted) bucket.inHand -= 1;
    bucket.waiting.shift()?.(describe(bucket, isGranted));
  }
}

/** Answers those that wait out of the process's own bucket. */
export function answerAlone(bucket: TokenBucket): void {
  for (const answer of bucket.waiting.splice(0)) {
    answer(describe(bucket, takeToken(bucket, true) === true, true));
  }
}

export function describe(
  { limit, inHand, shared, owed, alone }: TokenBucket,
  isGranted: boolean,
  isAlone = false,
): BucketAnswer {
  const left = Math.min(
    limit.burst,
    Math.max(0, isAlone ? inHand + alone : inHand + shared - owed),
  );
  const wanted = left >= 1 ? limit.burst : 1;
  return {
    isGranted,
    remaining: Math.floor(left),
    resetSeconds: Math.max(1, Math.ceil((wanted - left) / limit.perSecond)),
  };
}
