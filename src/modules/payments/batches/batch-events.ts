import type { BatchRow } from '../../../db/payments/payment-batch-store.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import type { viewBatch } from './batch-view.ts';

/** The event of a batch's first or second version. */
export function batchEvent(
  { id, version, status }: Pick<BatchRow, 'id' | 'version' | 'status'>,
  data: ReturnType<typeof viewBatch>,
): EventDraft {
  return {
    type: status === 'COMPLETED' ? 'payment_batch.completed' : 'payment_batch.created',
    resourceType: 'payment_batch',
    resourceId: id,
    resourceVersion: version,
    data,
  };
}
