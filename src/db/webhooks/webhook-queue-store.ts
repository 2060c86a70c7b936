import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import type { WebhookReplayRow } from './webhook-replay-store.ts';

/** Whatever waits for its first attempt is left as it is: it will be sent, and in its turn. */
const QUEUE_AGAIN = `UPDATE SET status = 'PENDING', attempts = 0, early_attempts = 0,
  next_attempt_at = :at, delivered_at = NULL WHERE NOT (d.status = 'PENDING' AND d.attempts = 0)`;

interface ReplayPage {
  /** The types that are meant; null: all. */
  readonly types: readonly string[] | null;
  /** Events that are queued, and read, at the most: a page is short whatever it leaves out. */
  readonly queuedMax: number;
  readonly readMax: number;
  /** Whether the replay is over once it has reached its end. */
  readonly mayComplete: boolean;
  readonly at: Date;
}

/**
 * Queues the next events of a replay for its endpoint, in the order of the log, and moves its cursor
 * behind them. One statement: a crash leaves the page for the next run. Answers the replay's status.
 */
export async function queueReplayPage(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  replay: WebhookReplayRow,
  page: ReplayPage,
): Promise<WebhookReplayRow['status']> {
  const onConflict = replay.reason === 'MISSED' ? 'NOTHING' : QUEUE_AGAIN;
  const [row] = await tx.query<Pick<WebhookReplayRow, 'status'>>(
    `WITH read AS (
       SELECT id, seq, type, created_at, resource_id, resource_version FROM events
       WHERE customer_id = :customerId AND environment = :environment
         AND seq > :cursorSeq AND seq <= :untilSeq ORDER BY seq LIMIT :readMax
     ), page AS (
       SELECT e.id, e.seq, e.resource_id, e.resource_version FROM read e
       WHERE (:fromAt::timestamptz IS NULL OR e.created_at >= :fromAt)
         AND (:toAt::timestamptz IS NULL OR e.created_at < :toAt)
         AND (:types::text[] IS NULL OR e.type = ANY (:types))
         AND (NOT :onlyFailed::boolean OR EXISTS (
           SELECT FROM webhook_deliveries f WHERE f.endpoint_id = :endpointId AND f.event_id = e.id
             AND f.status <> 'DELIVERED'))
       ORDER BY e.seq LIMIT :queuedMax
     ), queued AS (
       INSERT INTO webhook_deliveries AS d (customer_id, environment, endpoint_id, event_id, resource_id,
         resource_version, next_attempt_at)
       SELECT :customerId, :environment, :endpointId, id, resource_id, resource_version, :at
       FROM page ORDER BY seq
       ON CONFLICT (endpoint_id, event_id) DO ${onConflict}
       RETURNING event_id
     ), reached AS (
       SELECT CASE
         WHEN (SELECT count(*) FROM page) = :queuedMax THEN (SELECT max(seq) FROM page)
         WHEN (SELECT count(*) FROM read) = :readMax THEN (SELECT max(seq) FROM read)
       END AS seq, (SELECT count(*) FROM queued) AS queued
     )
     UPDATE webhook_replays r SET queued = r.queued + reached.queued,
       cursor_seq = coalesce(reached.seq, :untilSeq),
       status = CASE WHEN reached.seq IS NULL AND :mayComplete::boolean THEN 'COMPLETED' ELSE r.status END,
       completed_at = CASE WHEN reached.seq IS NULL AND :mayComplete::boolean THEN :at::timestamptz END
     FROM reached
     WHERE r.customer_id = :customerId AND r.environment = :environment AND r.id = :id
     RETURNING r.status`,
    {
      ...{ customerId, environment, at: page.at, id: replay.id, endpointId: replay.endpointId },
      ...{ cursorSeq: replay.cursorSeq, untilSeq: replay.untilSeq, types: page.types },
      ...{ fromAt: replay.fromAt, toAt: replay.toAt, onlyFailed: replay.onlyFailed },
      ...{ queuedMax: page.queuedMax, readMax: page.readMax, mayComplete: page.mayComplete },
    },
  );
  if (row === undefined) throw new Error('a replay is not in the scope');
  return row.status;
}

/**
 * Queues one event for endpoints of the scope that are enabled: for the one named, or for all that
 * subscribe to it. Answers for which.
 */
export async function queueEvent(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { eventId, endpointId, subscriptions, at }: EventAgain,
): Promise<string[]> {
  const rows = await tx.query<{ endpointId: string }>(
    `INSERT INTO webhook_deliveries AS d (customer_id, environment, endpoint_id, event_id, resource_id,
       resource_version, next_attempt_at)
     SELECT :customerId, :environment, w.id, e.id, e.resource_id, e.resource_version, :at
     FROM events e JOIN webhook_endpoints w
       ON w.customer_id = e.customer_id AND w.environment = e.environment AND w.status = 'ENABLED'
     WHERE e.customer_id = :customerId AND e.environment = :environment AND e.id = :eventId
       AND CASE WHEN :endpointId::text IS NULL THEN w.types && :subscriptions::text[]
         ELSE w.id = :endpointId END
     ORDER BY w.id
     ON CONFLICT (endpoint_id, event_id) DO ${QUEUE_AGAIN}
     RETURNING endpoint_id AS "endpointId"`,
    { customerId, environment, eventId, endpointId, subscriptions, at },
  );
  return rows.map((row) => row.endpointId);
}

interface EventAgain {
  readonly eventId: string;
  readonly endpointId: string | null;
  /** What an endpoint may have subscribed to for it. */
  readonly subscriptions: readonly string[];
  readonly at: Date;
}
