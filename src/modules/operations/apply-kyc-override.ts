import { overrideKyc } from '../parties/kyc/override-kyc.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** Gives a KYC check the state that two operators agreed on. */
export const applyKycOverride: ApplyApproval = async (deps, approval) => {
  const { customerId, environment } = approval;
  const scope = { customerId, environment };
  const judging = { at: deps.clock.now(), approvalDays: deps.kycApprovalDays[environment] };
  const { check } = await deps.db.write(scope, (tx) => overrideKyc(tx, scope, approval, judging));
  const ref = { ...scope, endUserId: check.endUserId, kycCheckId: check.id, round: check.round };
  // Its workflow looks again by itself, within an hour; so do the payments that wait for it.
  const isHeard = await deps.workflows.wakeKycCheck(ref, approval.id).then(
    () => true,
    () => false,
  );
  const done = `${check.id} of ${check.endUserId} is ${check.status}.`;
  return isHeard
    ? done
    : `${done} Temporal did not answer. Payments that wait go on within an hour.`;
};
