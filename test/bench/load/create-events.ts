import type { ApiClient } from '../engine/api-client.ts';

/** The event that registering an end-user makes. */
export const EVENT_TYPE = 'end_user.created';

/** Makes so many events, each of a resource of its own: registers end-users over every connection. */
export async function createEvents(
  clients: readonly ApiClient[],
  events: number,
  signal: AbortSignal,
): Promise<void> {
  let begun = 0;
  await Promise.all(
    clients.map(async (api) => {
      for (; begun < events && !signal.aborted;) {
        begun += 1;
        await api.call('POST', '/end-users', {
          type: 'INDIVIDUAL',
          individual: { firstName: 'Ada', lastName: 'Sample' },
        });
      }
    }),
  );
}
