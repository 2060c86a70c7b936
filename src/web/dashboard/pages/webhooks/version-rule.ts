import { listEvents } from '../../../../db/webhooks/event-list-store.ts';
import type { Database } from '../../../../db/client/database.ts';
import type { Clock } from '../../../../domain/clock.ts';
import { oldestEventShown } from '../../../../domain/webhooks/events/event-age.ts';
import type { RequireVersion } from '../../../../domain/require-version.ts';
import { PageRefusal } from '../../../kit/page-refusal.ts';
import { timeText } from '../../../kit/time-text.ts';
import type { Place } from '../../environment.tsx';

/** The hidden field of forms about an endpoint: the version that the page showed. */
export const VERSION_RULE = {
  what: 'a version',
  lengthMax: 10,
  check: (text: string) => (/^[1-9][0-9]{0,9}$/.test(text) ? null : 'This is not a version.'),
} as const;

/** The endpoint has another version by now than the page that the form came from. */
export class StaleEndpoint extends Error {}

export const requireSeen =
  (version: string): RequireVersion =>
  (now) => {
    if (String(now) !== version) throw new StaleEndpoint();
  };

interface EndpointEvent {
  readonly timestamp: string;
  readonly resource: { readonly version: number };
  readonly data: Readonly<Record<'types' | 'thin' | 'asymmetric' | 'status', unknown>>;
}

const VERSIONS_SHOWN = 10;

/** What has happened to an endpoint since a version of it, in sentences, from its events. */
export async function changesSince(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { scope, user }: Place,
  id: string,
  version: number,
): Promise<string[]> {
  const filter = { resourceId: id, createdAfter: oldestEventShown(clock.now()) };
  const page = { limit: VERSIONS_SHOWN + 1, before: null };
  const { items } = await db.list(scope, (tx) => listEvents(tx, scope, filter, page));
  const events = items.map(({ body }) => JSON.parse(body) as EndpointEvent).reverse();
  const times = timeText(user.timeZone);
  return events.flatMap((event, index) => {
    if (event.resource.version <= version) return [];
    const at = times.moment(new Date(event.timestamp));
    return [`${whatChanged(event, events[index - 1])} on ${at} (${times.zone}).`];
  });
}

const NAMES = {
  types: 'its events',
  thin: 'how much is sent',
  asymmetric: 'its key pair',
} as const;

function whatChanged({ data }: EndpointEvent, before: EndpointEvent | undefined): string {
  const differs = (name: keyof EndpointEvent['data']) =>
    before !== undefined && JSON.stringify(data[name]) !== JSON.stringify(before.data[name]);
  if (data.status === 'DISABLED' && before?.data.status !== 'DISABLED') return 'It was disabled';
  if (differs('status')) return 'It was enabled';
  const names = Object.entries(NAMES).filter(([name]) => differs(name as keyof typeof NAMES));
  if (names.length > 0)
    return `A user or an API key changed ${names.map(([, text]) => text).join(' and ')}`;
  return 'A user or an API key changed its URL, description, events or secret';
}

/** 409 for a form without fields to fill in. */
export async function refuseStale(...about: Parameters<typeof changesSince>): Promise<never> {
  const changes = (await changesSince(...about)).join(' ');
  const text =
    `${changes} Nothing was changed now. Open the endpoint again, and repeat the change if you still need it.`.trim();
  throw new PageRefusal(409, 'The endpoint has changed', text);
}
