import { toPage, type Page, type PageRequest } from '../domain/lists.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

export interface EventRow {
  readonly seq: bigint;
  /** The envelope as JSON text: the bytes that are signed and sent. */
  readonly body: string;
}

export interface EventFilter {
  readonly type?: string;
  readonly resourceId?: string;
  /** Older events are not shown. */
  readonly since: Date;
}

/** Events of a scope, newest first. */
export async function listEvents(
  tx: ScopedTransaction,
  scope: Scope,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<EventRow>> {
  const rows = await tx.query<EventRow>(
    `SELECT seq, body FROM events
     WHERE customer_id = :customerId AND environment = :environment AND created_at >= :since
       AND (:type::text IS NULL OR type = :type)
       AND (:resourceId::text IS NULL OR resource_id = :resourceId)
       AND (:before::bigint IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT :rows`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      since: filter.since,
      type: filter.type ?? null,
      resourceId: filter.resourceId ?? null,
      before: page.before,
      rows: page.limit + 1,
    },
  );
  return toPage(rows, page.limit);
}

/** One event's envelope as JSON text; null where the scope has no such event. */
export async function findEventBody(
  tx: ScopedTransaction,
  scope: Scope,
  eventId: string,
  since: Date,
): Promise<string | null> {
  const [row] = await tx.query<{ body: string }>(
    `SELECT body FROM events
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND created_at >= $4`,
    [scope.customerId, scope.environment, eventId, since],
  );
  return row?.body ?? null;
}
