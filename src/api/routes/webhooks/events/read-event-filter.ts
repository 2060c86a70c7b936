import type { EventFilter } from '../../../../db/webhooks/event-list-store.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import type { ResourceType } from '../../../../domain/webhooks/events/resource-types.ts';
import { selectEventTypes } from '../../../../domain/webhooks/events/select-event-types.ts';
import { isSubscription } from '../../../../domain/webhooks/event-types.ts';
import { readMoments, type MomentsQuery } from '../../read-moments.ts';
import { oldestEventShown } from '../../../../domain/webhooks/events/event-age.ts';

/** Characters. */
const UNKNOWN_SHOWN_MAX = 64;

interface EventsQuery extends MomentsQuery {
  readonly type?: string;
  readonly resourceType?: ResourceType;
  readonly resourceId?: string;
}

/** The events that a query names. Refuses with invalid_parameter what is no type, and what is no moment. */
export function readEventFilter(query: EventsQuery, now: Date): EventFilter {
  const { createdAfter, createdBefore } = readMoments(query);
  const named = query.type?.split(',');
  const unknown = named?.find((one) => !isSubscription(one));
  if (unknown !== undefined) {
    const shown = unknown.slice(0, UNKNOWN_SHOWN_MAX);
    const message = `"${shown}" is neither an event type nor a family of event types.`;
    throw refuseProblems([{ path: '/query/type', code: 'invalid_parameter', message }]);
  }
  const oldest = oldestEventShown(now);
  const isNarrowed = named !== undefined || query.resourceType !== undefined;
  return {
    createdAfter: createdAfter !== undefined && createdAfter > oldest ? createdAfter : oldest,
    ...(createdBefore !== undefined && { createdBefore }),
    ...(query.resourceId !== undefined && { resourceId: query.resourceId }),
    ...(isNarrowed && { types: selectEventTypes(named, query.resourceType) }),
  };
}
