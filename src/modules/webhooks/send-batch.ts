import type { DueDelivery } from '../../db/webhooks/webhook-drain-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { AttemptResult } from '../../domain/webhooks/attempt.ts';
import { thinEnvelope } from '../../domain/webhooks/events/envelope.ts';
import { chainByVersion } from '../../domain/webhooks/version-order.ts';
import type { WebhookClient } from './safe-fetch.ts';
import type { WebhookHeaders } from './webhook-headers.ts';

export interface SentDelivery {
  readonly delivery: DueDelivery;
  readonly result: AttemptResult;
  readonly finishedAt: Date;
}

export interface BatchTarget {
  readonly url: string;
  readonly isThin: boolean;
  /** Signed with the endpoint's keys. */
  readonly headersOf: WebhookHeaders;
  readonly client: WebhookClient;
  readonly clock: Clock;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Asked before every send: false leaves the rest of the batch for another run. */
  readonly mayGoOn: (sent: readonly SentDelivery[]) => boolean;
}

/**
 * Sends a batch, several chains side by side and each chain in its order, and answers what was sent
 * in the order in which it finished.
 */
export async function sendBatch(
  deliveries: readonly DueDelivery[],
  target: BatchTarget,
): Promise<SentDelivery[]> {
  const chains = chainByVersion(deliveries);
  const sent: SentDelivery[] = [];
  let next = 0;
  const takeChains = async (): Promise<void> => {
    for (;;) {
      const chain = chains[next++];
      if (chain === undefined) return;
      for (const delivery of chain) {
        if (!target.mayGoOn(sent)) return;
        const result = await send(delivery, target);
        sent.push({ delivery, result, finishedAt: target.clock.now() });
      }
    }
  };
  await Promise.all(Array.from({ length: target.concurrency }, takeChains));
  return sent;
}

/** Standard Webhooks 1.0: the id stays the event's, the timestamp is the attempt's. */
function send(delivery: DueDelivery, target: BatchTarget): Promise<AttemptResult> {
  const body = target.isThin ? thinEnvelope(delivery.body) : delivery.body;
  const timestampSeconds = Math.floor(target.clock.now().getTime() / 1_000);
  const message = { id: delivery.eventId, timestampSeconds, body };
  return target.client.post(target.url, target.headersOf(message), body);
}
