import {
  CancellationScope,
  continueAsNew,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { PaymentBatchActivities } from '../activities/types.ts';
import type { PaymentBatchRef } from '../src/domain/workflows/work-refs.ts';
import { PAYMENT_BATCH } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

const WAIT_FIRST_MS = 2_000;
const WAIT_MAX_MS = 60_000;

/**
 * Judges a batch of payments, `payment-batch/<id>`, turn by turn until every item is ACCEPTED or REFUSED.
 * Where items wait for an error to pass it comes again, after 2 s doubling to a minute. Cancellation from
 * outside is ignored: the items would be left lying.
 */
export async function paymentBatch(batch: PaymentBatchRef, waitMs = WAIT_FIRST_MS): Promise<void> {
  const { judgeBatch } = proxyActivities<PaymentBatchActivities>({
    ...PAYMENT_BATCH,
    taskQueue: TASK_QUEUES.paymentBatches[batch.environment],
    summary: 'Accept or refuse items of the batch',
  });
  await CancellationScope.nonCancellable(async () => {
    let nextWaitMs = waitMs;
    let after = -1;
    for (;;) {
      const step = await judgeBatch({ ...batch, after });
      if (step.kind === 'DONE') return;
      if (step.kind === 'MORE') {
        after = step.after;
        continue;
      }
      await sleep(nextWaitMs, { summary: 'Until items are tried again' });
      after = -1;
      nextWaitMs = Math.min(2 * nextWaitMs, WAIT_MAX_MS);
      if (workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof paymentBatch>(batch, nextWaitMs);
      }
    }
  });
}
