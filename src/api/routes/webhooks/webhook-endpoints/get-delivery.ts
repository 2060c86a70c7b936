import { Type } from 'typebox';
import { findDelivery, readAttempts } from '../../../../db/webhooks/webhook-delivery-list-store.ts';
import { findEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { renderDeliveryInFull } from '../../../../modules/webhooks/delivery-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { WebhookDeliveryInFull } from '../../../schemas/webhook-delivery.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';

/** GET /webhook-endpoints/:webhookEndpointId/deliveries/:eventId */
export function getWebhookDelivery(app: App, deps: HttpDeps): void {
  app.get(
    '/webhook-endpoints/:webhookEndpointId/deliveries/:eventId',
    {
      config: { permission: 'webhook-endpoints:read' },
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Read a delivery',
        tags: ['Webhooks'],
        params: Type.Object({
          ...WebhookEndpointPath.properties,
          eventId: Type.String({ description: 'The id of the event.' }),
        }),
        response: { 200: WebhookDeliveryInFull, ...errorResponses([]) },
      },
    },
    ({ scope, params }) =>
      deps.db.read(scope, async (tx) => {
        const { id } = requireFound(await findEndpoint(tx, scope, params.webhookEndpointId));
        const delivery = { endpointId: id, eventId: params.eventId };
        const row = requireFound(await findDelivery(tx, scope, delivery));
        const attempts = await readAttempts(tx, scope, delivery);
        return renderDeliveryInFull(row, id, attempts, deps.vault);
      }),
  );
}
