import { EVENT_TYPES, type EventType } from '../event-types.ts';
import { subscriptionsFor } from './envelope.ts';
import { resourceTypeOf, type ResourceType } from './resource-types.ts';

/**
 * The types that `named` names (types, families such as `payment.*`, or `*`) and that are about
 * `resourceType`; what is left out leaves nothing out.
 */
export function selectEventTypes(
  named: readonly string[] | undefined,
  resourceType: ResourceType | undefined,
): EventType[] {
  return EVENT_TYPES.filter(
    (type) =>
      (named === undefined || subscriptionsFor(type).some((one) => named.includes(one))) &&
      (resourceType === undefined || resourceTypeOf(type) === resourceType),
  );
}
