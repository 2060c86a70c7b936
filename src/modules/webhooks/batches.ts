import { BATCH_MAX, type DueDelivery, type Look } from '../../db/webhooks/webhook-drain-store.ts';

/** What is sent of a look's finds before they are recorded: at most BATCH_MAX of each turn, in their order. */
export function firstBatch(due: readonly DueDelivery[]): readonly DueDelivery[] {
  if (due.length <= BATCH_MAX) return due;
  const taken = new Map<string, number>();
  return due.filter(({ turn }) => {
    const before = taken.get(turn) ?? 0;
    taken.set(turn, before + 1);
    return before < BATCH_MAX;
  });
}

/**
 * What may be sent while a batch is recorded, none where that is to be waited for: only first attempts
 * to an endpoint that has nothing to make up for. The look may have found the batch itself once more.
 */
export function nextBatch(
  { endpoint, due }: Look,
  batch: readonly DueDelivery[],
): readonly DueDelivery[] {
  if (endpoint === null || endpoint.isSlow || endpoint.isRecovering) return [];
  if (endpoint.failingSince !== null) return [];
  const isFirst = ({ turn }: DueDelivery) => turn === 'FIRST';
  if (!batch.every(isFirst) || !due.every(isFirst)) return [];
  const underWay = new Set(batch.map(({ eventId }) => eventId));
  return due.filter(({ eventId }) => !underWay.has(eventId)).slice(0, BATCH_MAX);
}
