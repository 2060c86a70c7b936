import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChainActivities } from '../activities/types.ts';
import type { ChainPlace } from '../src/domain/onchain/network.ts';
import { CHAIN_POLL, RECORD } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

/** Sent after the transaction that took a transfer. It carries nothing. */
const wake = defineSignal('wake');

/** An operator gives up the transfer of that reference; the answer says whether that can still be. */
const giveUp = defineUpdate<boolean, [reference: string]>('voidTransfer');

const { lookAtChain } = proxyActivities<ChainActivities>({
  ...CHAIN_POLL,
  taskQueue: TASK_QUEUES.chain,
  summary: 'Look at the chain, sign and send',
});
const { voidTransfer } = proxyActivities<ChainActivities>({
  ...RECORD,
  taskQueue: TASK_QUEUES.chain,
  summary: 'Give a transfer up',
});

const REFERENCE = /^[A-Z0-9]{1,35}$/;
const HISTORY_LENGTH_MAX = 5_000;

/**
 * One chain, `chain/<environment>/<network>`: looks at it while a transfer is under way, and ends when none
 * is. A run begins with a poll cycle, so nothing is lost with a wake that was not answered. Cancellation from
 * outside is ignored: what was sent would be left alone.
 */
export async function chain(place: ChainPlace): Promise<void> {
  let isWoken = false;
  setHandler(wake, () => {
    isWoken = true;
  });
  setHandler(
    giveUp,
    async (reference) => {
      const isGivenUp = await voidTransfer({ ...place, reference });
      isWoken = true;
      return isGivenUp;
    },
    {
      validator: (reference) => {
        if (typeof reference !== 'string' || !REFERENCE.test(reference)) {
          throw new TypeError('a reference of ours has letters and digits');
        }
      },
    },
  );

  await CancellationScope.nonCancellable(async () => {
    for (;;) {
      isWoken = false;
      const next = await lookAtChain(place);
      if (next.kind === 'WAIT') {
        await condition(() => isWoken, next.waitMs, {
          summary: 'Until the next look at the chain',
        });
      } else if (!isWoken && allHandlersFinished()) return;
      const { continueAsNewSuggested, historyLength } = workflowInfo();
      if (continueAsNewSuggested || historyLength > HISTORY_LENGTH_MAX) {
        await condition(allHandlersFinished);
        await continueAsNew<typeof chain>(place);
      }
    }
  });
}
