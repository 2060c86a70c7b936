import { idTimeMs } from '../../domain/id-time.ts';
import type { Environment } from '../../domain/scope.ts';
import { failureOf, isSuccess } from '../../domain/webhooks/attempt.ts';
import type { FinishedBatch } from '../../modules/webhooks/record-batch.ts';
import type { Metrics } from './metrics.ts';

/** A replay sends old events anew: those older than this are no measure of how quick deliveries are. */
const REPLAYED_AFTER_MS = 3_600_000;

/** Counts the attempts of a batch, and measures the first ones to an endpoint that does not fail. */
export function countAttempts(
  metrics: Pick<Metrics, 'count' | 'observe'>,
  environment: Environment,
  { endpoint, sent }: FinishedBatch,
): void {
  for (const { delivery, result, finishedAt } of sent) {
    const counted = isSuccess(result) ? 'DELIVERED' : failureOf(result);
    metrics.count('webhookAttempts', { environment, result: counted });
    if (delivery.attempts > 0 || endpoint.failingSince !== null) continue;
    const afterMs = finishedAt.getTime() - idTimeMs(delivery.eventId);
    if (afterMs > REPLAYED_AFTER_MS) continue;
    metrics.observe('webhookDelay', { environment }, afterMs / 1_000);
  }
}
