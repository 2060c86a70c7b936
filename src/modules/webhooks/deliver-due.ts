import { setTimeout as pause } from 'node:timers/promises';
import { BATCH_MAX, type Look } from '../../db/webhooks/webhook-drain-store.ts';
import type { WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { Scope } from '../../domain/scope.ts';
import { isSlowAttempt } from '../../domain/webhooks/endpoint-health.ts';
import { firstBatch, nextBatch } from './batches.ts';
import { openEndpointKeys } from './endpoint-keys.ts';
import { recordBatch, type FinishedBatch, type RecordDeps } from './record-batch.ts';
import type { WebhookClient } from './safe-fetch.ts';
import { sendBatch, type BatchTarget, type SentDelivery } from './send-batch.ts';
import { createWebhookHeaders } from './webhook-headers.ts';

/** A change of the endpoint, a deletion too, reaches what is under way within so long. */
const BATCH_MS_MAX = 10_000;

/** What one run of a drain sends with. */
interface Sender {
  readonly client: WebhookClient;
  /** Requests at a time. */
  readonly concurrency: number;
  /** Before less than a batch is recorded, in ms. */
  readonly pauseMs: number;
  readonly isSlowQueue: boolean;
  readonly isOver: () => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends what a look has found and records it; answers what there is to do then, null where nothing was
 * sent. To an endpoint that takes everything at once, a batch is sent while the one before is recorded, for
 * as long as there are first attempts: a crash may then send two batches again. No batch begins before
 * all of the one before have been answered.
 */
export async function deliverDue(
  deps: RecordDeps,
  scope: Scope,
  first: Look & { readonly endpoint: WebhookEndpointRow },
  sender: Sender,
): Promise<Look | null> {
  const { endpoint } = first;
  const isUnchanged = (look: Look) =>
    look.endpoint?.status === 'ENABLED' && look.endpoint.version === endpoint.version;
  const target = (mayGoOn: BatchTarget['mayGoOn']): BatchTarget => ({
    ...{ url: endpoint.url, isThin: endpoint.isThin, mayGoOn },
    headersOf: createWebhookHeaders(openEndpointKeys(deps.vault, endpoint, deps.clock.now())),
    ...{ client: sender.client, clock: deps.clock, concurrency: sender.concurrency },
  });
  let look: Look = first;
  let batch = firstBatch(first.due);
  let unrecorded: FinishedBatch | null = null;
  for (;;) {
    const isQuickSoFar = quickSoFar();
    const endsAtMs = performance.now() + BATCH_MS_MAX;
    // A change of the endpoint, and a record that fails, end the batch that is sent meanwhile.
    let mayBeSent = true;
    const mayGoOn = (soFar: readonly SentDelivery[]) => {
      if (!mayBeSent || sender.isOver() || performance.now() >= endsAtMs) return false;
      return sender.isSlowQueue || isQuickSoFar(soFar);
    };
    // In this order: the receiver has something to do while the record is made ready.
    const underWay = (async () => sendBatch(batch, target(mayGoOn)))();
    const looking: Promise<Look> =
      unrecorded === null
        ? Promise.resolve(look)
        : recordBatch(deps, scope, unrecorded, batch).then(
            (next) => {
              mayBeSent = isUnchanged(next);
              return next;
            },
            (error: unknown) => {
              mayBeSent = false;
              throw error;
            },
          );
    const [found, sending] = await Promise.allSettled([looking, underWay]);
    if (found.status === 'rejected') throw found.reason as Error;
    if (sending.status === 'rejected') throw sending.reason as Error;
    const sent = sending.value;
    // What the record's look has left out as under way was not sent.
    if (sent.length === 0) return unrecorded === null ? null : deps.steps.look();
    const next =
      sent.length === batch.length && isQuickSoFar(sent) && isUnchanged(found.value)
        ? nextBatch(found.value, batch)
        : [];
    const finished = { endpoint, at: look.at, batch, sent };
    if (next.length === 0 || sender.isOver()) {
      // What comes meanwhile is in the look that the record ends with: one transaction a batch.
      const isProbe = batch.every(({ turn }) => turn === 'PROBE');
      if (batch.length < BATCH_MAX && !isProbe)
        await pause(sender.pauseMs, undefined, { signal: sender.signal }).catch(() => undefined);
      return recordBatch(deps, scope, finished, []);
    }
    unrecorded = finished;
    look = found.value;
    batch = next;
  }
}

/** Tells of a growing list whether no attempt of it failed or was slow; looks at each of them once. */
function quickSoFar(): (soFar: readonly SentDelivery[]) => boolean {
  let judged = 0;
  let isQuick = true;
  return (soFar) => {
    for (; judged < soFar.length; judged += 1) {
      const one = soFar[judged];
      if (one !== undefined && isSlowAttempt(one.result)) isQuick = false;
    }
    return isQuick;
  };
}
