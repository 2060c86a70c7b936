import type { FastifyReply } from 'fastify';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { networkOf } from '../client-address.ts';
import type { RateLimit, RateLimitSettings } from '../settings.ts';
import { createTokenBuckets, type BucketAnswer } from '../token-buckets.ts';

const BUCKETS_MAX = 10_000;

export interface RateLimits {
  /** Announces the policy that holds before the caller is known: the one for failed authentication. */
  announce(reply: FastifyReply, address: string): void;
  /** Charges a request that is authenticated; 429 where its customer has none left. */
  charge(reply: FastifyReply, scope: Scope, isPayment: boolean): void;
  /** Counts a failed authentication; 429 instead of 401 from the eleventh within a minute on. */
  chargeFailure(reply: FastifyReply, address: string): void;
}

interface Charge {
  readonly policy: string;
  readonly limit: RateLimit;
  readonly answer: BucketAnswer;
}

/**
 * Token buckets per customer and environment and, for failures of authentication only, per address.
 * Headers are those of draft-ietf-httpapi-ratelimit-headers: RateLimit-Policy says quota (`q`) and
 * window in seconds (`w`), RateLimit what remains (`r`) and for how long (`t`).
 */
export function createRateLimits(clock: Clock, settings: RateLimitSettings): RateLimits {
  const requests = createTokenBuckets(clock, BUCKETS_MAX);
  const payments = createTokenBuckets(clock, BUCKETS_MAX);
  const failures = createTokenBuckets(clock, BUCKETS_MAX);
  const perMinute = settings.failedAuthenticationsPerMinute;
  const failureLimit: RateLimit = { perSecond: perMinute / 60, burst: perMinute };

  return {
    announce(reply, address) {
      const answer = failures.look(networkOf(address), failureLimit);
      writeHeaders(reply, [{ policy: 'authentication', limit: failureLimit, answer }]);
    },
    charge(reply, scope, isPayment) {
      const name = `${scope.customerId}/${scope.environment}`;
      const limit = settings.requests[scope.environment];
      const charges: Charge[] = [{ policy: 'default', limit, answer: requests.take(name, limit) }];
      if (isPayment) {
        const stricter = settings.payments[scope.environment];
        const answer = payments.take(name, stricter);
        charges.push({ policy: 'payments', limit: stricter, answer });
      }
      writeHeaders(reply, charges);
      refuseIfEmpty(charges);
    },
    chargeFailure(reply, address) {
      const answer = failures.take(networkOf(address), failureLimit);
      const charges = [{ policy: 'authentication', limit: failureLimit, answer }];
      writeHeaders(reply, charges);
      refuseIfEmpty(charges);
    },
  };
}

function writeHeaders(reply: FastifyReply, charges: readonly Charge[]): void {
  void reply.headers({
    'ratelimit-policy': charges
      .map(({ policy, limit }) => {
        const windowSeconds = Math.max(1, Math.ceil(limit.burst / limit.perSecond));
        return `"${policy}";q=${String(limit.burst)};w=${String(windowSeconds)}`;
      })
      .join(', '),
    ratelimit: charges
      .map(({ policy, answer }) => {
        return `"${policy}";r=${String(answer.remaining)};t=${String(answer.resetSeconds)}`;
      })
      .join(', '),
  });
}

function refuseIfEmpty(charges: readonly Charge[]): void {
  const empty = charges.filter(({ answer }) => !answer.isGranted);
  if (empty.length === 0) return;
  const seconds = Math.max(...empty.map(({ answer }) => answer.resetSeconds));
  throw new Refusal(
    'rate_limited',
    `Too many requests (${empty.map(({ policy }) => policy).join(', ')}). Come back in ${String(seconds)} s.`,
    [],
    { 'retry-after': String(seconds) },
  );
}
