import { Type } from 'typebox';
import { findEventBody } from '../../../../db/webhooks/event-list-store.ts';
import { Refusal } from '../../../../domain/errors/refusal.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { EventEnvelope } from '../../../schemas/event.ts';
import { oldestEventShown } from '../../../../domain/webhooks/events/event-age.ts';

/** GET /events/:eventId */
export function getEvent(app: App, deps: HttpDeps): void {
  app.get(
    '/events/:eventId',
    {
      config: { permission: 'events:read' },
      schema: {
        operationId: 'getEvent',
        summary: 'Read an event',
        tags: ['Events'],
        params: Type.Object({ eventId: Type.String({ description: 'The id of the event.' }) }),
        response: { 200: EventEnvelope, ...errorResponses([]) },
      },
    },
    async (request) => {
      const since = oldestEventShown(deps.clock.now());
      const body = await deps.db.read(request.scope, (tx) => {
        return findEventBody(tx, request.scope, request.params.eventId, since);
      });
      if (body === null) throw new Refusal('not_found', 'The resource does not exist.');
      return JSON.parse(body) as EventEnvelope;
    },
  );
}
