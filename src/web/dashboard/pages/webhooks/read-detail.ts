import { readEndpointHealth } from '../../../../db/webhooks/endpoint-health-store.ts';
import type { Database } from '../../../../db/client/database.ts';
import {
  listDeliveries,
  type DeliveryStatus,
} from '../../../../db/webhooks/webhook-delivery-list-store.ts';
import { findEndpoint } from '../../../../db/webhooks/webhook-endpoint-store.ts';
import { listReplays } from '../../../../db/webhooks/webhook-replay-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import type { Scope } from '../../../../domain/scope.ts';
import { listPage } from '../../../kit/list-pages.ts';

/** The list that the cursors of deliveries are of; the API's. */
export const DELIVERIES = 'webhook-deliveries';
const REPLAYS_SHOWN = 5;

export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['PENDING', 'DELIVERED', 'EXHAUSTED'];

/** All that the page of an endpoint shows, in one transaction. Refuses with not_found and invalid_cursor. */
export function readDetail(
  db: Database,
  scope: Scope,
  id: string,
  { status, cursor }: { readonly status: string; readonly cursor: string },
) {
  const wanted = DELIVERY_STATUSES.find((one) => one === status);
  return db.list(scope, async (tx) => {
    const endpoint = requireFound(await findEndpoint(tx, scope, id));
    const health = await readEndpointHealth(tx, scope, id);
    const filter = { endpointId: id, ...(wanted && { status: wanted }) };
    const deliveries = await listDeliveries(tx, scope, filter, listPage(cursor, DELIVERIES));
    const replays = await listReplays(tx, scope, id, { limit: REPLAYS_SHOWN, before: null });
    return { endpoint, health, deliveries, replays: replays.items };
  });
}

export type EndpointDetail = Awaited<ReturnType<typeof readDetail>>;
