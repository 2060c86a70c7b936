import { listDeliveries } from '../../../../db/webhooks/webhook-delivery-list-store.ts';
import { findEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { renderDelivery } from '../../../../modules/webhooks/delivery-view.ts';
import { Type } from 'typebox';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { DeliveryStatus, WebhookDelivery } from '../../../schemas/webhook-delivery.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';

const LIST = 'webhook-deliveries';

/** GET /webhook-endpoints/:webhookEndpointId/deliveries */
export function listWebhookDeliveries(app: App, deps: HttpDeps): void {
  app.get(
    '/webhook-endpoints/:webhookEndpointId/deliveries',
    {
      config: { permission: 'webhook-endpoints:read' },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a webhook endpoint',
        tags: ['Webhooks'],
        params: WebhookEndpointPath,
        querystring: listQuery({
          status: Type.Optional(DeliveryStatus),
          resourceId: Type.Optional(
            Type.String({
              ...{ minLength: 1, maxLength: 64 },
              description: 'Returns only deliveries of events of this resource.',
              examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'],
            }),
          ),
        }),
        response: {
          200: listOf(
            WebhookDelivery,
            'Deliveries, newest first by the time at which they were first queued.',
          ),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    ({ scope, params, query }) =>
      deps.db.list(scope, async (tx) => {
        const { id } = requireFound(await findEndpoint(tx, scope, params.webhookEndpointId));
        const { status, resourceId } = query;
        const filter = {
          endpointId: id,
          ...(status && { status }),
          ...(resourceId && { resourceId }),
        };
        const page = await listDeliveries(tx, scope, filter, pageRequest(query, LIST));
        return listAnswer(page, LIST, renderDelivery);
      }),
  );
}
