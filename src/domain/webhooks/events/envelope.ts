import type { Environment } from '../../scope.ts';
import type { EventType } from '../event-types.ts';
import type { ResourceType } from './resource-types.ts';

/** The version of the envelope and its data; it changes only with the path's version. */
const EVENT_API_VERSION = 'v1';

/** What happened to one resource at one version, before it has an id and a time. */
export interface EventDraft {
  readonly type: EventType;
  readonly resourceType: ResourceType;
  readonly resourceId: string;
  readonly resourceVersion: number;
  /** The resource as the API shows it, less personal data, metadata and reference. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly previous?: Readonly<Record<string, unknown>>;
}

/** The exact JSON text of an event: stored once, signed and sent as it is. */
export function renderEnvelope(
  draft: EventDraft,
  stamp: { readonly id: string; readonly at: Date; readonly environment: Environment },
): string {
  return JSON.stringify({
    id: stamp.id,
    type: draft.type,
    timestamp: stamp.at.toISOString(),
    apiVersion: EVENT_API_VERSION,
    environment: stamp.environment,
    resource: { type: draft.resourceType, id: draft.resourceId, version: draft.resourceVersion },
    data: draft.data,
    ...(draft.previous === undefined ? {} : { previous: draft.previous }),
  });
}

/** The subscription patterns that an event's type satisfies: itself, its family, everything. */
export function subscriptionsFor(type: string): string[] {
  const dot = type.indexOf('.');
  return dot < 0 ? [type, '*'] : [type, `${type.slice(0, dot)}.*`, '*'];
}

/**
 * The same event with the id of what it is about in the place of its data. `data` stays: Standard Webhooks
 * 1.0 names it, and receivers' libraries want it.
 */
export function thinEnvelope(body: string): string {
  const { previous: _previous, ...rest } = JSON.parse(body) as Record<string, unknown> & {
    readonly resource: { readonly id: string };
  };
  return JSON.stringify({ ...rest, data: { id: rest.resource.id } });
}
