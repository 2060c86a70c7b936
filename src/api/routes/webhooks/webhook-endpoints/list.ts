import { listEndpoints } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { renderWebhookEndpoint } from '../../../../modules/webhooks/webhook-endpoint-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { WebhookEndpoint } from '../../../schemas/webhook-endpoint.ts';

const LIST = 'webhook-endpoints';

/** GET /webhook-endpoints */
export function listWebhookEndpoints(app: App, deps: HttpDeps): void {
  app.get(
    '/webhook-endpoints',
    {
      config: { permission: 'webhook-endpoints:read' },
      schema: {
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        tags: ['Webhooks'],
        querystring: listQuery({}),
        response: {
          200: listOf(WebhookEndpoint, 'Webhook endpoints, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const page = await deps.db.list(scope, (tx) =>
        listEndpoints(tx, scope, pageRequest(query, LIST)),
      );
      const now = deps.clock.now();
      return listAnswer(page, LIST, (row) => renderWebhookEndpoint(row, now));
    },
  );
}
