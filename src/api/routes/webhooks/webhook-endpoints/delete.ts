import { Type } from 'typebox';
import { deleteEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { wakeAfterCommit } from '../../../../db/webhooks/wake-after-commit.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { IfMatchHeaders } from '../../../schemas/common.ts';
import { errorResponses, IF_MATCH_CODES } from '../../../schemas/error.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';

/** DELETE /webhook-endpoints/:webhookEndpointId */
export function deleteWebhookEndpoint(app: App, deps: HttpDeps): void {
  app.delete(
    '/webhook-endpoints/:webhookEndpointId',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description:
          'Deletes the endpoint permanently. Events that have not been delivered to it are no longer sent.',
        tags: ['Webhooks'],
        headers: IfMatchHeaders,
        params: WebhookEndpointPath,
        response: {
          204: Type.Null({ description: 'The endpoint is deleted.' }),
          ...errorResponses(IF_MATCH_CODES, { body: true }),
        },
      },
    },
    async (request, reply) => {
      const { scope, params } = request;
      const id = params.webhookEndpointId;
      const requireVersion = requireVersionOf(request);
      await deps.db.write(scope, async (tx) => {
        const version = await deleteEndpoint(tx, scope, id, deps.clock.now());
        // Its row is locked by now; a refusal takes the deletion back.
        requireVersion(requireFound(version));
        // Its workflow may wait a day for the next retry: woken, it finds that it can end.
        wakeAfterCommit(tx, [id]);
      });
      return reply.code(204).send(null);
    },
  );
}
