import { replayEvents } from '../../../../modules/webhooks/replay-events.ts';
import { renderReplay } from '../../../../modules/webhooks/delivery-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewWebhookReplay, WebhookReplay } from '../../../schemas/webhook-delivery.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';
import { readSpan } from '../../read-span.ts';

/** POST /webhook-endpoints/:webhookEndpointId/replay */
export function replayWebhooks(app: App, deps: HttpDeps): void {
  app.post(
    '/webhook-endpoints/:webhookEndpointId/replay',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'replayWebhooks',
        summary: 'Send events again',
        description:
          'Sends the events of a time span again, oldest first, with the same ids. Delivered events are sent again too, unless you set `onlyFailed`.',
        tags: ['Webhooks'],
        headers: OptionalIdempotencyHeaders,
        params: WebhookEndpointPath,
        body: NewWebhookReplay,
        response: {
          201: WebhookReplay,
          ...errorResponses([...IDEMPOTENCY_CODES, 'webhook_endpoint_disabled', 'limit_reached'], {
            body: true,
          }),
        },
      },
    },
    (request, reply) => {
      const { scope, params, body } = request;
      const { types, onlyFailed = false } = body;
      return answerPost(request, reply, deps, async (tx) => {
        // Only here, behind the look at the key: a span that has grown too old must not change an answer given.
        const { from, to } = readSpan(body, deps.clock.now());
        const order = { endpointId: params.webhookEndpointId, from, to, onlyFailed };
        const replay = await replayEvents(deps, tx, scope, { ...order, ...(types && { types }) });
        return { status: 201, body: renderReplay(replay), subject: null };
      });
    },
  );
}
