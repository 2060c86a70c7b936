import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/client/database.ts';
import { isLockTimeout } from '../../db/client/outage.ts';
import type { Look } from '../../db/webhooks/webhook-drain-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Vault } from '../../vault/vault.ts';
import { deliverDue } from './deliver-due.ts';
import { createDrainSteps, type DrainSteps } from './drain-steps.ts';
import { queueReplay } from './queue-replay.ts';
import type { RecordDeps } from './record-batch.ts';
import type { OpenWebhookClient, WebhookClient } from './safe-fetch.ts';
import { urlPolicyFor } from './url-rules.ts';

const RUN_MS_MAX = 60_000;
/** The same where another endpoint waits for this one's turn. */
const SHARED_RUN_MS_MAX = 15_000;
const LINGER_MS = 1_000;
/** Before a batch is recorded, so that a trickle of events gathers into batches. */
const PAUSE_MS = 50;
/** Between two looks that find nothing: so many times longer each. */
const PAUSE_FACTOR = 3;
const CONCURRENCY = 8;
/** Between two attempts at the end of a drain, while a writer of the scope takes long: it holds up others. */
const WRITERS_MS = 2_000;

export interface DrainDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly openClient: OpenWebhookClient;
  readonly allowLoopbackInTest: boolean;
  /** Where the endpoint's page is. */
  readonly dashboardUrl: string;
  readonly onRecorded?: RecordDeps['onRecorded'];
  /** How long a run may take and lingers; 60 s and 1 s unless told. */
  readonly limits?: { readonly runMs: number; readonly lingerMs: number };
}

export interface DrainRun {
  readonly scope: Scope;
  readonly endpointId: string;
  /** Whether this run holds one of the slots that slow endpoints share. */
  readonly isSlowQueue: boolean;
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
 * event's id. In the quick queue the run ends with the first attempt that fails or is slow.
 */
export async function drainEndpoint(deps: DrainDeps, run: DrainRun): Promise<DrainResult> {
  const { scope, endpointId } = run;
  const steps = createDrainSteps(deps, scope, endpointId);
  const first = await steps.begin();
  if (first.endpoint?.status !== 'ENABLED') return { kind: 'GONE' };
  const client = deps.openClient({
    policy: urlPolicyFor(scope.environment, deps.allowLoopbackInTest),
    clock: deps.clock,
    connectionsMax: CONCURRENCY,
  });
  try {
    const result = await drainUntilIdle({ ...deps, steps }, run, client, first);
    await steps.finish();
    return result;
  } finally {
    await client.close();
  }
}

async function drainUntilIdle(
  deps: DrainDeps & { readonly steps: DrainSteps },
  run: DrainRun,
  client: WebhookClient,
  first: Look,
): Promise<DrainResult> {
  const { steps } = deps;
  const { scope, endpointId, signal } = run;
  const { runMs, lingerMs } = deps.limits ?? { runMs: RUN_MS_MAX, lingerMs: LINGER_MS };
  const startedMs = performance.now();
  const isOver = () => {
    const maxMs = run.isWanted?.() === true ? Math.min(runMs, SHARED_RUN_MS_MAX) : runMs;
    return signal.aborted || performance.now() - startedMs >= maxMs;
  };
  const sender = {
    ...{ client, concurrency: CONCURRENCY, isSlowQueue: run.isSlowQueue, isOver, signal },
    pauseMs: Math.min(PAUSE_MS, lingerMs),
  };
  let look = first;
  let lingersUntilMs = startedMs + lingerMs;
  let pauseMs = PAUSE_MS;
  for (;;) {
    const { endpoint, due } = look;
    if (endpoint?.status !== 'ENABLED') return { kind: 'GONE' };
    const isLeaving = isOver() || (endpoint.isSlow && !run.isSlowQueue);
    if (due.length > 0 || look.hasReplay) {
      if (isLeaving) return { kind: 'DUE', waitMs: 0, isSlow: endpoint.isSlow };
    }
    if (due.length > 0) {
      const next = await deliverDue(deps, scope, { ...look, endpoint }, sender);
      if (next === null) continue;
      look = next;
      const isProbe = due.every(({ turn }) => turn === 'PROBE');
      // A receiver that is still away is not waited for.
      lingersUntilMs = performance.now() + (isProbe ? 0 : lingerMs);
      pauseMs = PAUSE_MS;
    } else if (look.hasReplay) {
      // Only once all that happened meanwhile has gone out.
      await queueReplay(deps, scope, endpointId).catch(nullWhereLocked);
      look = await steps.look();
    } else if (isLeaving || performance.now() >= lingersUntilMs) {
      const last = await steps.end();
      if (last !== null && last.due.length === 0 && !last.hasReplay) return whatIsLeft(last);
      if (last === null && isLeaving) {
        return { kind: 'DUE', waitMs: WRITERS_MS, isSlow: endpoint.isSlow };
      }
      // What others have committed meanwhile does not wait for a writer that takes long.
      look = last ?? (await steps.look());
      lingersUntilMs = performance.now() + (last === null ? WRITERS_MS : lingerMs);
      pauseMs = PAUSE_MS;
    } else {
      pauseMs *= PAUSE_FACTOR;
      const leftMs = Math.max(0, lingersUntilMs - performance.now());
      await pauseUnlessStopped(Math.min(pauseMs, leftMs), signal);
      // The last look is the one that ends the drain.
      if (pauseMs < leftMs) look = await steps.look();
    }
  }
}

const pauseUnlessStopped = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

/** Writers in the scope took longer than they may be waited for. */
function nullWhereLocked(error: unknown): null {
  if (isLockTimeout(error)) return null;
  throw error;
}

function whatIsLeft({ at, endpoint, nextDueAt }: Look): DrainResult {
  if (endpoint?.status !== 'ENABLED') return { kind: 'GONE' };
  const { isSlow } = endpoint;
  if (nextDueAt === null) return { kind: 'IDLE', isSlow };
  return { kind: 'DUE', waitMs: Math.max(0, nextDueAt.getTime() - at.getTime()), isSlow };
}
