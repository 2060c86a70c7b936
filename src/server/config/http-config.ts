import ipaddr from 'ipaddr.js';
import { Type, type Static } from 'typebox';
import type { Environment } from '../../domain/scope.ts';
import { choice, flag, integer, port, text, url } from './setting-types.ts';

/** A token bucket: refilled at `perSecond`, holding `burst` at most. */
interface RateLimitConfig {
  readonly perSecond: number;
  readonly burst: number;
}

interface RateLimitsConfig {
  readonly requests: Readonly<Record<Environment, RateLimitConfig>>;
  readonly payments: Readonly<Record<Environment, RateLimitConfig>>;
  readonly paymentBatches: Readonly<Record<Environment, RateLimitConfig>>;
  readonly failedAuthenticationsPerMinute: number;
}

const RANGE = [1, 1_000_000] as const;

function limit(name: string, perSecond: number, burst: number, description: string) {
  return Type.Object({
    perSecond: integer(`${name}_PER_SECOND`, RANGE, {
      default: perSecond,
      unit: 'requests/s',
      description,
    }),
    burst: integer(`${name}_BURST`, RANGE, {
      default: burst,
      unit: 'requests',
      description: 'how many may come at once; at least the rate',
    }),
  });
}

/** Five years, and the leap days that they can have: anti-money-laundering law of most places. */
const RETENTION_DAYS = 1827;

const retention = (name: string, environment: string) =>
  integer(name, [0, 36_525], {
    default: RETENTION_DAYS,
    unit: 'days',
    description: `how long data of a closed end-user of ${environment} is kept before they may be erased, counted from the closing or their last final payment. Five years unless the law of your place says otherwise`,
  });

/** What the HTTP surface needs. */
export const HTTP = Type.Object({
  host: text('HOST', { default: '127.0.0.1', unit: 'address', description: 'where it listens' }),
  port: port('PORT', 8080, 'where it listens; 0 picks a free one'),
  publicUrl: Type.Optional(
    url('PUBLIC_URL', 'under which partners, end-users and callbacks reach it', {
      defaultText: 'made of host and port',
    }),
  ),
  // A number of hops is no setting: a request that comes past the proxy could then name any address.
  trustedProxies: Type.Array(
    Type.Refine(Type.String(), (range) => ipaddr.isValidCIDR(range)),
    {
      env: 'TRUSTED_PROXIES',
      default: [],
      parse: (given: string) => given.split(',').map((range) => range.trim()),
      must: 'CIDR ranges with commas between, as 10.0.0.0/8',
      unit: 'CIDR list',
      description:
        'proxies whose `X-Forwarded-For` is believed, commas between. A number of hops is no setting',
    },
  ),
  rateLimits: choice(
    'RATE_LIMITS',
    ['default', 'relaxed'],
    '`relaxed`: 10,000 a second for everything, which is what the local run uses; then the limits below do not count',
  ),
  requests: Type.Object({
    test: limit('TEST_RATE', 25, 25, 'per customer, in test'),
    live: limit('LIVE_RATE', 100, 100, 'per customer, in live'),
  }),
  payments: Type.Object({
    test: limit('TEST_PAYMENT_RATE', 25, 25, '`POST /payments`, in test'),
    live: limit('LIVE_PAYMENT_RATE', 20, 40, '`POST /payments`, in live'),
  }),
  paymentBatches: Type.Object({
    test: limit('TEST_PAYMENT_BATCH_RATE', 1, 5, '`POST /payment-batches`, in test'),
    live: limit('LIVE_PAYMENT_BATCH_RATE', 1, 5, '`POST /payment-batches`, in live'),
  }),
  failedAuthenticationsPerMinute: integer('FAILED_AUTHENTICATIONS_PER_MINUTE', RANGE, {
    default: 10,
    unit: 'failures',
    description: 'per address; refuses only further failures, never a valid key',
  }),
  endUserRetentionDays: Type.Object({
    test: retention('TEST_END_USER_RETENTION_DAYS', 'test'),
    live: retention('LIVE_END_USER_RETENTION_DAYS', 'live'),
  }),
  webhookAllowLoopbackInTest: flag(
    'WEBHOOK_ALLOW_LOOPBACK_IN_TEST',
    'webhooks of test may go to plain http and to this machine (127.0.0.0/8, ::1); never in live, and never to a private network. Also read by the worker. `true` in the local run',
  ),
});

const RELAXED_LIMIT = { perSecond: 10_000, burst: 10_000 };
const RELAXED: RateLimitsConfig = {
  requests: { test: RELAXED_LIMIT, live: RELAXED_LIMIT },
  payments: { test: RELAXED_LIMIT, live: RELAXED_LIMIT },
  paymentBatches: { test: RELAXED_LIMIT, live: RELAXED_LIMIT },
  failedAuthenticationsPerMinute: 600_000,
};

export function httpConfig(settings: Static<typeof HTTP>) {
  const { host, port, requests, payments, paymentBatches } = settings;
  const limits: RateLimitsConfig = {
    requests: { test: withRate(requests.test), live: withRate(requests.live) },
    payments: { test: withRate(payments.test), live: withRate(payments.live) },
    paymentBatches: { test: withRate(paymentBatches.test), live: withRate(paymentBatches.live) },
    failedAuthenticationsPerMinute: settings.failedAuthenticationsPerMinute,
  };
  return {
    ...settings,
    publicUrl: settings.publicUrl ?? `http://${urlHost(host)}:${String(port)}`,
    rateLimits: settings.rateLimits === 'relaxed' ? RELAXED : limits,
  };
}

/** A burst below the rate would make the rate unreachable. */
function withRate({ perSecond, burst }: RateLimitConfig): RateLimitConfig {
  return { perSecond, burst: Math.max(perSecond, burst) };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
