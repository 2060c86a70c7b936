import { COMPANIES } from './company.ts';
import { isCompanyApproved, isSameBasis, type LiveStanding } from './live-standing.ts';
import { listApprovalsOf, type ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { findCompany } from '../../../db/customers/company-store.ts';
import { findCustomer } from '../../../db/customers/customer-status-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { findNewestKycCheck } from '../../../db/parties/kyc-check-store.ts';
import { findLiveRequest, type LiveRequestRow } from '../../../db/customers/live-request-store.ts';
import { findLiveTerms } from '../../../db/customers/live-terms-store.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';

/** A request as operators see it, and what it is about as that is now. */
export interface LiveRequestShown extends Pick<LiveStanding, 'company' | 'check' | 'terms'> {
  readonly request: LiveRequestRow;
  readonly approvals: readonly ApprovalRow[];
  /** Whether the customer has live access. */
  readonly isLive: boolean;
  /** It waits, and what it is about has changed. */
  readonly isOutdated: boolean;
}

/** A request with what it is about; null where there is none. */
export async function findLiveRequestShown(
  tx: SystemTransaction,
  id: string,
  now: Date,
): Promise<LiveRequestShown | null> {
  const request = isId(ID_PREFIXES.liveAccessRequest, id) ? await findLiveRequest(tx, id) : null;
  if (request === null) return null;
  const company = await findCompany(tx, request.customerId);
  const check = company === null ? null : await findNewestKycCheck(tx, COMPANIES, company.id);
  const terms = await findLiveTerms(tx);
  const basis =
    company !== null && check !== null && isCompanyApproved(company, check, now)
      ? {
          ...{ companyId: company.id, companyVersion: company.identityVersion },
          ...{ kycCheckId: check.id, termsVersion: terms?.version ?? 0 },
        }
      : null;
  return {
    ...{ request, company, check, terms },
    approvals: await listApprovalsOf(tx, { action: 'LIVE_ACCESS', subjectId: id }),
    isLive: (await findCustomer(tx, request.customerId))?.hasLiveAccess === true,
    isOutdated: request.decision === null && !isSameBasis(request, basis),
  };
}
