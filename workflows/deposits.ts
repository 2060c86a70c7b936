import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  patched,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { DepositActivities } from '../activities/types.ts';
import type { ChainPlace } from '../src/domain/onchain/network.ts';
import { BALANCE_CHECK, CHAIN_POLL } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';
import { VERSIONS } from './versions.ts';

/** Sent after the transaction that gave out an address. It carries nothing. */
const wake = defineSignal('wake');

const HISTORY_LENGTH_MAX = 5_000;
const CHECK_EVERY_MS = 60_000;

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
  const { checkDepositBalances } = proxyActivities<DepositActivities>({
    ...BALANCE_CHECK,
    taskQueue: TASK_QUEUES.deposits[place.environment],
    summary: 'Hold what lies at addresses against the books',
  });
  let checking: Promise<void> | null = null;
  let isRested = true;
  /** Beside what is read, once a minute at the most. What fails or is not done comes with the next one. */
  const checkBalances = (): void => {
    if (checking !== null || !isRested) return;
    isRested = false;
    void sleep(CHECK_EVERY_MS, { summary: 'Until balances are checked again' }).then(() => {
      isRested = true;
    });
    checking = checkDepositBalances(place)
      .catch(() => undefined)
      .finally(() => {
        checking = null;
      });
  };

  let isWoken = false;
  setHandler(wake, () => {
    isWoken = true;
  });

  await CancellationScope.nonCancellable(async () => {
    for (;;) {
      isWoken = false;
      if (patched(VERSIONS.balancesApart)) checkBalances();
      const next = await readDeposits(place);
      if (next.kind === 'WAIT') {
        await condition(() => isWoken, next.waitMs, { summary: 'Until the chain is read again' });
      } else if (!isWoken) {
        if (checking !== null) await checking;
        return;
      }
      const { continueAsNewSuggested, historyLength } = workflowInfo();
      if (continueAsNewSuggested || historyLength > HISTORY_LENGTH_MAX) {
        if (checking !== null) await checking;
        await continueAsNew<typeof deposits>(place);
      }
    }
  });
}
