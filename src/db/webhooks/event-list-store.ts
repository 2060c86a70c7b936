import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { EventType } from '../../domain/webhooks/event-types.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { TIME_CONDITIONS, timeBounds } from '../client/time-bounds.ts';

interface EventRow {
  readonly seq: bigint;
  /** The envelope as JSON text: the bytes that are signed and sent. */
  readonly body: string;
}

export interface EventFilter {
  /** Any of them; left out: every type, also one of a version that is to come. */
  readonly types?: readonly EventType[];
  readonly resourceId?: string;
  /** Never before the oldest event that is shown. */
  readonly createdAfter: Date;
  readonly createdBefore?: Date;
}

const IN_SCOPE = 'customer_id = :customerId AND environment = :environment';
const NEWEST = 'ORDER BY seq DESC LIMIT :rows';

const TIME_BOUNDS = timeBounds('events');

/**
 * Events of a scope, newest first, that satisfy every filter. About as many rows are read as are shown:
 * each type is a walk of its own, a resource's versions are walked from the last one, and a span of time
 * is turned into sequences first, so that events which wait to be pruned cost nothing either.
 */
export async function listEvents(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { types, resourceId, createdAfter, createdBefore }: EventFilter,
  { before, limit }: PageRequest,
): Promise<Page<EventRow>> {
  if (types?.length === 0) return { items: [], next: null };
  const given = {
    createdAfter,
    ...(createdBefore !== undefined && { createdBefore }),
  };
  const names = Object.keys(given) as (keyof typeof TIME_BOUNDS)[];
  const conditions = [
    IN_SCOPE,
    ...names.map((name) => TIME_CONDITIONS[name]),
    ...(before === null ? [] : ['seq < :before']),
  ].join(' AND ');
  const rows = await tx.query<EventRow>(
    `WITH bounds AS MATERIALIZED (SELECT ${names.map((name) => TIME_BOUNDS[name]).join(', ')}),
       found AS MATERIALIZED (${walk(conditions, types !== undefined, resourceId !== undefined)})
     SELECT seq, body FROM found ${NEWEST}`,
    {
      ...{ customerId, environment, ...given, rows: limit + 1 },
      ...(before !== null && { before }),
      ...(types !== undefined && { types }),
      ...(resourceId !== undefined && { resourceId }),
    },
  );
  return toPage(rows, limit);
}

function walk(conditions: string, hasTypes: boolean, hasResource: boolean): string {
  if (hasResource) {
    // Versions of one resource are recorded one after the other: their order is that of the log.
    return `SELECT seq, body FROM events WHERE resource_id = :resourceId AND ${conditions}
      ${hasTypes ? 'AND type = ANY (:types::text[])' : ''}
      ORDER BY resource_version DESC LIMIT :rows`;
  }
  if (!hasTypes) return `SELECT seq, body FROM events WHERE ${conditions} ${NEWEST}`;
  return `SELECT of_type.seq, of_type.body FROM unnest(:types::text[]) AS wanted (name)
    CROSS JOIN LATERAL (
      SELECT seq, body FROM events WHERE type = wanted.name AND ${conditions} ${NEWEST}) AS of_type`;
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
