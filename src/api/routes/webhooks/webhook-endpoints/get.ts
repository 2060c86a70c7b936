import { readEndpointHealth } from '../../../../db/webhooks/endpoint-health-store.ts';
import { findEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { renderWebhookEndpoint } from '../../../../modules/webhooks/webhook-endpoint-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { WebhookEndpointInFull, WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';

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
        response: { 200: WebhookEndpointInFull, ...errorResponses([]) },
      },
    },
    ({ scope, params }) =>
      deps.db.read(scope, async (tx) => {
        const row = requireFound(await findEndpoint(tx, scope, params.webhookEndpointId));
        const { lastSuccessAt, backlog, medianDelayMs } = await readEndpointHealth(
          tx,
          scope,
          row.id,
        );
        return {
          ...renderWebhookEndpoint(row, deps.clock.now()),
          health: {
            lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
            backlog: Number(backlog),
            medianDelayMs,
          },
        };
      }),
  );
}
