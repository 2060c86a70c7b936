import type { Page, PageRequest } from '../../domain/lists.ts';
import { toPage } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Database, ScopedTransaction } from '../client/database.ts';

/** A request that was made with a known key, as it was answered. */
export interface ApiRequest {
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly at: Date;
  readonly method: string;
  /** The pattern of its route, without ids and query. */
  readonly route: string;
  readonly status: number;
  /** The code of the answer's `error`; null where it has none. */
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** Where it came from; null where that cannot be told. */
  readonly address: string | null;
  /** The payment that it made or was about. */
  readonly paymentId: string | null;
}

/**
 * Writes requests of many keys, in the order given, and forgets what lies behind the last 2,000 of each
 * key or is older than 90 days: one statement. What was written before is left out.
 */
export async function writeApiRequests(
  db: Pick<Database, 'query'>,
  requests: readonly ApiRequest[],
  now: Date,
): Promise<void> {
  const entries = requests.map((request) => ({
    ...{ key_id: request.apiKeyId, request_id: request.requestId, at: request.at },
    ...{ method: request.method, route: request.route, status: request.status },
    ...{ error_code: request.errorCode, duration_ms: request.durationMs },
    ...{ address: request.address, payment_id: request.paymentId },
  }));
  await db.query('SELECT write_api_requests($1, $2)', [JSON.stringify(entries), now]);
}

export interface ApiRequestRow extends ApiRequest {
  readonly seq: bigint;
}

export interface ApiRequestFilter {
  readonly apiKeyId?: string;
  readonly requestId?: string;
  /** The payment that it made or was about. */
  readonly paymentId?: string;
  /** The first digit of the status: 2 for 200 to 299. */
  readonly statusClass?: number;
  readonly method?: string;
  /** A part of the route's pattern. */
  readonly route?: string;
}

/** What a filter narrows the log by; it takes the value of the same name. */
const CONDITIONS: Readonly<Record<keyof ApiRequestFilter | 'before', string>> = {
  apiKeyId: 'api_key_id = :apiKeyId',
  requestId: 'request_id = :requestId',
  paymentId: 'payment_id = :paymentId',
  statusClass: 'status / 100 = :statusClass',
  method: 'method = :method',
  route: 'strpos(lower(route), lower(:route)) > 0',
  before: 'seq < :before',
};

/** The request log of a scope, newest first. */
export async function listApiRequests(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  filter: ApiRequestFilter,
  page: PageRequest,
): Promise<Page<ApiRequestRow>> {
  const given = Object.fromEntries(
    Object.entries({ ...filter, before: page.before ?? undefined }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const conditions = Object.keys(given).map((name) => CONDITIONS[name as keyof typeof CONDITIONS]);
  const rows = await tx.query<ApiRequestRow>(
    `SELECT seq, api_key_id AS "apiKeyId", request_id AS "requestId", at, method, route, status,
       error_code AS "errorCode", duration_ms AS "durationMs", host(address) AS address,
       payment_id AS "paymentId"
     FROM api_requests
     WHERE ${['customer_id = :customerId AND environment = :environment', ...conditions].join(' AND ')}
     ORDER BY seq DESC LIMIT :rows`,
    { customerId, environment, ...given, rows: page.limit + 1 },
  );
  return toPage(rows, page.limit);
}

/** An address that a key was refused from: 403 `ip_not_allowed`. */
export interface RefusedAddress {
  readonly address: string;
  readonly lastAt: Date;
  /** How often, in what the log still holds. */
  readonly times: bigint;
}

/** Where a key was refused from for its address and would be again, as nothing on its list has that, the latest first. */
export async function listRefusedAddresses(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  apiKeyId: string,
  limit: number,
): Promise<RefusedAddress[]> {
  return tx.query<RefusedAddress>(
    `SELECT host(r.address) AS address, max(r.at) AS "lastAt", count(*) AS times
     FROM api_requests r
     WHERE r.customer_id = $1 AND r.environment = $2 AND r.api_key_id = $3
       AND r.error_code = 'ip_not_allowed' AND r.address IS NOT NULL
       AND NOT EXISTS (
         SELECT FROM api_key_addresses a WHERE a.customer_id = $1 AND a.environment = $2
           AND a.api_key_id = $3 AND a.status IN ('PENDING', 'APPROVED') AND a.range >>= r.address)
     GROUP BY r.address ORDER BY max(r.seq) DESC LIMIT $4`,
    [customerId, environment, apiKeyId, limit],
  );
}

/** A key as the request log names it. */
export interface LoggedKey {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
}

/** The newest keys of a scope, revoked ones too: what they did stays in the log. */
export async function listLoggedKeys(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  limit: number,
): Promise<LoggedKey[]> {
  return tx.query<LoggedKey>(
    `SELECT id, name, last4 FROM api_keys WHERE customer_id = $1 AND environment = $2
     ORDER BY seq DESC LIMIT $3`,
    [customerId, environment, limit],
  );
}
