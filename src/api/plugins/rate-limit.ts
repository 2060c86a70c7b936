import type { FastifyReply } from 'fastify';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';
import { networkOf } from '../../web/kit/http/client-address.ts';
import type { HttpDeps, RatePolicy } from '../deps.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { createLeasedBuckets } from '../leased-buckets.ts';
import type { RateLimit } from '../settings.ts';
import type { BucketAnswer } from '../token-bucket.ts';

/** Of customers three each, and of addresses one each. */
const BUCKETS_MAX = 10_000;

/** The purpose under which the vault hashes addresses: the database need not know them. */
const ADDRESS_PURPOSE = 'rate-limit-address';
const ADDRESS_HASH_CHARS = 22;

/** What each policy is called in headers and in the database. */
const BUCKETS: Readonly<Record<RatePolicy, string>> = {
  payments: 'payments',
  paymentBatches: 'payment-batches',
};

export interface RateLimits {
  /** Announces the policy that holds before the caller is known: the one for failed authentication. */
  announce(reply: FastifyReply, address: string): void;
  /** Charges a request that is authenticated; 429 where its customer has none left. */
  charge(reply: FastifyReply, scope: Scope, policy: RatePolicy | undefined): Promise<void>;
  /** Counts a failed authentication; 429 instead of 401 from the eleventh within a minute on. */
  chargeFailure(reply: FastifyReply, address: string): Promise<void>;
}

interface Charge {
  readonly policy: string;
  readonly limit: RateLimit;
  readonly answer: BucketAnswer;
}

/**
 * Token buckets per customer and environment and, for failures of authentication only, per address; all
 * processes share them. Headers are those of draft-ietf-httpapi-ratelimit-headers: RateLimit-Policy says
 * quota (`q`) and window in seconds (`w`), RateLimit what remains (`r`), as far as this process knows,
 * and for how long (`t`).
 */
export function installRateLimits(app: App, { db, vault, settings }: HttpDeps): RateLimits {
  const { rateLimits } = settings;
  const common = { db, log: app.log, namesMax: BUCKETS_MAX };
  const customers = createLeasedBuckets(common);
  // Apart, so that a flood of addresses pushes no customer's bucket out of memory.
  const failures = createLeasedBuckets({ ...common, storedName: addressName });
  app.addHook('onClose', async () => {
    await Promise.all([customers.stop(), failures.stop()]);
  });
  const perMinute = rateLimits.failedAuthenticationsPerMinute;
  const failureLimit: RateLimit = { perSecond: perMinute / 60, burst: perMinute };

  function addressName(network: string): string {
    const hash = vault.briefHash(ADDRESS_PURPOSE, network).toString('base64url');
    return `authentication/${hash.slice(0, ADDRESS_HASH_CHARS)}`;
  }

  return {
    announce(reply, address) {
      const answer = failures.look(networkOf(address), failureLimit);
      writeHeaders(reply, [{ policy: 'authentication', limit: failureLimit, answer }]);
    },
    async charge(reply, { customerId, environment }, policy) {
      const name = `${customerId}/${environment}`;
      const limit = rateLimits.requests[environment];
      const stricter = policy === undefined ? null : rateLimits[policy][environment];
      // Both at once, so that what must wait waits for one lease.
      const [request, own] = await Promise.all([
        customers.take(`requests/${name}`, limit),
        stricter && policy ? customers.take(`${BUCKETS[policy]}/${name}`, stricter) : null,
      ]);
      const charges: Charge[] = [{ policy: 'default', limit, answer: request }];
      if (own !== null && stricter && policy) {
        charges.push({ policy: BUCKETS[policy], limit: stricter, answer: own });
      }
      writeHeaders(reply, charges);
      refuseIfEmpty(charges);
    },
    async chargeFailure(reply, address) {
      const answer = await failures.take(networkOf(address), failureLimit);
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
    `You sent too many requests (${empty.map(({ policy }) => policy).join(', ')}). Wait ${String(seconds)} seconds.`,
    [],
    { 'retry-after': String(seconds) },
  );
}
