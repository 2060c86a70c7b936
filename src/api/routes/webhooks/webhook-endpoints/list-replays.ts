import { findEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { listReplays } from '../../../../db/webhooks/webhook-replay-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { renderReplay } from '../../../../modules/webhooks/delivery-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { WebhookReplay } from '../../../schemas/webhook-delivery.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';

const LIST = 'webhook-replays';

/** GET /webhook-endpoints/:webhookEndpointId/replays */
export function listWebhookReplays(app: App, deps: HttpDeps): void {
  app.get(
    '/webhook-endpoints/:webhookEndpointId/replays',
    {
      config: { permission: 'webhook-endpoints:read' },
      schema: {
        operationId: 'listWebhookReplays',
        summary: 'List replays',
        tags: ['Webhooks'],
        params: WebhookEndpointPath,
        querystring: listQuery({}),
        response: {
          200: listOf(WebhookReplay, 'Replays, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    ({ scope, params, query }) =>
      deps.db.list(scope, async (tx) => {
        const { id } = requireFound(await findEndpoint(tx, scope, params.webhookEndpointId));
        const page = await listReplays(tx, scope, id, pageRequest(query, LIST));
        return listAnswer(page, LIST, renderReplay);
      }),
  );
}
