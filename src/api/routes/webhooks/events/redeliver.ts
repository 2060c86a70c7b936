import { Type } from 'typebox';
import { redeliverEvent } from '../../../../modules/webhooks/redeliver-event.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { Redelivery, RedeliveryResult } from '../../../schemas/webhook-delivery.ts';
import { oldestEventShown } from '../../../../domain/webhooks/events/event-age.ts';

/** POST /events/:eventId/redeliver */
export function redeliver(app: App, deps: HttpDeps): void {
  app.post(
    '/events/:eventId/redeliver',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'redeliverEvent',
        summary: 'Send an event again',
        description:
          'Sends the event again, with the same id, to each enabled endpoint that subscribes to it or to the endpoint that you name.',
        tags: ['Events'],
        headers: OptionalIdempotencyHeaders,
        params: Type.Object({ eventId: Type.String({ description: 'The id of the event.' }) }),
        body: Redelivery,
        response: {
          200: RedeliveryResult,
          ...errorResponses(
            [...IDEMPOTENCY_CODES, 'resource_not_found', 'webhook_endpoint_disabled'],
            { body: true },
          ),
        },
      },
    },
    (request, reply) => {
      const { scope, params, body } = request;
      const order = {
        eventId: params.eventId,
        endpointId: body.webhookEndpointId ?? null,
        since: oldestEventShown(deps.clock.now()),
      };
      return answerPost(request, reply, deps, async (tx) => {
        const webhookEndpointIds = await redeliverEvent(deps, tx, scope, order);
        const answer = { eventId: params.eventId, webhookEndpointIds };
        return { status: 200, body: answer, subject: null };
      });
    },
  );
}
