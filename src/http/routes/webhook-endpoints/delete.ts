import { Type } from 'typebox';
import { deleteEndpoint } from '../../../db/webhook-endpoint-store.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { errorResponses } from '../../schemas/error.ts';
import { WebhookEndpointPath } from '../../schemas/webhook-endpoint.ts';

/** DELETE /webhook-endpoints/:webhookEndpointId */
export function deleteWebhookEndpoint(app: App, deps: HttpDeps): void {
  app.delete(
    '/webhook-endpoints/:webhookEndpointId',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description: 'For good. What has not been delivered to it is not sent any more.',
        tags: ['Webhooks'],
        params: WebhookEndpointPath,
        response: {
          204: Type.Null({ description: 'It is gone.' }),
          ...errorResponses([]),
        },
      },
    },
    async ({ scope, params }, reply) => {
      const id = params.webhookEndpointId;
      const wasThere = await deps.db.write(scope, async (tx) => {
        const isDeleted = await deleteEndpoint(tx, scope, id, deps.clock.now());
        // Its workflow may wait a day for the next retry: woken, it finds that it can end.
        if (isDeleted) tx.noteWake(id);
        return isDeleted;
      });
      if (!wasThere) throw new Refusal('not_found', 'There is no such resource.');
      return reply.code(204).send(null);
    },
  );
}
