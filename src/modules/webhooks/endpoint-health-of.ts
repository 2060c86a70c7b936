import type { WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { EndpointHealth } from '../../domain/webhooks/endpoint-health.ts';
import type { EndpointRecovery } from '../../domain/webhooks/endpoint-recovery.ts';

/** What an endpoint's row keeps of its last attempts. */
export type KeptHealth = EndpointHealth & EndpointRecovery;

export const healthOf = (row: WebhookEndpointRow): KeptHealth => ({
  ...{ isSlow: row.isSlow, failingSince: row.failingSince, probeAt: row.probeAt },
  ...{ recoveredAt: row.recoveredAt, isRecovering: row.isRecovering },
});
