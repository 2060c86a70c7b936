import { findPublicKeys } from '../../../../db/webhooks/webhook-public-key-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { ID_PREFIXES, isId } from '../../../../domain/ids.ts';
import { renderPublicKeys } from '../../../../modules/webhooks/public-key-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';
import { WebhookKeys } from '../../../schemas/webhook-key.ts';

/** For how long a receiver may go without asking again; far less than a rotation overlaps. */
const CACHE_CONTROL = 'public, max-age=300';

/** GET /.well-known/webhook-keys/:webhookEndpointId: for receivers, who have no API key. Outside of /api/v1. */
export function getWebhookKeys(app: App, { db, clock }: HttpDeps): void {
  app.get(
    '/.well-known/webhook-keys/:webhookEndpointId',
    {
      config: { public: true },
      schema: {
        operationId: 'getWebhookKeys',
        summary: 'Get the public keys of a webhook endpoint',
        description:
          'Receivers use these keys to verify `v1a` signatures. The request needs no API key. An endpoint that is not `asymmetric` has no keys, and the answer is 404.',
        tags: ['Webhooks'],
        security: [],
        params: WebhookEndpointPath,
        response: { 200: WebhookKeys, ...errorResponses([], { public: true }) },
      },
    },
    async (request, reply) => {
      const { webhookEndpointId: id } = request.params;
      const isWellFormed = isId(ID_PREFIXES.webhookEndpoint, id);
      const keys = requireFound(isWellFormed ? await findPublicKeys(db, id) : null);
      void reply.header('cache-control', CACHE_CONTROL);
      return renderPublicKeys(keys, clock.now());
    },
  );
}
