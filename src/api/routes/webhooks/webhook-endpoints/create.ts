import { createWebhookEndpoint as create } from '../../../../modules/webhooks/create-webhook-endpoint.ts';
import { findUrlProblem } from '../../../../modules/webhooks/find-url-problem.ts';
import { urlPolicyFor } from '../../../../modules/webhooks/url-rules.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { CreatedWebhookEndpoint, NewWebhookEndpoint } from '../../../schemas/webhook-endpoint.ts';

/** POST /webhook-endpoints */
export function createWebhookEndpoint(app: App, deps: HttpDeps): void {
  app.post(
    '/webhook-endpoints',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description:
          'You can have up to 16 endpoints. The answer contains the signing secret. No later answer shows it again.',
        tags: ['Webhooks'],
        headers: OptionalIdempotencyHeaders,
        body: NewWebhookEndpoint,
        response: {
          201: CreatedWebhookEndpoint,
          ...errorResponses([...IDEMPOTENCY_CODES, 'limit_reached'], { body: true }),
        },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      const policy = urlPolicyFor(scope.environment, deps.settings.webhookAllowLoopbackInTest);
      const problem = await findUrlProblem(body.url, policy);
      return answerPost(request, reply, deps, async (tx) => {
        // Only here, behind the replay: a name that has vanished must not change an answer given.
        if (problem !== null) throw problem;
        return { status: 201, body: await create(deps, tx, scope, body), subject: null };
      });
    },
  );
}
