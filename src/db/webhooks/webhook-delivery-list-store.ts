import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

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

interface DeliveryFilter {
  readonly endpointId: string;
  readonly status?: DeliveryStatus;
  readonly resourceId?: string;
}

/** Written out, not given as a value: the planner must see it to use the index of the undelivered ones. */
const OF_STATUS: Readonly<Record<DeliveryStatus, string>> = {
  PENDING: `AND d.status = 'PENDING'`,
  DELIVERED: `AND d.status = 'DELIVERED'`,
  EXHAUSTED: `AND d.status = 'EXHAUSTED'`,
};
/** A resource has few events: they are looked up, not filtered out of all deliveries. */
const OF_RESOURCE = `AND d.event_id = ANY (ARRAY(SELECT o.id FROM events o
  WHERE o.customer_id = :customerId AND o.environment = :environment AND o.resource_id = :resourceId))`;

/** Deliveries to an endpoint, those first queued last come first. */
export async function listDeliveries(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endpointId, status, resourceId }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<DeliveryListRow>> {
  const rows = await tx.query<DeliveryListRow>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d JOIN events e ON e.id = d.event_id
     WHERE ${OF_ENDPOINT} ${status === undefined ? '' : OF_STATUS[status]}
       ${resourceId === undefined ? '' : OF_RESOURCE}
       AND (:before::bigint IS NULL OR d.seq < :before)
     ORDER BY d.seq DESC LIMIT :rows`,
    {
      ...{ customerId, environment, endpointId, before: page.before, rows: page.limit + 1 },
      ...(resourceId === undefined ? {} : { resourceId }),
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

/** Attempts of a delivery that are shown. */
const ATTEMPTS_MAX = 50;

/** The newest 50 attempts of a delivery, newest first. */
export async function readAttempts(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endpointId, eventId }: { readonly endpointId: string; readonly eventId: string },
): Promise<AttemptListRow[]> {
  return tx.query<AttemptListRow>(
    `SELECT number, at, duration_ms AS "durationMs", status_code AS "statusCode", error, answer
     FROM webhook_attempts
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND event_id = $4
     ORDER BY id DESC LIMIT $5`,
    [customerId, environment, endpointId, eventId, ATTEMPTS_MAX],
  );
}
