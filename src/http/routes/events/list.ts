import { Type } from 'typebox';
import { listEvents as readEvents } from '../../../db/event-list-store.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { listAnswer, pageRequest } from '../../lists.ts';
import { errorResponses } from '../../schemas/error.ts';
import { EventEnvelope } from '../../schemas/event.ts';
import { listOf, listQuery } from '../../schemas/list.ts';
import { oldestEventShown } from './event-age.ts';

/** GET /events: what happened, newest first. */
export function listEvents(app: App, deps: HttpDeps): void {
  app.get(
    '/events',
    {
      config: { permission: 'events:read' },
      schema: {
        operationId: 'listEvents',
        summary: 'Events of the last 90 days',
        tags: ['Events'],
        querystring: listQuery({
          type: Type.Optional(
            Type.String({
              pattern: '^[a-z_]{1,40}(\\.[a-z_]{1,40})?$',
              description: 'Only events of this type.',
              examples: ['payment.completed'],
            }),
          ),
          resourceId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 64,
              description: 'Only events of this resource.',
            }),
          ),
        }),
        response: {
          200: listOf(EventEnvelope, 'Events, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async (request) => {
      const { type, resourceId } = request.query;
      const page = pageRequest(request.query, 'events');
      const filter = { type, resourceId, since: oldestEventShown(deps.clock.now()) };
      const found = await deps.db.list(request.scope, (tx) => {
        return readEvents(tx, request.scope, filter, page);
      });
      return listAnswer(found, 'events', (row) => JSON.parse(row.body) as EventEnvelope);
    },
  );
}
