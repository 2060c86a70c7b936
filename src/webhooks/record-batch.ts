import type { Database } from '../db/database.ts';
import { recordEvent } from '../db/event-store.ts';
import { recordAttempts } from '../db/webhook-delivery-store.ts';
import {
  disableEndpoint,
  recordHealth,
  type WebhookEndpointRow,
} from '../db/webhook-endpoint-store.ts';
import type { Clock } from '../domain/clock.ts';
import type { Scope } from '../domain/scope.ts';
import { judgeAttempt } from '../domain/webhooks/attempt.ts';
import { judgeHealth } from '../domain/webhooks/endpoint-health.ts';
import type { Vault } from '../vault/vault.ts';
import { sealAnswer } from './attempt-answer.ts';
import { lookForDue, type Look } from './look-for-due.ts';
import type { SentDelivery } from './send-batch.ts';
import { endpointChangedEvent } from './webhook-endpoint-view.ts';

export interface RecordDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
}

/** The endpoint's health after a batch, and what is to be sent next. */
export interface RecordedBatch {
  readonly next: Look;
  readonly isSlow: boolean;
  readonly isDisabled: boolean;
}

/**
 * Writes what came of a batch, and the endpoint's health, and looks for the next, in one transaction;
 * disables the endpoint where it has asked for it (410) or failed for four days. Its pending deliveries
 * stay as they are: they are listed, and go out should it be enabled again. An endpoint that was changed
 * while the batch was under way is judged by the next one.
 */
export async function recordBatch(
  deps: RecordDeps,
  scope: Scope,
  endpoint: WebhookEndpointRow,
  sent: readonly SentDelivery[],
): Promise<RecordedBatch> {
  const records = sent.map(({ delivery, result, finishedAt }) => ({
    ...judgeAttempt(delivery.attempts, result, finishedAt, deps.random()),
    eventId: delivery.eventId,
    at: finishedAt,
    durationMs: result.durationMs,
    answer: sealAnswer(deps.vault, { endpointId: endpoint.id, eventId: delivery.eventId }, result),
  }));
  const { health, disable } = judgeHealth(endpoint, sent);
  const hasChanged =
    health.isSlow !== endpoint.isSlow ||
    health.failingSince?.getTime() !== endpoint.failingSince?.getTime();
  // Disabling wakes other endpoints while it holds this one's row: run alone, it cannot deadlock.
  const enter = disable === null ? deps.db.write : deps.db.exclusive;
  const next = await enter(scope, async (tx) => {
    await recordAttempts(tx, scope, endpoint.id, records);
    if (hasChanged) await recordHealth(tx, scope, endpoint, health);
    const at = deps.clock.now();
    const disabled =
      disable === null ? null : await disableEndpoint(tx, scope, endpoint, { reason: disable, at });
    if (disabled === null) return lookForDue(tx, scope, endpoint.id, at);
    await recordEvent(tx, scope, endpointChangedEvent(disabled, endpoint), at);
    return null;
  });
  return {
    next: next ?? { due: [], endpoint: null },
    isSlow: health.isSlow,
    isDisabled: next === null,
  };
}
