import { OVERLAP_HOURS } from '../../../../modules/webhooks/endpoint-secret.ts';
import { rotateEndpointSecret } from '../../../../modules/webhooks/rotate-endpoint-secret.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { ActionHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES, IF_MATCH_CODES } from '../../../schemas/error.ts';
import {
  RotatedWebhookEndpoint,
  SecretRotation,
  WebhookEndpointPath,
} from '../../../schemas/webhook-endpoint.ts';

/** POST /webhook-endpoints/:webhookEndpointId/rotate-secret */
export function rotateWebhookSecret(app: App, deps: HttpDeps): void {
  app.post(
    '/webhook-endpoints/:webhookEndpointId/rotate-secret',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook endpoint',
        description:
          'Replaces the signing secret. Webhooks are signed with both secrets during the overlap. The answer contains the new secret, and no later answer shows it again. The key pair of an `asymmetric` endpoint is replaced in the same way.',
        tags: ['Webhooks'],
        headers: ActionHeaders,
        params: WebhookEndpointPath,
        body: SecretRotation,
        response: {
          200: RotatedWebhookEndpoint,
          ...errorResponses([...IDEMPOTENCY_CODES, ...IF_MATCH_CODES], { body: true }),
        },
      },
    },
    (request, reply) => {
      const { scope, params, body } = request;
      const requireVersion = requireVersionOf(request);
      return answerPost(request, reply, deps, async (tx) => {
        const { overlapHours = OVERLAP_HOURS } = body;
        const rotation = { id: params.webhookEndpointId, overlapHours, requireVersion };
        const answer = await rotateEndpointSecret(deps, tx, scope, rotation);
        return { status: 200, body: answer, subject: null };
      });
    },
  );
}
