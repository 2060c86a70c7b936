import {
  advanceAccessRequest,
  type AdvanceRequestDeps,
} from '../../src/modules/customers/access/advance-access-request.ts';
import type { WorkflowClient } from '../../src/domain/workflows/workflow-client.ts';
import type { OnboardingActivities } from '../types.ts';

/** What requests for access need of the world. */
export function createOnboardingActivities({
  workflows,
  ...deps
}: Omit<AdvanceRequestDeps, 'dispatchMail'> & {
  readonly workflows: Pick<WorkflowClient, 'startMail'>;
}): OnboardingActivities {
  return {
    advanceRequest: ({ requestId }) =>
      advanceAccessRequest(
        {
          ...deps,
          // The mail is written; where its start is lost the sweep starts it.
          dispatchMail: (mailId) => workflows.startMail(mailId, 'commit').catch(() => undefined),
        },
        requestId,
      ),
  };
}
