import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** Events of the log that an endpoint is sent again (REQUESTED), or that it has missed (MISSED). */
export interface WebhookReplayRow {
  readonly id: string;
  readonly seq: bigint;
  readonly endpointId: string;
  readonly reason: 'REQUESTED' | 'MISSED';
  readonly fromAt: Date | null;
  readonly toAt: Date | null;
  /**
   * REQUESTED: types of events; null: all. MISSED: what the endpoint has subscribed to since it was
   * enabled, where that changed (`payment.*`, `*`); null: what it subscribes to.
   */
  readonly types: readonly string[] | null;
  readonly onlyFailed: boolean;
  /** Whether all that was being written when it was made has been committed. */
  readonly isSettled: boolean;
  readonly cursorSeq: bigint;
  readonly untilSeq: bigint;
  readonly status: 'RUNNING' | 'COMPLETED';
  readonly queued: bigint;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

const COLUMNS = `id, seq, endpoint_id AS "endpointId", reason, from_at AS "fromAt", to_at AS "toAt", types,
  only_failed AS "onlyFailed", is_settled AS "isSettled", cursor_seq AS "cursorSeq",
  until_seq AS "untilSeq", status, queued, created_at AS "createdAt", completed_at AS "completedAt"`;

type NewWebhookReplay = Pick<
  WebhookReplayRow,
  'id' | 'endpointId' | 'reason' | 'fromAt' | 'toAt' | 'types' | 'onlyFailed'
> & {
  /** The seq before the first event that is meant. */
  readonly afterSeq: bigint;
  readonly at: Date;
};

/** Between clocks of two processes, and an event's moment and its place in the log; much to spare. */
const CLOCKS_APART = `interval '10 minutes'`;

/**
 * Stores a replay of the events that are in the log by now; its endpoint's drain does the work. It reads
 * the log from the last event that is surely too early to the first that is surely too late: what is
 * being written between them is not passed over.
 */
export async function insertReplay(
  tx: ScopedTransaction,
  scope: Scope,
  replay: NewWebhookReplay,
): Promise<WebhookReplayRow> {
  const [row] = await tx.query<WebhookReplayRow>(
    `INSERT INTO webhook_replays (customer_id, environment, id, endpoint_id, reason, from_at, to_at, types,
       only_failed, cursor_seq, until_seq, created_at)
     SELECT :customerId, :environment, :id, :endpointId, :reason, :fromAt::timestamptz,
       :toAt::timestamptz, :types::text[], :onlyFailed,
       greatest(:afterSeq::bigint, (
         SELECT e.seq FROM events e WHERE e.customer_id = :customerId AND e.environment = :environment
           AND e.created_at < :fromAt::timestamptz - ${CLOCKS_APART}
         ORDER BY e.created_at DESC, e.seq DESC LIMIT 1)),
       coalesce((
         SELECT e.seq FROM events e WHERE e.customer_id = :customerId AND e.environment = :environment
           AND e.created_at >= :toAt::timestamptz + ${CLOCKS_APART}
         ORDER BY e.created_at, e.seq LIMIT 1), (
         SELECT max(e.seq) FROM events e
         WHERE e.customer_id = :customerId AND e.environment = :environment), 0), :at
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

/** How many replays of an endpoint are not over. */
export async function countRunningReplays(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
): Promise<number> {
  const [row] = await tx.query<{ running: bigint }>(
    `SELECT count(*) AS running FROM webhook_replays
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND status = 'RUNNING'`,
    [customerId, environment, endpointId],
  );
  return Number(row?.running ?? 0);
}

/**
 * The endpoint's next replay that is not over, locked: what it missed first, then the oldest. Null where
 * there is none.
 */
export async function lockRunningReplay(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
): Promise<WebhookReplayRow | null> {
  const rows = await tx.query<WebhookReplayRow>(
    `SELECT ${COLUMNS} FROM webhook_replays
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND status = 'RUNNING'
     ORDER BY reason = 'MISSED' DESC, seq LIMIT 1 FOR NO KEY UPDATE`,
    [customerId, environment, endpointId],
  );
  return rows[0] ?? null;
}

/** Notes that nothing can be committed any more before the replay's end. Within `Database.exclusive`. */
export async function settleReplay(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id }: WebhookReplayRow,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_replays SET is_settled = true
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [customerId, environment, id],
  );
}

/** Lets a replay reach to the end of the log as it is now. Within `Database.exclusive`. */
export async function extendReplay(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  replay: WebhookReplayRow,
): Promise<WebhookReplayRow> {
  const [row] = await tx.query<WebhookReplayRow>(
    `UPDATE webhook_replays SET until_seq = greatest(until_seq, (
         SELECT coalesce(max(e.seq), 0) FROM events e
         WHERE e.customer_id = $1 AND e.environment = $2))
     WHERE customer_id = $1 AND environment = $2 AND id = $3 RETURNING ${COLUMNS}`,
    [customerId, environment, replay.id],
  );
  if (row === undefined) throw new Error('a replay is not in the scope');
  return row;
}
