import { toPage, type Page, type PageRequest } from '../domain/lists.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'EXHAUSTED';

/** What became of one event at one endpoint. */
export interface DeliveryListRow {
  readonly seq: bigint;
  readonly eventId: string;
  readonly type: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly resourceVersion: number;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Of one that is PENDING. */
  readonly nextAttemptAt: Date | null;
  readonly lastAttemptAt: Date | null;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly deliveredAt: Date | null;
  /** When what it tells of happened. */
  readonly createdAt: Date;
}

export interface AttemptListRow {
  readonly number: number;
  readonly at: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Sealed: see `webhooks/attempt-answer.ts`. */
  readonly answer: Buffer | null;
}

const COLUMNS = `d.seq, d.event_id AS "eventId", e.type, e.resource_type AS "resourceType",
  d.resource_id AS "resourceId", d.resource_version AS "resourceVersion", d.status, d.attempts,
  CASE WHEN d.status = 'PENDING' THEN d.next_attempt_at END AS "nextAttemptAt",
  d.last_attempt_at AS "lastAttemptAt", d.last_status_code AS "lastStatusCode",
  d.last_error AS "lastError", d.delivered_at AS "deliveredAt", e.created_at AS "createdAt"`;

const OF_ENDPOINT = `d.customer_id = :customerId AND d.environment = :environment
  AND d.endpoint_id = :endpointId`;

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly status?: DeliveryStatus;
}

/** Deliveries to an endpoint, newest event first. */
export async function listDeliveries(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endpointId, status }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryListRow>> {
  const rows = await tx.query<DeliveryListRow>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
     WHERE ${OF_ENDPOINT} ${status === undefined ? '' : 'AND d.status = :status'}
       AND (:before::bigint IS NULL OR d.seq < :before)
     ORDER BY d.seq DESC LIMIT :rows`,
    {
      ...{ customerId, environment, endpointId, before: page.before, rows: page.limit + 1 },
      ...(status === undefined ? {} : { status }),
    },
  );
  return toPage(rows, page.limit);
}

export async function findDelivery(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endpointId, eventId }: { readonly endpointId: string; readonly eventId: string },
): Promise<DeliveryListRow | null> {
  const rows = await tx.query<DeliveryListRow>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
     WHERE ${OF_ENDPOINT} AND d.event_id = :eventId`,
    { customerId, environment, endpointId, eventId },
  );
  return rows[0] ?? null;
}

/** The newest `limit` attempts of a delivery, newest first. */
export async function readAttempts(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endpointId, eventId }: { readonly endpointId: string; readonly eventId: string },
  limit: number,
): Promise<AttemptListRow[]> {
  return tx.query<AttemptListRow>(
    `SELECT number, at, duration_ms AS "durationMs", status_code AS "statusCode", error, answer
     FROM webhook_attempts
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND event_id = $4
     ORDER BY id DESC LIMIT $5`,
    [customerId, environment, endpointId, eventId, limit],
  );
}

export interface EndpointHealthRow {
  readonly lastSuccessAt: Date | null;
  /** Deliveries that wait, of 10,000 at the most. */
  readonly backlog: bigint;
  /** From what happened to its delivery: the median of the newest 100, milliseconds. */
  readonly medianDelayMs: number | null;
}

/** How an endpoint is doing. */
export async function readEndpointHealth(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
): Promise<EndpointHealthRow> {
  const [row] = await tx.query<EndpointHealthRow>(
    `WITH newest AS (
       SELECT a.at, a.at - e.created_at AS delay
       FROM webhook_attempts a JOIN events e ON e.id = a.event_id
       WHERE a.customer_id = :customerId AND a.environment = :environment
         AND a.endpoint_id = :endpointId AND a.error IS NULL
       ORDER BY a.id DESC LIMIT 100
     )
     SELECT (SELECT max(at) FROM newest) AS "lastSuccessAt",
       (SELECT count(*) FROM (SELECT FROM webhook_deliveries d
          WHERE ${OF_ENDPOINT} AND d.status = 'PENDING' LIMIT 10000) AS waiting) AS backlog,
       (SELECT round(1000 * percentile_cont(0.5)
          WITHIN GROUP (ORDER BY greatest(0, extract(epoch FROM delay)::float8)))::integer
        FROM newest) AS "medianDelayMs"`,
    { customerId, environment, endpointId },
  );
  if (row === undefined) throw new Error('an aggregate answers one row');
  return row;
}
