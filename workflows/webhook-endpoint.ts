import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { EndpointRef, WebhookActivities } from '../activities/types.ts';
import { DRAIN, TASK_QUEUES } from './options.ts';

/** Rung by the transaction that turned an endpoint's bell up. It carries nothing. */
export const bell = defineSignal('bell');

const quick = proxyActivities<WebhookActivities>({ ...DRAIN, taskQueue: TASK_QUEUES.webhooks });
const slow = proxyActivities<WebhookActivities>({ ...DRAIN, taskQueue: TASK_QUEUES.webhooksSlow });

/** An idle endpoint keeps its workflow so long; after that the bell starts a new one. */
const IDLE_FOR = '10 min';
const HISTORY_LENGTH_MAX = 5_000;

/**
 * Delivers one endpoint's events: drains, then waits for the bell or the next retry. Every run begins
 * by draining, so that a bell which a run has not answered when it continues as new is not lost.
 * Events delivered are not history: a drain of any size is one activity.
 */
export async function webhookEndpoint(endpoint: EndpointRef, isSlowBefore = false): Promise<void> {
  let isSlow = isSlowBefore;
  let hasRung = false;
  setHandler(bell, () => {
    hasRung = true;
  });

  for (;;) {
    hasRung = false;
    const outcome = await (isSlow ? slow : quick).drainEndpoint(endpoint);
    if (outcome.kind === 'GONE') {
      // Rung meanwhile: it may have been enabled again after the drain had looked.
      if (hasRung) continue;
      return;
    }
    isSlow = outcome.isSlow;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LENGTH_MAX) {
      await continueAsNew<typeof webhookEndpoint>(endpoint, isSlow);
    }
    if (outcome.kind === 'DUE') {
      if (outcome.waitMs > 0) await condition(() => hasRung, outcome.waitMs);
      continue;
    }
    await condition(() => hasRung, IDLE_FOR);
    // Asked again, not taken from the wait: bell and timer may come in one workflow task. A bell that
    // comes after this makes the server refuse the completion and run this task again, with the bell.
    if (!hasRung) return;
  }
}
