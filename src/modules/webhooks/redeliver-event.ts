import type { ScopedTransaction } from '../../db/client/database.ts';
import { findEventBody } from '../../db/webhooks/event-list-store.ts';
import { findEndpoint } from '../../db/webhooks/webhook-endpoint-store.ts';
import { queueEvent } from '../../db/webhooks/webhook-queue-store.ts';
import { wakeAfterCommit } from '../../db/webhooks/wake-after-commit.ts';
import type { Clock } from '../../domain/clock.ts';
import { refuseField } from '../../domain/errors/refusal.ts';
import { requireFound } from '../../domain/errors/require-found.ts';
import { subscriptionsFor } from '../../domain/webhooks/events/envelope.ts';
import type { Scope } from '../../domain/scope.ts';

interface RedeliveryOrder {
  readonly eventId: string;
  /** Null: every enabled endpoint that subscribes to the event. */
  readonly endpointId: string | null;
  /** Events before this are not in the log any more. */
  readonly since: Date;
}

/**
 * Has one event sent again, under its id, and answers the endpoints that it goes to: not those for which
 * it waits to be sent the first time. Refuses with not_found, resource_not_found and
 * webhook_endpoint_disabled.
 */
export async function redeliverEvent(
  deps: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { eventId, endpointId, since }: RedeliveryOrder,
): Promise<string[]> {
  const body = requireFound(await findEventBody(tx, scope, eventId, since));
  if (endpointId !== null) await requireEnabled(tx, scope, endpointId);
  const { type } = JSON.parse(body) as { type: string };
  const at = deps.clock.now();
  const subscriptions = subscriptionsFor(type);
  const endpointIds = await queueEvent(tx, scope, { eventId, endpointId, subscriptions, at });
  wakeAfterCommit(tx, endpointIds);
  return endpointIds;
}

async function requireEnabled(tx: ScopedTransaction, scope: Scope, id: string): Promise<void> {
  const endpoint = await findEndpoint(tx, scope, id);
  const path = '/webhookEndpointId';
  if (endpoint === null)
    throw refuseField('resource_not_found', path, 'The webhook endpoint does not exist.');
  if (endpoint.status !== 'ENABLED') {
    throw refuseField(
      'webhook_endpoint_disabled',
      path,
      'The webhook endpoint is disabled. Enable it first.',
    );
  }
}
