import type { Clock } from '../domain/clock.ts';
import type { RateLimit } from './settings.ts';

/** The state of a bucket after it was asked. */
export interface BucketAnswer {
  readonly isGranted: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds until there is a token again, or until the bucket is full where there is one now; at least 1. */
  readonly resetSeconds: number;
}

export interface TokenBuckets {
  /** Takes one token from the bucket of a name, if there is one. */
  take(name: string, limit: RateLimit): BucketAnswer;
  /** The same without taking. */
  look(name: string, limit: RateLimit): BucketAnswer;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Token buckets by name, `namesMax` at most: the one unused for longest is forgotten, which can only
 * give its owner tokens back. One process counts for itself.
 */
export function createTokenBuckets(clock: Clock, namesMax: number): TokenBuckets {
  const buckets = new Map<string, Bucket>();

  function refilled(name: string, limit: RateLimit): Bucket {
    const nowMs = clock.now().getTime();
    const bucket = buckets.get(name) ?? { tokens: limit.burst, atMs: nowMs };
    // A clock that steps back must not take tokens away.
    const elapsedSeconds = Math.max(0, nowMs - bucket.atMs) / 1000;
    bucket.tokens = Math.min(limit.burst, bucket.tokens + elapsedSeconds * limit.perSecond);
    bucket.atMs = nowMs;
    return bucket;
  }

  function describe(bucket: Bucket, limit: RateLimit, isGranted: boolean): BucketAnswer {
    const wanted = bucket.tokens >= 1 ? limit.burst : 1;
    const seconds = (wanted - bucket.tokens) / limit.perSecond;
    return {
      isGranted,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.max(1, Math.ceil(seconds)),
    };
  }

  return {
    take(name, limit) {
      const bucket = refilled(name, limit);
      const isGranted = bucket.tokens >= 1;
      if (isGranted) bucket.tokens -= 1;
      buckets.delete(name);
      buckets.set(name, bucket);
      if (buckets.size > namesMax) {
        const [oldest] = buckets.keys();
        if (oldest !== undefined) buckets.delete(oldest);
      }
      return describe(bucket, limit, isGranted);
    },
    look(name, limit) {
      const bucket = refilled(name, limit);
      return describe(bucket, limit, bucket.tokens >= 1);
    },
  };
}
