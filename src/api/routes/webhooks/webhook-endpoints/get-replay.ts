import { Type } from 'typebox';
import { findEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { findReplay } from '../../../../db/webhooks/webhook-replay-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { renderReplay } from '../../../../modules/webhooks/delivery-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { WebhookReplay } from '../../../schemas/webhook-delivery.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';

/** GET /webhook-endpoints/:webhookEndpointId/replays/:webhookReplayId */
export function getWebhookReplay(app: App, deps: HttpDeps): void {
  app.get(
    '/webhook-endpoints/:webhookEndpointId/replays/:webhookReplayId',
    {
      config: { permission: 'webhook-endpoints:read' },
      schema: {
        operationId: 'getWebhookReplay',
        summary: 'Read a replay',
        tags: ['Webhooks'],
        params: Type.Object({
          ...WebhookEndpointPath.properties,
          webhookReplayId: Type.String({ description: 'The id of the replay.' }),
        }),
        response: { 200: WebhookReplay, ...errorResponses([]) },
      },
    },
    ({ scope, params }) =>
      deps.db.read(scope, async (tx) => {
        const { webhookEndpointId, webhookReplayId } = params;
        const { id } = requireFound(await findEndpoint(tx, scope, webhookEndpointId));
        const row = await findReplay(tx, scope, id, webhookReplayId);
        return renderReplay(requireFound(row));
      }),
  );
}
