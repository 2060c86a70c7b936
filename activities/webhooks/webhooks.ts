import { Context } from '@temporalio/activity';
import type { EndpointRef } from '../../src/domain/workflows/work-refs.ts';
import {
  drainEndpoint,
  type DrainDeps,
  type DrainResult,
} from '../../src/modules/webhooks/drain-endpoint.ts';
import { ASK_AGAIN_MS, createSlowTurns } from '../../src/modules/webhooks/slow-turns.ts';
import {
  openWebhookClient,
  type OpenWebhookClient,
} from '../../src/modules/webhooks/safe-fetch.ts';

/** What Temporal tells the running activity. Its heartbeat is the worker's: see the guard. */
interface DrainContext {
  readonly info: { readonly taskQueue: string };
  readonly cancellationSignal: AbortSignal;
}

interface WebhookActivityDeps extends Omit<DrainDeps, 'openClient'> {
  /** The task queue whose slots slow endpoints share. */
  readonly slowTaskQueue: string;
  readonly openClient?: OpenWebhookClient;
  readonly context?: () => DrainContext;
}

export function createWebhookActivities(deps: WebhookActivityDeps) {
  const drainDeps: DrainDeps = { ...deps, openClient: deps.openClient ?? openWebhookClient };
  const slowTurns = createSlowTurns(deps);
  return {
    /** Delivers what is due for one endpoint until nothing is, at most 60 s; heartbeats. */
    async drainEndpoint({
      customerId,
      environment,
      endpointId,
    }: EndpointRef): Promise<DrainResult> {
      const context = deps.context?.() ?? Context.current();
      const run = {
        scope: { customerId, environment },
        endpointId,
        isSlowQueue: context.info.taskQueue === deps.slowTaskQueue,
        signal: context.cancellationSignal,
      };
      if (!run.isSlowQueue) return drainEndpoint(drainDeps, run);
      const turn = slowTurns.take(run.scope, endpointId);
      if (turn === null) return { kind: 'DUE', waitMs: ASK_AGAIN_MS, isSlow: true };
      try {
        return await drainEndpoint(drainDeps, { ...run, isWanted: turn.isWanted });
      } finally {
        turn.end();
      }
    },
  };
}
