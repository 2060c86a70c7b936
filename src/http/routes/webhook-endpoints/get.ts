import { findEndpoint } from '../../../db/webhook-endpoint-store.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { renderWebhookEndpoint } from '../../../webhooks/webhook-endpoint-view.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { errorResponses } from '../../schemas/error.ts';
import { WebhookEndpoint, WebhookEndpointPath } from '../../schemas/webhook-endpoint.ts';

/** GET /webhook-endpoints/:webhookEndpointId */
export function getWebhookEndpoint(app: App, deps: HttpDeps): void {
  app.get(
    '/webhook-endpoints/:webhookEndpointId',
    {
      config: { permission: 'webhook-endpoints:read' },
      schema: {
        operationId: 'getWebhookEndpoint',
        summary: 'Read a webhook endpoint',
        tags: ['Webhooks'],
        params: WebhookEndpointPath,
        response: { 200: WebhookEndpoint, ...errorResponses([]) },
      },
    },
    async ({ scope, params }) => {
      const row = await deps.db.read(scope, (tx) =>
        findEndpoint(tx, scope, params.webhookEndpointId),
      );
      if (row === null) throw new Refusal('not_found', 'There is no such resource.');
      return renderWebhookEndpoint(row);
    },
  );
}
