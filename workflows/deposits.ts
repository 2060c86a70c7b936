import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { DepositActivities } from '../activities/types.ts';
import type { ChainPlace } from '../src/domain/onchain/network.ts';
import { CHAIN_POLL } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

/** Sent after the transaction that gave out an address. It carries nothing. */
const wake = defineSignal('wake');

const HISTORY_LENGTH_MAX = 5_000;

/**
 * One chain read for deposits, `deposits/<environment>/<network>`: while deposits may come to an address of
 * the environment. It ends where there is none. A run begins with a look, so nothing is lost with a signal that
 * was not answered. Cancellation from outside is ignored: the reconciler would start it again.
 */
export async function deposits(place: ChainPlace): Promise<void> {
  const { readDeposits } = proxyActivities<DepositActivities>({
    ...CHAIN_POLL,
    taskQueue: TASK_QUEUES.deposits[place.environment],
    summary: 'Read the chain for deposits',
  });
  let isWoken = false;
  setHandler(wake, () => {
    isWoken = true;
  });

  await CancellationScope.nonCancellable(async () => {
    for (;;) {
      isWoken = false;
      const next = await readDeposits(place);
      if (next.kind === 'WAIT') await condition(() => isWoken, next.waitMs);
      else if (!isWoken) return;
      const { continueAsNewSuggested, historyLength } = workflowInfo();
      if (continueAsNewSuggested || historyLength > HISTORY_LENGTH_MAX) {
        await continueAsNew<typeof deposits>(place);
      }
    }
  });
}
