import type { WebhookEndpointRow } from '../../../db/webhooks/webhook-endpoint-store.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { endpointChangedEvent } from '../webhook-endpoint-view.ts';
import { madeBefore, NOTHING_SEALED, sampleId } from './sample-ids.ts';

type Sample = (at: Date) => EventDraft;
type EndpointEventType = Extract<EventDraft['type'], `webhook_endpoint.${string}`>;

const endpoint = (at: Date, status: 'ENABLED' | 'DISABLED'): WebhookEndpointRow => {
  const disabledAt = status === 'DISABLED' ? at : null;
  return {
    ...{ id: sampleId('whe'), seq: 0n, url: '', types: ['payment.*'], description: null },
    ...{ secret: NOTHING_SEALED, status, isThin: false, isSlow: false, failingSince: null },
    ...{ probeAt: null, recoveredAt: null, isRecovering: false },
    ...{ signingKeys: null, publicKeys: [], isCatchingUp: false },
    ...{ disabledAt, disabledReason: disabledAt && 'FAILING', disabledAfter: null },
    ...{ version: 2, createdAt: madeBefore(at), updatedAt: at },
  };
};

export const ENDPOINT_SAMPLES: Readonly<Record<EndpointEventType, Sample>> = {
  'webhook_endpoint.updated': (at) =>
    endpointChangedEvent(endpoint(at, 'ENABLED'), { status: 'ENABLED' }),
  'webhook_endpoint.disabled': (at) =>
    endpointChangedEvent(endpoint(at, 'DISABLED'), { status: 'ENABLED' }),
};

/** What an endpoint is sent to try it; `id` is its own. */
export const pingEvent = (id: string, version: number): EventDraft => ({
  type: 'ping',
  resourceType: 'webhook_endpoint',
  resourceId: id,
  resourceVersion: version,
  data: { id },
});
