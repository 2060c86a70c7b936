import type { ScopedTransaction } from '../db/database.ts';
import { loadDueDeliveries, type DueDelivery } from '../db/webhook-delivery-store.ts';
import { findEndpoint, type WebhookEndpointRow } from '../db/webhook-endpoint-store.ts';
import type { Scope } from '../domain/scope.ts';

/** First attempts, and as many repeated ones beside them: neither kind can starve the other. */
export const BATCH_MAX = 100;

/** What is to be sent now, and the endpoint as it is; null where nothing is to be sent, or it is deleted. */
export interface Look {
  readonly due: readonly DueDelivery[];
  readonly endpoint: WebhookEndpointRow | null;
}

/** The endpoint is read for every batch: it may have been deleted, disabled or given another URL. */
export async function lookForDue(
  tx: ScopedTransaction,
  scope: Scope,
  endpointId: string,
  now: Date,
): Promise<Look> {
  const due = await loadDueDeliveries(tx, scope, endpointId, now, BATCH_MAX);
  const endpoint = due.length === 0 ? null : await findEndpoint(tx, scope, endpointId);
  return { due, endpoint };
}
