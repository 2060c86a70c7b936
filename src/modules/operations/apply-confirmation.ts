import { confirmOutcome } from '../payments/confirm-outcome.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** A payment ends as two operators say that the bank ended it. Its workflow is woken, and ends. */
export const applyConfirmation: ApplyApproval = async (deps, approval) => {
  const { payment } = await confirmOutcome(deps, approval);
  const { customerId, environment, subjectId: paymentId } = approval;
  const ref = { customerId, environment, paymentId };
  const isHeard = await deps.workflows.wakePayment(payment.workflowId, ref, approval.id).then(
    () => true,
    () => false,
  );
  const done = `${paymentId} is ${payment.status}.`;
  return isHeard ? done : `${done} Temporal did not answer. The workflow ends by itself.`;
};
