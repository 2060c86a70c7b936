import { grantLiveAccess } from '../customers/live/grant-live-access.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** A customer may move real money from now on: its live keys work. */
export const applyLiveAccess: ApplyApproval = async (deps, approval) => {
  await grantLiveAccess(deps, approval);
  return `Granted live access: ${approval.customerId}.`;
};
