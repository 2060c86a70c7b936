import ipaddr from 'ipaddr.js';
import type { Environment } from '../domain/scope.ts';
import type { Variables } from './variables.ts';

/** A token bucket: refilled at `perSecond`, holding `burst` at most. */
interface RateLimitConfig {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateLimitsConfig {
  readonly requests: Readonly<Record<Environment, RateLimitConfig>>;
  readonly payments: Readonly<Record<Environment, RateLimitConfig>>;
  readonly failedAuthenticationsPerMinute: number;
}

export interface HttpConfig {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Where partners reach the API; made from host and port where PUBLIC_URL is not set. */
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly rateLimits: RateLimitsConfig;
  readonly webhookAllowPrivateInTest: boolean;
}

const STRICT: RateLimitsConfig = {
  requests: { test: { perSecond: 25, burst: 25 }, live: { perSecond: 100, burst: 100 } },
  payments: { test: { perSecond: 25, burst: 25 }, live: { perSecond: 20, burst: 40 } },
  failedAuthenticationsPerMinute: 10,
};

const RELAXED_LIMIT = { perSecond: 10_000, burst: 10_000 };
const RELAXED: RateLimitsConfig = {
  requests: { test: RELAXED_LIMIT, live: RELAXED_LIMIT },
  payments: { test: RELAXED_LIMIT, live: RELAXED_LIMIT },
  failedAuthenticationsPerMinute: 600_000,
};

/** Reads what the HTTP surface needs. `isRelaxed` is how dev, demo and tests start. */
export function readHttpConfig(variables: Variables, isRelaxed: boolean): HttpConfig {
  const host = variables.text('HOST', '127.0.0.1');
  const port = variables.integer('PORT', 8080, [0, 65_535]);
  const limits = variables.choice(
    'RATE_LIMITS',
    ['default', 'relaxed'],
    isRelaxed ? 'relaxed' : 'default',
  );
  return {
    host,
    port,
    publicUrl: variables.url('PUBLIC_URL') ?? `http://${urlHost(host)}:${String(port)}`,
    trustedProxies: readRanges(variables),
    rateLimits: limits === 'relaxed' ? RELAXED : readRateLimits(variables),
    webhookAllowPrivateInTest: variables.boolean('WEBHOOK_ALLOW_PRIVATE_IN_TEST', isRelaxed),
  };
}

function readRateLimits(variables: Variables): RateLimitsConfig {
  const limit = (name: string, fallback: { perSecond: number; burst: number }) => {
    const range = [1, 1_000_000] as const;
    const perSecond = variables.integer(`${name}_PER_SECOND`, fallback.perSecond, range);
    const burstFallback = Math.max(perSecond, fallback.burst);
    return { perSecond, burst: variables.integer(`${name}_BURST`, burstFallback, range) };
  };
  return {
    requests: {
      test: limit('TEST_RATE', STRICT.requests.test),
      live: limit('LIVE_RATE', STRICT.requests.live),
    },
    payments: {
      test: limit('TEST_PAYMENT_RATE', STRICT.payments.test),
      live: limit('LIVE_PAYMENT_RATE', STRICT.payments.live),
    },
    failedAuthenticationsPerMinute: variables.integer(
      'FAILED_AUTHENTICATIONS_PER_MINUTE',
      STRICT.failedAuthenticationsPerMinute,
      [1, 1_000_000],
    ),
  };
}

// A number of hops is no setting: whoever comes past the proxy could then write any address.
function readRanges(variables: Variables): string[] {
  const ranges = variables.list('TRUSTED_PROXIES');
  if (!ranges.every((range) => ipaddr.isValidCIDR(range))) {
    variables.problem('TRUSTED_PROXIES must be CIDR ranges with commas between, as 10.0.0.0/8');
    return [];
  }
  return ranges;
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
