import { resumeCustomer } from '../customers/resume-customer.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** A suspended customer works again: its keys, its users, and what is held for its suspension. */
export const applyCustomerResumption: ApplyApproval = async (deps, approval) => {
  await resumeCustomer(deps, approval);
  return `Resumed: ${approval.customerId}. Payments that were held check again by themselves.`;
};
