import { acceptForeign, sayForeignPayment } from '../onchain/foreign-nonce.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** What used a nonce of a hot address is no payment of ours. */
export const applyForeignNonce: ApplyApproval = async (deps, approval) => {
  await acceptForeign(deps, approval);
  return `The transaction that used ${approval.subjectId} counts as foreign once it is final.`;
};

/** Whether it paid the payment of that nonce: its network's process acts by it. */
export const applyForeignPayment: ApplyApproval = async (deps, approval) => {
  const { hash, outcome } = await sayForeignPayment(deps, approval);
  const becomes = outcome === 'PAID' ? 'is COMPLETED by' : 'goes on after';
  return `${approval.subjectId} ${becomes} ${hash} once both providers agree on the transaction and it is final.`;
};
