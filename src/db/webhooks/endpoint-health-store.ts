import type { Scope } from '../../domain/scope.ts';
import type { EndpointHealth } from '../../domain/webhooks/endpoint-health.ts';
import type { ScopedTransaction } from '../client/database.ts';
import type { EndpointVersion } from './webhook-endpoint-store.ts';

/** Deliveries are counted up to this; an endpoint may have a million of them. */
const BACKLOG_COUNTED = 10_000;
/** Attempts that the median is of. */
const DELAYS = 100;

export interface EndpointHealthRow {
  readonly lastSuccessAt: Date | null;
  /** Deliveries that wait, of 10,000 at the most. */
  readonly backlog: bigint;
  /** Of the newest 100 first attempts: from the moment at which each was due to its end, milliseconds. */
  readonly medianDelayMs: number | null;
}

/** How an endpoint is doing. Reads a few rows of indexes and the backlog, however much was ever sent. */
export async function readEndpointHealth(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
): Promise<EndpointHealthRow> {
  // In the order of the indexes that hold only what waits: without one a planner that knows of many goes
  // through the whole table to find the first of them.
  const [row] = await tx.query<EndpointHealthRow>(
    `WITH mine AS NOT MATERIALIZED (
       SELECT id, at, error, delay_ms FROM webhook_attempts
       WHERE customer_id = :customerId AND environment = :environment AND endpoint_id = :endpointId
     ), waiting AS NOT MATERIALIZED (
       SELECT seq, attempts FROM webhook_deliveries
       WHERE customer_id = :customerId AND environment = :environment AND endpoint_id = :endpointId
         AND status = 'PENDING'
     )
     SELECT (SELECT at FROM mine WHERE error IS NULL ORDER BY id DESC LIMIT 1) AS "lastSuccessAt",
       (SELECT count(*) FROM (
          (SELECT FROM waiting WHERE attempts = 0 ORDER BY seq LIMIT ${String(BACKLOG_COUNTED)})
          UNION ALL
          (SELECT FROM waiting WHERE attempts > 0 ORDER BY seq LIMIT ${String(BACKLOG_COUNTED)})
          LIMIT ${String(BACKLOG_COUNTED)}) AS counted) AS backlog,
       (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY delay_ms))::integer
        FROM (SELECT delay_ms FROM mine WHERE delay_ms IS NOT NULL
              ORDER BY id DESC LIMIT ${String(DELAYS)}) AS newest) AS "medianDelayMs"`,
    { customerId, environment, endpointId },
  );
  if (row === undefined) throw new Error('a select of scalars answers one row');
  return row;
}

/** Keeps what the last attempts told about an endpoint. No version: health is no change of it. */
export async function recordHealth(
  tx: ScopedTransaction,
  scope: Scope,
  { id, version }: EndpointVersion,
  health: EndpointHealth,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoints SET is_slow = $4, failing_since = $5
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND status <> 'DELETED'
       AND version = $6`,
    [scope.customerId, scope.environment, id, health.isSlow, health.failingSince, version],
  );
}
