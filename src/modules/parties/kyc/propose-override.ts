import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../../approvals/propose-approval.ts';
import type { Database } from '../../../db/client/database.ts';
import type { KycCheckRef } from '../../../domain/workflows/work-refs.ts';
import { lockKyc } from './change-kyc.ts';
import { findOverrideProblem, overrideContent, type OverrideStatus } from './override-kyc.ts';

/**
 * Proposes a state of a KYC check; null where a proposal about it waits. Throws ApprovalRefused where it
 * cannot have that state.
 */
export async function proposeOverride(
  deps: ApprovalDeps & { readonly db: Database },
  check: KycCheckRef,
  to: OverrideStatus,
  act: OperatorAct,
): Promise<string | null> {
  const { kycCheckId, customerId, environment } = check;
  const scope = { customerId, environment };
  const kyc = await deps.db.write(scope, (tx) => lockKyc(tx, scope, check));
  if (kyc === null) throw new ApprovalRefused(`There is no KYC check ${kycCheckId}.`);
  const problem = findOverrideProblem(kyc, to);
  if (problem !== null) throw new ApprovalRefused(problem);
  return proposeApproval(deps, scope, overrideContent(kyc, to), act);
}
