import { sayForeignPayment } from '../onchain/foreign-payment.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** Whether a transaction that was not made by us paid a payment: its network's process acts by it. */
export const applyForeignPayment: ApplyApproval = async (deps, approval) => {
  const { hash, outcome } = await sayForeignPayment(deps, approval);
  const becomes = outcome === 'PAID' ? 'is COMPLETED by' : 'goes on after';
  return `${approval.subjectId} ${becomes} ${hash} once both providers agree on the transaction and it is final.`;
};
