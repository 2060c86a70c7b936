import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts';
import { eventSchemaTitle } from '../schemas/events/event-schemas.ts';

/**
 * Says of components.schemas.Event, which answers are written by, what it may be: one schema a type.
 * What answers may only write, since an older process may have stored less than today's schema wants.
 */
export function tellEventsApart<Doc extends object>(document: Doc): Doc {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  if (components?.schemas?.['Event'] === undefined) return document;
  const byType = EVENT_TYPES.map((type) => {
    return [type, `#/components/schemas/${eventSchemaTitle(type)}`] as const;
  });
  components.schemas['Event'] = {
    title: 'Event',
    description: 'An event. `type` determines its schema. More types may be added.',
    oneOf: byType.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(byType) },
  };
  return document;
}
