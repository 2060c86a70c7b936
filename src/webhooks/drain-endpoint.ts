import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { findNextDueAt } from '../db/webhook-delivery-store.ts';
import { clearWake } from '../db/webhook-endpoint-store.ts';
import type { Clock } from '../domain/clock.ts';
import type { Scope } from '../domain/scope.ts';
import { isSlowAttempt } from '../domain/webhooks/endpoint-health.ts';
import type { Vault } from '../vault/vault.ts';
import { openEndpointKeys } from './endpoint-keys.ts';
import { BATCH_MAX, lookForDue, type Look } from './look-for-due.ts';
import { queueReplay } from './queue-replay.ts';
import { recordBatch } from './record-batch.ts';
import type { OpenWebhookClient, WebhookClient } from './safe-fetch.ts';
import { sendBatch } from './send-batch.ts';
import { urlPolicyFor } from './url-rules.ts';

const RUN_MS_MAX = 60_000;
/** The same where another endpoint waits for this one's turn. */
const SHARED_RUN_MS_MAX = 15_000;
const LINGER_MS = 1_000;
/** Between two looks, so that a trickle of events gathers into batches; doubled while none come. */
const PAUSE_MS = 50;
const PAUSE_MS_MAX = 200;
const CONCURRENCY = 8;

export interface DrainDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly openClient: OpenWebhookClient;
  readonly allowLoopbackInTest: boolean;
  /** How long a run may take and lingers; 60 s and 1 s unless told. */
  readonly limits?: { readonly runMs: number; readonly lingerMs: number };
}

export interface DrainRun {
  readonly scope: Scope;
  readonly endpointId: string;
  /** Whether this run holds one of the slots that slow endpoints share. */
  readonly isSlowLane: boolean;
  /** Whether another endpoint waits for this run to end; not unless told. */
  readonly isWanted?: () => boolean;
  /** Fires when the run should come to its end; what is under way is finished and recorded. */
  readonly signal: AbortSignal;
}

/** What is left to do: nothing ever (GONE), nothing now (IDLE), or something in `waitMs` (DUE). */
export type DrainResult =
  | { readonly kind: 'GONE' }
  | { readonly kind: 'IDLE'; readonly isSlow: boolean }
  | { readonly kind: 'DUE'; readonly waitMs: number; readonly isSlow: boolean };

/**
 * Delivers what is due for one endpoint until nothing is or 60 s have passed, lingering a second for
 * more. A delivery may be sent twice (a crash between sending and recording), always under its
 * event's id. In the quick lane the run ends with the first attempt that fails or is slow.
 */
export async function drainEndpoint(deps: DrainDeps, run: DrainRun): Promise<DrainResult> {
  const { scope, endpointId } = run;
  const first = await deps.db.exclusive(scope, async (tx) => {
    const opened = await clearWake(tx, scope, endpointId);
    if (opened?.status !== 'ENABLED') return null;
    const look = await lookForDue(tx, scope, endpointId, deps.clock.now());
    return { look, isSlow: opened.isSlow, newestReplay: opened.newestReplay };
  });
  if (first === null) return { kind: 'GONE' };
  const client = deps.openClient({
    policy: urlPolicyFor(scope.environment, deps.allowLoopbackInTest),
    clock: deps.clock,
    connectionsMax: CONCURRENCY,
  });
  try {
    const last = await drainUntilIdle(deps, run, client, first);
    return last.isGone ? { kind: 'GONE' } : await whatIsLeft(deps, run, last);
  } finally {
    await client.close();
  }
}

interface FirstLook {
  readonly look: Look;
  readonly isSlow: boolean;
  /** The seq of the newest replay that this run works at, null for none. */
  readonly newestReplay: bigint | null;
}

interface LastLook {
  readonly isGone: boolean;
  readonly isSlow: boolean;
  /** Whether more of a replay waits to be queued. */
  readonly hasReplay: boolean;
}

async function drainUntilIdle(
  deps: DrainDeps,
  run: DrainRun,
  client: WebhookClient,
  first: FirstLook,
): Promise<LastLook> {
  const { runMs, lingerMs } = deps.limits ?? { runMs: RUN_MS_MAX, lingerMs: LINGER_MS };
  const startedMs = performance.now();
  const isOver = () => {
    const maxMs = run.isWanted?.() === true ? Math.min(runMs, SHARED_RUN_MS_MAX) : runMs;
    return run.signal.aborted || performance.now() - startedMs >= maxMs;
  };
  const { newestReplay } = first;
  let { isSlow, look } = first;
  let hasReplay = newestReplay !== null;
  let busyMs = startedMs;
  let pauseMs = PAUSE_MS;
  while (!isOver() && !(isSlow && !run.isSlowLane)) {
    const { due, endpoint } = look;
    if (due.length === 0) {
      if (hasReplay && newestReplay !== null) {
        // Only once all that happened meanwhile has gone out.
        hasReplay = await queueReplay(deps, run.scope, run.endpointId, newestReplay);
      } else {
        if (performance.now() - busyMs >= lingerMs) break;
        await pauseUnlessStopped(Math.min(pauseMs, lingerMs), run.signal);
        pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
      }
      look = await deps.db.read(run.scope, (tx) =>
        lookForDue(tx, run.scope, run.endpointId, deps.clock.now()),
      );
      continue;
    }
    if (endpoint?.status !== 'ENABLED') return { isGone: true, isSlow, hasReplay };
    const sent = await sendBatch(due, {
      url: endpoint.url,
      isThin: endpoint.isThin,
      keys: openEndpointKeys(deps.vault, endpoint, deps.clock.now()),
      client,
      clock: deps.clock,
      concurrency: CONCURRENCY,
      mayGoOn: (soFar) =>
        !isOver() && (run.isSlowLane || !soFar.some(({ result }) => isSlowAttempt(result))),
    });
    if (sent.length === 0) break;
    // What comes meanwhile is in the look that the record ends with: one transaction a batch.
    if (due.length < BATCH_MAX) await pauseUnlessStopped(Math.min(PAUSE_MS, lingerMs), run.signal);
    const recorded = await recordBatch(deps, run.scope, endpoint, sent);
    if (recorded.isDisabled) return { isGone: true, isSlow, hasReplay };
    ({ isSlow, next: look } = recorded);
    busyMs = performance.now();
    pauseMs = PAUSE_MS;
  }
  return { isGone: false, isSlow, hasReplay };
}

const pauseUnlessStopped = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

async function whatIsLeft(
  deps: DrainDeps,
  { scope, endpointId }: DrainRun,
  { isSlow, hasReplay }: LastLook,
): Promise<DrainResult> {
  if (hasReplay) return { kind: 'DUE', waitMs: 0, isSlow };
  const now = deps.clock.now();
  const dueAt = await deps.db.read(scope, (tx) => findNextDueAt(tx, scope, endpointId, now));
  if (dueAt === null) return { kind: 'IDLE', isSlow };
  return { kind: 'DUE', waitMs: Math.max(0, dueAt.getTime() - now.getTime()), isSlow };
}
