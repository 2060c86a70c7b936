import type { Scope } from '../../domain/scope.ts';
import type { DisableReason, EndpointHealth } from '../../domain/webhooks/endpoint-health.ts';
import type { EndpointRecovery } from '../../domain/webhooks/endpoint-recovery.ts';
import type { ScopedTransaction } from '../client/database.ts';
import {
  ENDPOINT_COLUMNS,
  type EndpointVersion,
  type WebhookEndpointRow,
} from './webhook-endpoint-store.ts';

/** The seq of the scope's last event, of the row's endpoint. */
const LAST_EVENT = `(SELECT coalesce(max(e.seq), 0) FROM events e
  WHERE e.customer_id = webhook_endpoints.customer_id
    AND e.environment = webhook_endpoints.environment)`;

/** What of an endpoint its partner may change. */
export type EndpointChange = Pick<
  WebhookEndpointRow,
  | 'url'
  | 'types'
  | 'description'
  | 'secret'
  | 'signingKeys'
  | 'publicKeys'
  | 'status'
  | 'isThin'
  | 'disabledAt'
  | 'disabledReason'
> &
  EndpointHealth &
  EndpointRecovery;

/**
 * Writes the next version of an endpoint that the caller has locked. Within `Database.exclusive` where the
 * status changes: no one then writes an event that lies before that change in the log and is not seen.
 * One that is enabled catches up first, see `replayMissed`. Of one that is disabled without a time of that, the
 * time of its last change is kept.
 */
export async function updateEndpoint(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  change: EndpointChange,
  at: Date,
): Promise<WebhookEndpointRow> {
  const [row] = await tx.query<WebhookEndpointRow>(
    `UPDATE webhook_endpoints SET url = :url, types = :types::text[], description = :description,
       secret = :secret, signing_keys = :signingKeys, public_keys = :publicKeys::jsonb,
       status = :status, is_thin = :isThin,
       disabled_at = CASE WHEN status = 'DISABLED' AND :status = 'DISABLED'
         THEN coalesce(disabled_at, updated_at) ELSE :disabledAt::timestamptz END,
       disabled_reason = :disabledReason,
       disabled_after = CASE WHEN :status = 'ENABLED' THEN NULL
         WHEN status = 'DISABLED' THEN disabled_after ELSE ${LAST_EVENT} END,
       is_catching_up = is_catching_up OR (status = 'DISABLED' AND :status = 'ENABLED'),
       is_slow = :isSlow, failing_since = :failingSince, probe_at = :probeAt,
       recovered_at = :recoveredAt, is_recovering = :isRecovering,
       version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
     RETURNING ${ENDPOINT_COLUMNS}`,
    {
      ...{ customerId: scope.customerId, environment: scope.environment, id, at },
      ...{ url: change.url, types: change.types, description: change.description },
      ...{ secret: change.secret, status: change.status, isThin: change.isThin },
      ...{ signingKeys: change.signingKeys, publicKeys: JSON.stringify(change.publicKeys) },
      ...{ disabledAt: change.disabledAt, disabledReason: change.disabledReason },
      ...{ isSlow: change.isSlow, failingSince: change.failingSince, probeAt: change.probeAt },
      ...{ recoveredAt: change.recoveredAt, isRecovering: change.isRecovering },
    },
  );
  if (row === undefined) throw new Error('an endpoint is not in the scope');
  return row;
}

/**
 * Disables an endpoint, within `Database.exclusive` as `updateEndpoint`. Answers it, null where it has
 * another version by now.
 */
export async function disableEndpoint(
  tx: ScopedTransaction,
  scope: Scope,
  { id, version }: EndpointVersion,
  { reason, at }: { readonly reason: DisableReason; readonly at: Date },
): Promise<WebhookEndpointRow | null> {
  const rows = await tx.query<WebhookEndpointRow>(
    `UPDATE webhook_endpoints SET status = 'DISABLED', disabled_at = $4, disabled_reason = $5,
       disabled_after = ${LAST_EVENT}, version = version + 1, updated_at = $4
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND status = 'ENABLED' AND version = $6
     RETURNING ${ENDPOINT_COLUMNS}`,
    [scope.customerId, scope.environment, id, at, reason, version],
  );
  return rows[0] ?? null;
}

/** From now on events make deliveries for the endpoint again. Within `Database.exclusive`. */
export async function endCatchingUp(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoints SET is_catching_up = false
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND status <> 'DELETED'`,
    [scope.customerId, scope.environment, id],
  );
}
