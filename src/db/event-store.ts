import { renderEnvelope, subscriptionsFor, type EventDraft } from '../domain/events/envelope.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';
import { newId } from './new-id.ts';

/**
 * Writes an event, a delivery for every endpoint that subscribes to it, and flips the wakes of
 * those endpoints: always in the transaction of the change it tells of. For `eventValues`.
 */
export const RECORD_EVENT_CTES = `
  new_event AS (
    INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
      resource_version, body, created_at)
    VALUES (:eventId, :customerId, :environment, :type, :resourceType, :resourceId,
      :resourceVersion, :body, :at)
  ),
  subscribers AS (
    SELECT id, wake_pending FROM webhook_endpoints
    WHERE customer_id = :customerId AND environment = :environment AND status = 'ENABLED'
      AND types && :subscriptions::text[]
  ),
  new_deliveries AS (
    INSERT INTO webhook_deliveries (customer_id, environment, endpoint_id, event_id, resource_id,
      resource_version, next_attempt_at)
    SELECT :customerId, :environment, id, :eventId, :resourceId, :resourceVersion, :at
    FROM subscribers
  ),
  to_wake AS (
    SELECT id FROM webhook_endpoints
    WHERE id IN (SELECT id FROM subscribers WHERE NOT wake_pending) ORDER BY id FOR NO KEY UPDATE
  ),
  wakes AS (
    UPDATE webhook_endpoints SET wake_pending = true
    WHERE id IN (SELECT id FROM to_wake) AND NOT wake_pending
    RETURNING id
  )`;

/** The values that `RECORD_EVENT_CTES` names. */
export function eventValues(scope: Scope, draft: EventDraft, at: Date) {
  const id = newId('evt');
  return {
    eventId: id,
    customerId: scope.customerId,
    environment: scope.environment,
    type: draft.type,
    resourceType: draft.resourceType,
    resourceId: draft.resourceId,
    resourceVersion: draft.resourceVersion,
    body: renderEnvelope(draft, { id, at, environment: scope.environment }),
    at,
    subscriptions: subscriptionsFor(draft.type),
  };
}

/** Records one event in the running transaction. A second one for the same version is refused. */
export async function recordEvent(
  tx: ScopedTransaction,
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
