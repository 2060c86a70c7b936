import {
  advanceAccessRequest,
  type AdvanceRequestDeps,
  type RequestOutcome,
} from '../../src/modules/customers/access/advance-access-request.ts';
import type { AccessRequestRef } from '../../src/domain/workflows/work-refs.ts';
import type { WorkflowClient } from '../../src/domain/workflows/workflow-client.ts';

/** What requests for access need of the world. */
export function createOnboardingActivities({
  workflows,
  ...deps
}: Omit<AdvanceRequestDeps, 'dispatchMail'> & {
  readonly workflows: Pick<WorkflowClient, 'startMail'>;
}) {
  return {
    /** Does what is due for a request for access: mails, test funds, expiry, erasure. */
    advanceRequest: ({ requestId }: AccessRequestRef): Promise<RequestOutcome> =>
      advanceAccessRequest(
        {
          ...deps,
          // The mail is written; where its start is lost the reconciler starts it.
          dispatchMail: (mailId) => workflows.startMail(mailId, 'commit').catch(() => undefined),
        },
        requestId,
      ),
  };
}
