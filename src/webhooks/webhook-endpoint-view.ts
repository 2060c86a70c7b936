import type { WebhookEndpointRow } from '../db/webhook-endpoint-store.ts';
import type { EventDraft } from '../domain/events/envelope.ts';
import type { DisableReason } from '../domain/webhooks/endpoint-health.ts';

/** An endpoint as the API shows it. Its secret is shown once, by the answer that creates it. */
export function renderWebhookEndpoint(row: WebhookEndpointRow) {
  return {
    id: row.id,
    url: row.url,
    types: [...row.types],
    description: row.description,
    status: row.status,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Tells the other endpoints of a disabled one; its URL may hold a token and its text a name. */
export function endpointDisabledEvent(row: WebhookEndpointRow, reason: DisableReason): EventDraft {
  return {
    type: 'webhook_endpoint.disabled',
    resourceType: 'webhook_endpoint',
    resourceId: row.id,
    resourceVersion: row.version,
    data: {
      id: row.id,
      types: row.types,
      status: row.status,
      reason,
      version: row.version,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    },
    previous: { status: 'ENABLED' },
  };
}
