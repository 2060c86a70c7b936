import { findCompany, isCompanyScreened } from '../../../db/customers/company-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import { enterScope } from '../../../db/client/enter-scope.ts';
import { findNewestKycCheck, type KycCheckRow } from '../../../db/parties/kyc-check-store.ts';
import {
  findLastLiveRequest,
  type LiveRequestBasis,
  type LiveRequestRow,
} from '../../../db/customers/live-request-store.ts';
import {
  findAcceptance,
  findLiveTerms,
  type LiveTerms,
  type TermsAcceptance,
} from '../../../db/customers/live-terms-store.ts';
import { listOwners } from '../../../db/customers/owner-store.ts';
import { COMPANIES, liveScope } from './company.ts';

/** Where a customer stands on its way to live. */
export interface LiveStanding {
  readonly hasVerifiedOwner: boolean;
  readonly company: EndUserRow | null;
  /** Its names, as they are now, were looked up in the sanctions list, whatever was found: that is never told. */
  readonly isScreened: boolean;
  readonly check: KycCheckRow | null;
  readonly terms: LiveTerms | null;
  readonly acceptance: TermsAcceptance | null;
  readonly request: LiveRequestRow | null;
}

/** Reads it in a transaction of the scope COMPANIES, which ends in the customer's. */
export async function readLiveStanding(
  tx: ScopedTransaction,
  customerId: string,
): Promise<LiveStanding> {
  const company = await findCompany(tx, customerId);
  const check = company === null ? null : await findNewestKycCheck(tx, COMPANIES, company.id);
  const isScreened = company !== null && (await isCompanyScreened(tx, company.id));
  const scope = liveScope(customerId);
  await enterScope(tx, scope);
  return {
    ...{ company, check, isScreened },
    hasVerifiedOwner: (await listOwners(tx, customerId)).length > 0,
    terms: await findLiveTerms(tx),
    acceptance: await findAcceptance(tx, scope),
    request: await findLastLiveRequest(tx, scope),
  };
}

/** Whether the company is approved: by its newest check, about its data as it is now, and not run out. */
export function isCompanyApproved(
  company: EndUserRow | null,
  check: KycCheckRow | null,
  now: Date,
): boolean {
  if (company?.kycStatus !== 'APPROVED' || check?.status !== 'APPROVED') return false;
  const isCurrent = check.identityVersion === company.identityVersion;
  return isCurrent && (check.expiresAt === null || check.expiresAt > now);
}

export const areTermsAccepted = ({ terms, acceptance }: LiveStanding): boolean =>
  terms !== null && acceptance?.termsVersion === terms.version;

/** What a request made now would be about; null where something is missing. */
export function liveBasis(standing: LiveStanding, now: Date): LiveRequestBasis | null {
  const { company, check, terms } = standing;
  if (company === null || check === null || terms === null) return null;
  if (!isCompanyApproved(company, check, now) || !areTermsAccepted(standing)) return null;
  if (!standing.hasVerifiedOwner || !standing.isScreened) return null;
  return {
    companyId: company.id,
    companyVersion: company.identityVersion,
    kycCheckId: check.id,
    termsVersion: terms.version,
  };
}

/** Whether a request is about just this. */
export const isSameBasis = (request: LiveRequestBasis, now: LiveRequestBasis | null): boolean =>
  now !== null &&
  request.companyId === now.companyId &&
  request.companyVersion === now.companyVersion &&
  request.kycCheckId === now.kycCheckId &&
  request.termsVersion === now.termsVersion;
