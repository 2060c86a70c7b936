import ipaddr from 'ipaddr.js';
import { Type, type Static } from 'typebox';
import type { Environment } from '../../domain/scope.ts';
import { inEnvironment, perEnvironment } from './setting-scope.ts';
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

const DEFAULT_LIMITS = {
  requests: { test: { perSecond: 25, burst: 25 }, live: { perSecond: 100, burst: 100 } },
  payments: { test: { perSecond: 25, burst: 25 }, live: { perSecond: 20, burst: 40 } },
  paymentBatches: { test: { perSecond: 1, burst: 5 }, live: { perSecond: 1, burst: 5 } },
} as const;

function limit(name: string, { perSecond, burst }: RateLimitConfig, requests: string) {
  return Type.Object({
    perSecond: integer(`${name}_PER_SECOND`, RANGE, {
      default: perSecond,
      unit: 'requests/s',
      description: `The rate limit of ${requests}, for one customer.`,
    }),
    burst: integer(`${name}_BURST`, RANGE, {
      default: burst,
      unit: 'requests',
      description: `The largest burst of ${requests}, for one customer. A value below the rate counts as the rate.`,
    }),
  });
}

/** Five years, and the leap days that they can have: anti-money-laundering law of most places. */
const RETENTION_DAYS = 1827;

const retention = () =>
  integer('END_USER_RETENTION_DAYS', [0, 36_525], {
    default: RETENTION_DAYS,
    unit: 'days',
    description:
      'The number of days before the data of a closed end-user may be erased. They count from the closing or from the last final payment. The default is five years: check the law of your country.',
  });

/** What the HTTP surface needs. */
export const HTTP = Type.Object({
  host: text('HOST', {
    default: '127.0.0.1',
    unit: 'address',
    description: 'The address that the API and the dashboard listen on.',
  }),
  port: port('PORT', 8080, 'The port that the API listens on. 0 picks a free port.'),
  publicUrl: Type.Optional(
    url('PUBLIC_URL', 'The URL under which partners, end-users, and callbacks reach the API.', {
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
      description: 'The proxies whose `X-Forwarded-For` header is trusted, separated by commas.',
    },
  ),
  rateLimits: choice(
    'RATE_LIMITS',
    ['default', 'relaxed'],
    '`relaxed` allows 10,000 requests per second and ignores the other rate limits. The local run uses it.',
  ),
  requests: perEnvironment((environment) =>
    limit('RATE', DEFAULT_LIMITS.requests[environment], 'all requests'),
  ),
  payments: perEnvironment((environment) =>
    limit('PAYMENT_RATE', DEFAULT_LIMITS.payments[environment], '`POST /payments`'),
  ),
  paymentBatches: perEnvironment((environment) =>
    limit(
      'PAYMENT_BATCH_RATE',
      DEFAULT_LIMITS.paymentBatches[environment],
      '`POST /payment-batches`',
    ),
  ),
  failedAuthenticationsPerMinute: integer('FAILED_AUTHENTICATIONS_PER_MINUTE', RANGE, {
    default: 10,
    unit: 'failures',
    description:
      'The limit of failed authentications of one IP address. A valid key still works above it.',
  }),
  endUserRetentionDays: perEnvironment(retention),
  webhookAllowLoopbackInTest: inEnvironment(
    'test',
    flag(
      'WEBHOOK_ALLOW_LOOPBACK',
      'Allows webhooks over plain HTTP and to this machine (`127.0.0.0/8`, `::1`). Private networks stay refused. The worker reads it too. The local run sets it to `true`.',
    ),
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
