import { toPage, type Page, type PageRequest } from '../domain/lists.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

/** Events of the log that an endpoint is sent again (REQUESTED), or that it has missed (MISSED). */
export interface WebhookReplayRow {
  readonly id: string;
  readonly seq: bigint;
  readonly endpointId: string;
  readonly reason: 'REQUESTED' | 'MISSED';
  readonly fromAt: Date | null;
  readonly toAt: Date | null;
  /** Types of events; null: all. */
  readonly types: readonly string[] | null;
  readonly onlyFailed: boolean;
  readonly cursorSeq: bigint;
  readonly status: 'RUNNING' | 'COMPLETED';
  readonly queued: bigint;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

const COLUMNS = `id, seq, endpoint_id AS "endpointId", reason, from_at AS "fromAt", to_at AS "toAt", types,
  only_failed AS "onlyFailed", cursor_seq AS "cursorSeq", status, queued, created_at AS "createdAt",
  completed_at AS "completedAt"`;

export type NewWebhookReplay = Pick<
  WebhookReplayRow,
  'id' | 'endpointId' | 'reason' | 'fromAt' | 'toAt' | 'types' | 'onlyFailed'
> & {
  /** The seq before the first event that is meant. */
  readonly afterSeq: bigint;
  readonly at: Date;
};

/** Stores a replay of the events that are in the log by now; its endpoint's drain does the work. */
export async function insertReplay(
  tx: ScopedTransaction,
  scope: Scope,
  replay: NewWebhookReplay,
): Promise<WebhookReplayRow> {
  const [row] = await tx.query<WebhookReplayRow>(
    `INSERT INTO webhook_replays (customer_id, environment, id, endpoint_id, reason, from_at, to_at, types,
       only_failed, cursor_seq, until_seq, created_at)
     SELECT :customerId, :environment, :id, :endpointId, :reason, :fromAt::timestamptz,
       :toAt::timestamptz, :types::text[], :onlyFailed, :afterSeq,
       coalesce(max(e.seq), 0), :at
     FROM events e WHERE e.customer_id = :customerId AND e.environment = :environment
     RETURNING ${COLUMNS}`,
    { customerId: scope.customerId, environment: scope.environment, ...replay },
  );
  if (row === undefined) throw new Error('a replay was not stored');
  return row;
}

export async function findReplay(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
  id: string,
): Promise<WebhookReplayRow | null> {
  const rows = await tx.query<WebhookReplayRow>(
    `SELECT ${COLUMNS} FROM webhook_replays
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND id = $4`,
    [customerId, environment, endpointId, id],
  );
  return rows[0] ?? null;
}

export async function listReplays(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
  page: PageRequest,
): Promise<Page<WebhookReplayRow>> {
  const rows = await tx.query<WebhookReplayRow>(
    `SELECT ${COLUMNS} FROM webhook_replays
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3
       AND ($4::bigint IS NULL OR seq < $4) ORDER BY seq DESC LIMIT $5`,
    [customerId, environment, endpointId, page.before, page.limit + 1],
  );
  return toPage(rows, page.limit);
}

/** The endpoint's oldest replay that is not over, locked; null where there is none. */
export async function lockRunningReplay(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
): Promise<WebhookReplayRow | null> {
  const rows = await tx.query<WebhookReplayRow>(
    `SELECT ${COLUMNS} FROM webhook_replays
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND status = 'RUNNING'
     ORDER BY seq LIMIT 1 FOR NO KEY UPDATE`,
    [customerId, environment, endpointId],
  );
  return rows[0] ?? null;
}

/** Whatever waits for its first attempt is left as it is: it will be sent, and in its turn. */
const QUEUE_AGAIN = `UPDATE SET status = 'PENDING', attempts = 0, next_attempt_at = :at,
  delivered_at = NULL WHERE NOT (d.status = 'PENDING' AND d.attempts = 0)`;

/**
 * Queues the next `limit` events of a replay for its endpoint, and moves its cursor behind them; it is
 * COMPLETED with the last of them. One statement: a crash leaves the page for the next run.
 */
export async function queueReplayPage(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  replay: WebhookReplayRow,
  { limit, at }: { readonly limit: number; readonly at: Date },
): Promise<void> {
  const onConflict = replay.reason === 'MISSED' ? 'NOTHING' : QUEUE_AGAIN;
  await tx.query(
    `WITH page AS (
       SELECT e.id, e.seq, e.resource_id, e.resource_version
       FROM events e JOIN webhook_replays r ON r.id = :id
       WHERE e.customer_id = :customerId AND e.environment = :environment
         AND e.seq > :cursorSeq AND e.seq <= r.until_seq
         AND (r.from_at IS NULL OR e.created_at >= r.from_at)
         AND (r.to_at IS NULL OR e.created_at < r.to_at)
         AND (r.types IS NULL OR e.type = ANY (r.types))
         AND (NOT r.only_failed OR EXISTS (
           SELECT FROM webhook_deliveries f WHERE f.endpoint_id = r.endpoint_id AND f.event_id = e.id
             AND f.status <> 'DELIVERED'))
       ORDER BY e.seq LIMIT :limit
     ), queued AS (
       INSERT INTO webhook_deliveries AS d (customer_id, environment, endpoint_id, event_id, resource_id,
         resource_version, next_attempt_at)
       SELECT :customerId, :environment, :endpointId, id, resource_id, resource_version, :at
       FROM page ORDER BY seq
       ON CONFLICT (endpoint_id, event_id) DO ${onConflict}
       RETURNING event_id
     ), turn AS (
       SELECT count(*) AS events, max(seq) AS last, (SELECT count(*) FROM queued) AS queued FROM page
     )
     UPDATE webhook_replays r SET queued = r.queued + turn.queued,
       cursor_seq = coalesce(turn.last, r.until_seq),
       status = CASE WHEN turn.events < :limit THEN 'COMPLETED' ELSE r.status END,
       completed_at = CASE WHEN turn.events < :limit THEN :at::timestamptz END
     FROM turn
     WHERE r.customer_id = :customerId AND r.environment = :environment AND r.id = :id`,
    {
      ...{ customerId, environment, limit, at },
      ...{ id: replay.id, endpointId: replay.endpointId, cursorSeq: replay.cursorSeq },
    },
  );
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

export interface EventAgain {
  readonly eventId: string;
  readonly endpointId: string | null;
  /** What an endpoint may have subscribed to for it. */
  readonly subscriptions: readonly string[];
  readonly at: Date;
}
