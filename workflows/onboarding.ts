import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { OnboardingActivities } from '../activities/types.ts';
import type { AccessRequestRef } from '../src/domain/workflows/work-refs.ts';
import { RECORD } from './options.ts';

/** Says that the request was decided. It carries nothing: what was decided is in PostgreSQL. */
const wake = defineSignal('wake');

const { advanceRequest } = proxyActivities<OnboardingActivities>({
  ...RECORD,
  summary: 'Do what is due for the request',
});

/**
 * A request for access, `onboarding/<id>`: tells of it, reminds operators after two days, lets it expire
 * after ninety, and erases what was told thirty days after a decision. Which of these is due is the row's
 * to say, so a run that starts goes on from there. Cancellation from outside is ignored: what is to be
 * erased would stay.
 */
export async function onboarding(request: AccessRequestRef): Promise<void> {
  let isWoken = false;
  setHandler(wake, () => {
    isWoken = true;
  });
  await CancellationScope.nonCancellable(async () => {
    for (;;) {
      isWoken = false;
      const next = await advanceRequest(request);
      if (next.kind === 'DONE') return;
      await condition(() => isWoken, next.waitMs, {
        summary: 'Until the request is looked at again',
      });
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof onboarding>(request);
    }
  });
}
