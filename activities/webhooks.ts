import { Context } from '@temporalio/activity';
import { drainEndpoint, type DrainDeps } from '../src/webhooks/drain-endpoint.ts';
import { openWebhookClient, type OpenWebhookClient } from '../src/webhooks/safe-fetch.ts';
import type { WebhookActivities } from './types.ts';

/** Well below DRAIN's heartbeat timeout, so that one slow statement does not look like a death. */
const HEARTBEAT_EVERY_MS = 4_000;

/** What the running activity tells Temporal and hears from it. */
export interface DrainContext {
  readonly info: { readonly taskQueue: string };
  readonly cancellationSignal: AbortSignal;
  heartbeat(): void;
}

export interface WebhookActivityDeps extends Omit<DrainDeps, 'openClient'> {
  /** The task queue whose slots slow endpoints share. */
  readonly slowTaskQueue: string;
  readonly openClient?: OpenWebhookClient;
  readonly context?: () => DrainContext;
}

export function createWebhookActivities(deps: WebhookActivityDeps): WebhookActivities {
  const drainDeps: DrainDeps = { ...deps, openClient: deps.openClient ?? openWebhookClient };
  return {
    async drainEndpoint({ customerId, environment, endpointId }) {
      const context = deps.context?.() ?? Context.current();
      context.heartbeat();
      const beat = setInterval(() => {
        context.heartbeat();
      }, HEARTBEAT_EVERY_MS);
      try {
        return await drainEndpoint(drainDeps, {
          scope: { customerId, environment },
          endpointId,
          isSlowLane: context.info.taskQueue === deps.slowTaskQueue,
          signal: context.cancellationSignal,
        });
      } finally {
        clearInterval(beat);
      }
    },
  };
}
