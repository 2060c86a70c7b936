import { Type } from 'typebox';
import { listEvents as readEvents } from '../../../../db/webhooks/event-list-store.ts';
import { RESOURCE_TYPES } from '../../../../domain/webhooks/events/resource-types.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { EventEnvelope } from '../../../schemas/event.ts';
import { listOf, listQuery, Moment } from '../../../schemas/list.ts';
import { readEventFilter } from './read-event-filter.ts';

const LIST = 'events';

/** GET /events: what happened, newest first. */
export function listEvents(app: App, deps: HttpDeps): void {
  app.get(
    '/events',
    {
      config: { permission: 'events:read' },
      schema: {
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'Lists the events of the last 90 days. The `type` of an event determines the schema of its `data`. Events are complete here, even if your endpoints receive thin ones.',
        tags: ['Events'],
        querystring: listQuery({
          type: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 1_000,
              description:
                'Returns only events of these types: a comma-separated list of types and families (`payment.*`).',
              examples: ['payment.completed,kyc.*'],
            }),
          ),
          resourceType: Type.Optional(
            Type.Enum(RESOURCE_TYPES, {
              title: 'ResourceType',
              type: 'string',
              description: 'Returns only events of resources of this type.',
              examples: ['payment'],
            }),
          ),
          resourceId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 64,
              description: 'Returns only events of this resource.',
              examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'],
            }),
          ),
          createdAfter: Moment('Returns only events after this time.'),
          createdBefore: Moment('Returns only events before this time.'),
        }),
        response: {
          200: listOf(EventEnvelope, 'Events, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const filter = readEventFilter(query, deps.clock.now());
      const page = pageRequest(query, LIST);
      const found = await deps.db.list(scope, (tx) => readEvents(tx, scope, filter, page));
      return listAnswer(found, LIST, (row) => JSON.parse(row.body) as EventEnvelope);
    },
  );
}
