import {
  CancellationScope,
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
const bell = defineSignal('bell');

const quick = proxyActivities<WebhookActivities>({
  ...DRAIN,
  taskQueue: TASK_QUEUES.webhooks,
  summary: 'Deliver what is due',
});
const slow = proxyActivities<WebhookActivities>({
  ...DRAIN,
  taskQueue: TASK_QUEUES.webhooksSlow,
  summary: 'Deliver what is due, among the slow ones',
});

/** An idle endpoint keeps its workflow so long; after that the bell starts a new one. */
const IDLE_FOR = '10 min';
const HISTORY_LENGTH_MAX = 5_000;

/**
 * Delivers one endpoint's events: drains, then waits for the bell or the next retry. A run begins by
 * draining, so a bell that it had not answered when it continued as new is not lost, and a drain of
 * any size is one activity, so events are not history. Cancellation from outside is ignored: the
 * events would be left lying.
 */
export async function webhookEndpoint(endpoint: EndpointRef, isSlowBefore = false): Promise<void> {
  let hasRung = false;
  setHandler(bell, () => {
    hasRung = true;
  });

  await CancellationScope.nonCancellable(async () => {
    let isSlow = isSlowBefore;
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
      // Asked again, not taken from the wait: bell and timer may come in one workflow task. A bell
      // after this makes the server refuse the completion and run the task again, bell included.
      if (!hasRung) return;
    }
  });
}
