import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import type { DeliveryStatus } from './webhook-delivery-list-store.ts';

/** What became of one event of a resource at one endpoint. */
export interface ResourceDeliveryRow {
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly resourceVersion: number;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
}

/** Deliveries of a resource that are shown. */
const DELIVERIES_SHOWN = 12;

/** The newest 12 deliveries of a resource's events, to whichever endpoints: by its events, which are few. */
export async function listResourceDeliveries(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  resourceId: string,
): Promise<ResourceDeliveryRow[]> {
  return tx.query<ResourceDeliveryRow>(
    `SELECT d.endpoint_id AS "endpointId", d.event_id AS "eventId", e.type,
       d.resource_version AS "resourceVersion", d.status, d.attempts,
       d.last_status_code AS "lastStatusCode", d.last_error AS "lastError"
     FROM events e JOIN webhook_deliveries d ON d.event_id = e.id
       AND d.customer_id = e.customer_id AND d.environment = e.environment
     WHERE e.customer_id = $1 AND e.environment = $2 AND e.resource_id = $3
     ORDER BY e.resource_version DESC, d.seq DESC LIMIT $4`,
    [customerId, environment, resourceId, DELIVERIES_SHOWN],
  );
}
