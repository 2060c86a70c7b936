import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/client/database.ts';
import { leaseRateTokens } from '../db/customers/rate-bucket-store.ts';
import { describeFault } from '../web/kit/http/describe-fault.ts';
import type { RateLimit } from './settings.ts';
import {
  answerAlone,
  askFor,
  describe,
  isForgettable,
  openBucket,
  passTick,
  takeLease,
  takeToken,
  TICK_MS,
  type BucketAnswer,
  type TokenBucket,
} from './token-bucket.ts';

/** Buckets of a statement at most. */
const BATCH_MAX = 500;
/** Ticks that requests wait for a lease, and after which one that failed is tried again: a second. */
const PATIENCE_TICKS = 5;

export interface LeasedBuckets {
  /** Takes one token from the bucket of a name, if there is one; waits only where a lease must tell. */
  take(name: string, limit: RateLimit): BucketAnswer | Promise<BucketAnswer>;
  /** The same without taking: what this process knows. */
  look(name: string, limit: RateLimit): BucketAnswer;
  /** Gives back what is in hand. */
  stop(): Promise<void>;
}

interface LeasedBucketsDeps {
  readonly db: Pick<Database, 'query'>;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** Buckets in memory; of the one unused for longest the rest is given back. */
  readonly namesMax: number;
  /** What a bucket is called in the database. */
  readonly storedName?: (name: string) => string;
  /** From 0 to 1; spreads the processes' looks. */
  readonly random?: () => number;
}

/**
 * Token buckets that every process shares. The tokens are in PostgreSQL; a process takes as many as its
 * callers will need until the next look, in one statement for all of its buckets five times a second, and
 * gives back what it did not need. A caller that needs more waits for a lease of its own. While PostgreSQL
 * does not answer, each process counts for itself, at the full rate.
 */
export function createLeasedBuckets(deps: LeasedBucketsDeps): LeasedBuckets {
  const { storedName = (name: string) => name, random = Math.random } = deps;
  const buckets = new Map<string, TokenBucket>();
  const due = new Set<TokenBucket>();
  let running: Promise<void> | null = null;
  let runningTicks = 0;
  let isAlone = false;
  let restTicks = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function goAlone(error: unknown): void {
    if (!isAlone) {
      deps.log.warn(
        { fault: describeFault(error) },
        'rate limits are counted by this process alone',
      );
    }
    isAlone = true;
    restTicks = PATIENCE_TICKS;
    for (const bucket of [...due, ...buckets.values()]) answerAlone(bucket);
    due.clear();
  }

  async function leaseBatch(batch: readonly TokenBucket[]): Promise<void> {
    const owed = batch.map((bucket) => bucket.owed);
    const asks = batch.map((bucket) => askFor(bucket, isStopped || bucket.isDropped));
    try {
      runningTicks = 0;
      const leases = await leaseRateTokens(deps.db, asks);
      isAlone = false;
      for (const [index, bucket] of batch.entries()) {
        const lease = leases[index];
        if (lease === undefined) throw new Error('a lease answers one row a bucket');
        takeLease(bucket, owed[index] ?? 0, lease);
        if (bucket.waiting.length > 0) due.add(bucket);
      }
    } catch (error) {
      for (const bucket of batch) due.add(bucket);
      goAlone(error);
    }
  }

  async function leaseAll(): Promise<void> {
    while (due.size > 0) {
      const batch = [...due].slice(0, BATCH_MAX);
      for (const bucket of batch) due.delete(bucket);
      await leaseBatch(batch);
    }
    running = null;
  }

  const lease = (): Promise<void> =>
    due.size === 0 && running === null ? Promise.resolve() : (running ??= leaseAll());

  function tick(): void {
    timer = undefined;
    runningTicks += 1;
    restTicks -= 1;
    if (running !== null && runningTicks > PATIENCE_TICKS && !isAlone) {
      goAlone(new Error('no lease within a second'));
    }
    for (const [name, bucket] of buckets) {
      if (passTick(bucket, isAlone)) due.add(bucket);
      else if (isForgettable(bucket)) buckets.delete(name);
    }
    if (isAlone) tryAgain();
    void lease();
    schedule();
  }

  /** With one bucket, whether or not it has something to ask for. */
  function tryAgain(): void {
    due.clear();
    const newest = [...buckets.values()].at(-1);
    if (restTicks <= 0 && newest !== undefined) due.add(newest);
  }

  function schedule(): void {
    if (timer !== undefined || isStopped || buckets.size === 0) return;
    timer = setTimeout(tick, TICK_MS * (0.9 + 0.2 * random()));
    timer.unref();
  }

  /** The bucket of a name, as the one used last. */
  function bucketOf(name: string, limit: RateLimit): TokenBucket {
    const known = buckets.get(name);
    const bucket = known ?? openBucket(storedName(name), limit);
    if (known !== undefined) buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size > deps.namesMax) dropOldest();
    schedule();
    return bucket;
  }

  function dropOldest(): void {
    const oldest = buckets.entries().next().value;
    if (oldest === undefined) return;
    const [name, bucket] = oldest;
    buckets.delete(name);
    bucket.isDropped = true;
    if (bucket.inHand + bucket.owed > 0) due.add(bucket);
  }

  return {
    take(name, limit) {
      const bucket = bucketOf(name, limit);
      bucket.asked += 1;
      const isGranted = takeToken(bucket, isAlone);
      if (isGranted !== undefined) return describe(bucket, isGranted, isAlone);
      // More can never be granted at once.
      if (bucket.waiting.length >= limit.burst) return describe(bucket, false);
      return new Promise((resolve) => {
        bucket.waiting.push(resolve);
        due.add(bucket);
        void lease();
      });
    },
    look(name, limit) {
      const bucket = buckets.get(name) ?? openBucket('', limit);
      return describe(bucket, true, isAlone);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      for (const bucket of buckets.values()) if (bucket.inHand + bucket.owed > 0) due.add(bucket);
      if (!isAlone) await lease();
    },
  };
}
