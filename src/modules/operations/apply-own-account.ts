import { activateOwnAccount } from '../parties/bank-accounts/activate-own-account.ts';
import type { ApplyApproval } from './apply-approval.ts';

/** Makes a customer's own account one that may be paid to. */
export const applyOwnAccount: ApplyApproval = async (deps, approval) => {
  const { customerId, environment } = approval;
  const scope = { customerId, environment };
  const row = await deps.db.write(scope, (tx) =>
    activateOwnAccount(tx, scope, approval, deps.clock.now()),
  );
  return `${row.id} is ACTIVE: ${customerId} may withdraw to it (${environment}).`;
};
