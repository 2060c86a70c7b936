import { renderEnvelope, subscriptionsFor, type EventDraft } from '../domain/events/envelope.ts';
import type { Scope } from '../domain/scope.ts';
import type { Transaction } from './database.ts';
import { newId } from './new-id.ts';

/**
 * Writes an event, a delivery for every endpoint that subscribes to it, and flips the wakes of
 * those endpoints: always in the transaction of the change it tells of. `$1..$9` are its values.
 */
export const RECORD_EVENT_CTES = `
  new_event AS (
    INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
      resource_version, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ),
  subscribers AS (
    SELECT id, wake_pending FROM webhook_endpoints
    WHERE customer_id = $2 AND environment = $3 AND status = 'ENABLED' AND types && $10::text[]
  ),
  new_deliveries AS (
    INSERT INTO webhook_deliveries (customer_id, environment, endpoint_id, event_id, resource_id,
      resource_version, next_attempt_at)
    SELECT $2, $3, id, $1, $6, $7, $9 FROM subscribers
  ),
  to_ring AS (
    SELECT id FROM webhook_endpoints
    WHERE id IN (SELECT id FROM subscribers WHERE NOT wake_pending) ORDER BY id FOR NO KEY UPDATE
  ),
  wakes AS (
    UPDATE webhook_endpoints SET wake_pending = true WHERE id IN (SELECT id FROM to_ring) AND NOT wake_pending
    RETURNING id
  )`;

/** The ten values of `RECORD_EVENT_CTES`, in order. */
export function eventValues(scope: Scope, draft: EventDraft, at: Date): readonly unknown[] {
  const id = newId('evt');
  return [
    id,
    scope.customerId,
    scope.environment,
    draft.type,
    draft.resourceType,
    draft.resourceId,
    draft.resourceVersion,
    renderEnvelope(draft, { id, at, environment: scope.environment }),
    at,
    subscriptionsFor(draft.type),
  ];
}

/** Records one event in the running transaction. A second one for the same version is refused. */
export async function recordEvent(
  tx: Transaction,
  scope: Scope,
  draft: EventDraft,
  at: Date,
): Promise<void> {
  const wakes = await tx.query<{ id: string }>(
    `WITH ${RECORD_EVENT_CTES} SELECT id FROM wakes`,
    eventValues(scope, draft, at),
  );
  for (const wake of wakes) tx.noteWake(wake.id);
}
