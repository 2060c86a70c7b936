import type { KeyedOptions, RequestOptions } from '../call-options.ts';
import type { Event, Redelivery, RedeliveryResult } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.events`: every change of a resource, as webhooks carry it. */
export class Events extends Resource {
  get(eventId: string, options?: RequestOptions): Promise<Event> {
    return this.api.send('getEvent', { path: { eventId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listEvents'>, options?: RequestOptions): List<Event> {
    return this.api.list('listEvents', { query: filters }, options);
  }

  /** Sends an event again, to one endpoint or to all that subscribe to it. */
  redeliver(
    eventId: string,
    redelivery: Redelivery = {},
    options?: KeyedOptions,
  ): Promise<RedeliveryResult> {
    return this.api.send('redeliverEvent', { path: { eventId }, body: redelivery }, options);
  }
}
