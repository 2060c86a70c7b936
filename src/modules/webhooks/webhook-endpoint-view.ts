import type { WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { EventDraft } from '../../domain/webhooks/events/envelope.ts';
import { keysInForce } from '../../domain/webhooks/public-key.ts';

/** An endpoint as the API shows it at a time. Its secret is shown once, by the answer that makes it. */
export function renderWebhookEndpoint(row: WebhookEndpointRow, now: Date) {
  return {
    id: row.id,
    url: row.url,
    types: [...row.types],
    description: row.description,
    thin: row.isThin,
    asymmetric: row.signingKeys !== null,
    publicKeys: keysInForce(row.publicKeys, now),
    status: row.status,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    disabledReason: row.disabledReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Tells of an endpoint's new version: `webhook_endpoint.disabled` where it was disabled, else `.updated`.
 * Its URL may hold a token and its description a name: neither is in it.
 */
export function endpointChangedEvent(
  row: WebhookEndpointRow,
  before: Pick<WebhookEndpointRow, 'status'>,
): EventDraft {
  const isDisabled = row.status === 'DISABLED' && before.status === 'ENABLED';
  return {
    type: isDisabled ? 'webhook_endpoint.disabled' : 'webhook_endpoint.updated',
    resourceType: 'webhook_endpoint',
    resourceId: row.id,
    resourceVersion: row.version,
    data: {
      id: row.id,
      types: row.types,
      thin: row.isThin,
      asymmetric: row.signingKeys !== null,
      status: row.status,
      reason: row.disabledReason,
      version: row.version,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    },
    previous: { status: before.status },
  };
}
