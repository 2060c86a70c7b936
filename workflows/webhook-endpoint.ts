import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/types.ts';
import type { EndpointRef } from '../src/domain/workflows/work-refs.ts';
import { DRAIN } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

/** Sent after the transaction that set an endpoint's wake flag. It carries nothing. */
const wake = defineSignal('wake');

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

/** An idle endpoint keeps its workflow so long; after that the wake starts a new one. */
const IDLE_FOR = '10 min';
const HISTORY_LENGTH_MAX = 5_000;

/**
 * Delivers one endpoint's events: drains, then waits for the wake or the next retry. A run begins by
 * draining, so a wake that it had not answered when it continued as new is not lost, and a drain of
 * any size is one activity, so events are not history. Cancellation from outside is ignored: the
 * events would be left lying.
 */
export async function webhookEndpoint(endpoint: EndpointRef, isSlowBefore = false): Promise<void> {
  let wasWoken = false;
  setHandler(wake, () => {
    wasWoken = true;
  });

  await CancellationScope.nonCancellable(async () => {
    let isSlow = isSlowBefore;
    for (;;) {
      wasWoken = false;
      const outcome = await (isSlow ? slow : quick).drainEndpoint(endpoint);
      if (outcome.kind === 'GONE') {
        // Woken meanwhile: it may have been enabled again after the drain had looked.
        if (wasWoken) continue;
        return;
      }
      isSlow = outcome.isSlow;
      const { continueAsNewSuggested, historyLength } = workflowInfo();
      if (continueAsNewSuggested || historyLength > HISTORY_LENGTH_MAX) {
        await continueAsNew<typeof webhookEndpoint>(endpoint, isSlow);
      }
      if (outcome.kind === 'DUE') {
        if (outcome.waitMs > 0) {
          await condition(() => wasWoken, outcome.waitMs, { summary: 'Until a delivery is due' });
        }
        continue;
      }
      await condition(() => wasWoken, IDLE_FOR, {
        summary: 'Until there is a new event, or the end',
      });
      // Asked again, not taken from the wait: wake and timer may come in one workflow task. A wake
      // after this makes the server refuse the completion and run the task again, wake included.
      if (!wasWoken) return;
    }
  });
}
