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
        summary: 'Replace the signing secret',
        description:
          'Webhooks are signed with both secrets while they overlap. The answer carries the new one, this once only. The key pair of an `asymmetric` endpoint is replaced with it, in the same way.',
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
