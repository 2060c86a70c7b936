import {
  renderEnvelope,
  subscriptionsFor,
  type EventDraft,
} from '../../domain/webhooks/events/envelope.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { newId } from '../client/new-id.ts';
import { rowSource } from '../client/row-source.ts';
import { wakeAfterCommit } from './wake-after-commit.ts';

const EVENTS = rowSource('event', {
  id: 'text',
  type: 'text',
  resourceType: 'text',
  resourceId: 'text',
  resourceVersion: 'integer',
  body: 'text',
});
const SUBSCRIPTIONS = rowSource('s', { type: 'text', subscription: 'text' });

/**
 * Writes events, a delivery of each for every endpoint that subscribes to it, and flips the wakes of
 * those endpoints: always in the transaction of the changes they tell of. An endpoint that is catching
 * up finds them in the log (`replayMissed`). For `eventValues`.
 */
export const RECORD_EVENTS_CTES = `
  event AS (SELECT * FROM ${EVENTS.sql}),
  new_events AS (
    INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
      resource_version, body, created_at)
    SELECT id, :customerId, :environment, type, resource_type, resource_id, resource_version, body, :at
    FROM event ORDER BY turn
  ),
  subscribed AS (
    SELECT w.id AS endpoint_id, w.wake_pending, event.*
    FROM webhook_endpoints w JOIN event ON w.types && ARRAY(
      SELECT s.subscription FROM ${SUBSCRIPTIONS.sql} WHERE s.type = event.type)
    WHERE w.customer_id = :customerId AND w.environment = :environment AND w.status = 'ENABLED'
      AND NOT w.is_catching_up
  ),
  new_deliveries AS (
    INSERT INTO webhook_deliveries (customer_id, environment, endpoint_id, event_id, resource_id,
      resource_version, next_attempt_at)
    SELECT :customerId, :environment, endpoint_id, id, resource_id, resource_version, :at
    FROM subscribed ORDER BY turn, endpoint_id
  ),
  to_wake AS (
    SELECT id FROM webhook_endpoints
    WHERE id IN (SELECT endpoint_id FROM subscribed WHERE NOT wake_pending)
    ORDER BY id FOR NO KEY UPDATE
  ),
  wakes AS (
    UPDATE webhook_endpoints SET wake_pending = true
    WHERE id IN (SELECT id FROM to_wake) AND NOT wake_pending
    RETURNING id
  )`;

/** The values that `RECORD_EVENTS_CTES` names. All of the events happened at `at`. */
export function eventValues(scope: Scope, drafts: readonly EventDraft[], at: Date) {
  const { customerId, environment } = scope;
  const events = drafts.map((draft) => {
    const id = newId('evt');
    return { ...draft, id, body: renderEnvelope(draft, { id, at, environment }) };
  });
  const types = [...new Set(drafts.map(({ type }) => type))];
  const subscriptions = types.flatMap((type) =>
    subscriptionsFor(type).map((subscription) => ({ type, subscription })),
  );
  return {
    ...{ customerId, environment, at },
    ...EVENTS.values(events),
    ...SUBSCRIPTIONS.values(subscriptions),
  };
}

/** Records one event in the running transaction. A second one for the same version is refused. */
export const recordEvent = (
  tx: ScopedTransaction,
  scope: Scope,
  draft: EventDraft,
  at: Date,
): Promise<void> => recordEvents(tx, scope, [draft], at);

/** The same of several, in their order. */
export async function recordEvents(
  tx: ScopedTransaction,
  scope: Scope,
  drafts: readonly EventDraft[],
  at: Date,
): Promise<void> {
  const wakes = await tx.query<{ id: string }>(
    `WITH ${RECORD_EVENTS_CTES} SELECT id FROM wakes`,
    eventValues(scope, drafts, at),
  );
  wakeAfterCommit(
    tx,
    wakes.map(({ id }) => id),
  );
}
