import type {
  AttemptListRow,
  DeliveryListRow,
} from '../../db/webhooks/webhook-delivery-list-store.ts';
import type { WebhookReplayRow } from '../../db/webhooks/webhook-replay-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { openAnswer } from './attempt-answer.ts';

/** One delivery as the API shows it. */
export function renderDelivery(row: DeliveryListRow) {
  return {
    eventId: row.eventId,
    type: row.type,
    resource: { type: row.resourceType, id: row.resourceId, version: row.resourceVersion },
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    lastStatusCode: row.lastStatusCode,
    lastError: row.lastError,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The same with its newest attempts. */
export function renderDeliveryInFull(
  row: DeliveryListRow,
  endpointId: string,
  attempts: readonly AttemptListRow[],
  vault: Vault,
) {
  return {
    ...renderDelivery(row),
    attemptHistory: attempts.map(({ number, at, durationMs, statusCode, error, answer }) => ({
      ...{ number, at: at.toISOString(), durationMs, statusCode, error },
      answer: answer && openAnswer(vault, { endpointId, eventId: row.eventId }, answer),
    })),
  };
}

/** A replay as the API shows it. */
export function renderReplay(row: WebhookReplayRow) {
  return {
    id: row.id,
    webhookEndpointId: row.endpointId,
    reason: row.reason,
    status: row.status,
    // Of MISSED ones it is how they are found, not what was asked for.
    from: row.reason === 'MISSED' ? null : (row.fromAt?.toISOString() ?? null),
    to: row.toAt?.toISOString() ?? null,
    types: row.types === null ? ['*'] : [...row.types],
    onlyFailed: row.onlyFailed,
    queued: Number(row.queued),
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
