import type { KycCheckRef } from '../../src/domain/workflows/work-refs.ts';
import {
  createAdvanceKycCheck,
  type AdvanceKycDeps,
  type KycStep,
} from '../../src/modules/parties/kyc/advance-kyc-check.ts';
import { KycStepFailed, type KycProblem } from '../../src/modules/parties/kyc/ask-kyc-provider.ts';
import { ActivityError } from '../failures.ts';

/** How Temporal sees each problem, and when it tries again: by the policy of the activity where no time is given. */
const toFailure: Readonly<Record<KycProblem, () => ActivityError>> = {
  NOT_FOUND: () => new ActivityError('NOT_FOUND'),
  // An operator must name a provider first: no hurry.
  NO_PROVIDER: () => new ActivityError('PROVIDER_UNREACHABLE', { retryAfterMs: 30_000 }),
  UNANSWERED: () => new ActivityError('PROVIDER_UNREACHABLE'),
};

/** The steps of a KYC check. Each begins from what PostgreSQL says, and may run twice. */
export function createKycActivities(deps: AdvanceKycDeps) {
  const { open, poll, handDocumentsOn, apply } = createAdvanceKycCheck(deps);

  const failing =
    (work: (check: KycCheckRef) => Promise<KycStep>) =>
    async (check: KycCheckRef): Promise<KycStep> => {
      try {
        return await work(check);
      } catch (error) {
        throw error instanceof KycStepFailed ? toFailure[error.problem]() : error;
      }
    };

  return {
    /** Opens the check at the provider; the provider takes the same reference twice as once. */
    openKycCheck: failing(open),
    /** Asks the provider for the check's status and applies the answer. */
    pollKycCheck: failing(poll),
    /** Hands the check's documents on; after a failure the answer waits before it asks for another try. */
    handOnKycDocuments: failing(handDocumentsOn),
    /** Applies stored reports of the provider. Never talks to the provider. */
    applyKycReports: failing(apply),
  };
}
