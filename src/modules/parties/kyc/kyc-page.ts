import { findCustomerName } from '../../../db/customers/customer-store.ts';
import type { Database, ScopedTransaction } from '../../../db/client/database.ts';
import { findEndUser, type EndUserRow } from '../../../db/parties/end-user-store.ts';
import {
  findKycCheck,
  findKycPageScope,
  type KycCheckRow,
} from '../../../db/parties/kyc-check-store.ts';
import { listKycDocuments, type GivenKycDocument } from '../../../db/parties/kyc-document-store.ts';
import { listKycUploads, type KycUploadRow } from '../../../db/parties/kyc-upload-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { DocumentScanner } from '../../../domain/parties/kyc/document-scanner.ts';
import { kycPageStep, type KycPageStep } from '../../../domain/parties/kyc/kyc-page-step.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import type { KycCheckRef } from '../../../domain/workflows/work-refs.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { isOutdated, type LockedKyc } from './change-kyc.ts';
import { hashesOfLink, kycCheckRow, LINK_TOKEN } from './kyc-link.ts';

/** What a hosted link's token opens. */
export interface KycPage extends LockedKyc {
  readonly ref: KycCheckRef;
  readonly step: KycPageStep;
  /** Who asked for the check; of a customer's own company, which we check ourselves, where it was asked for. */
  readonly customerName: string;
  /** A customer's own company on its way to live, and no end-user of a customer. */
  readonly isCompany: boolean;
  /** Not submitted yet; at most one of a type. */
  readonly uploads: readonly KycUploadRow[];
  /** Submitted. */
  readonly documents: readonly GivenKycDocument[];
}

export interface KycPageDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Looks for malware in each upload; none is looked for where it is left out. */
  readonly documentScanner?: DocumentScanner;
}

/**
 * Reads what a link's token opens. Null, whatever the reason: the token is unknown, has run out or was
 * replaced by a newer one, or its end-user is suspended, closed or erased.
 */
export async function readKycPage(deps: KycPageDeps, token: string): Promise<KycPage | null> {
  const { db, vault, clock } = deps;
  if (!LINK_TOKEN.test(token)) return null;
  const ref = await findKycPageScope(db, hashesOfLink(vault, token));
  if (ref === null) return null;
  return db.read(ref, async (tx) => {
    const check = await findKycCheck(tx, ref, ref.kycCheckId);
    const endUser = check && (await findEndUser(tx, ref, check.endUserId));
    if (endUser === null || check === null) return null;
    if (!isOpenedBy(vault, { check, endUser }, token, clock.now())) return null;
    const shown = await readKycPageState(tx, { check, endUser }, ref, clock.now());
    const isCompany = ref.customerId === PLATFORM_ACCOUNT;
    const customerName = isCompany
      ? 'the dashboard'
      : ((await findCustomerName(tx, ref.customerId)) ?? '');
    return { ...shown, ref, customerName, isCompany };
  });
}

/** Does the token still open the check? Asked again under the lock by whatever changes it. */
export function isOpenedBy(
  vault: Vault,
  { check, endUser }: { readonly check: KycCheckRow; readonly endUser: EndUserRow },
  token: string,
  at: Date,
): boolean {
  if (endUser.status !== 'ACTIVE' || isErased(check) || check.linkExpiresAt <= at) return false;
  return vault.of(check).open(check.linkToken, kycCheckRow(check.id)).toString() === token;
}

/** What there is of a check, and what its page does by that. */
export async function readKycPageState(
  tx: ScopedTransaction,
  kyc: LockedKyc,
  ref: KycCheckRef,
  at: Date,
): Promise<LockedKyc & Pick<KycPage, 'step' | 'uploads' | 'documents'>> {
  const { check } = kyc;
  const documents = await listKycDocuments(tx, ref, check.id);
  const step = kycPageStep({
    status: check.status,
    isOutdated: isOutdated(kyc),
    isOpenAtProvider: check.providerUrl !== null,
    asksForDocuments: check.documentsAsked.length > 0,
    hasGiven: documents.length > 0,
  });
  return { ...kyc, step, documents, uploads: await listKycUploads(tx, ref, check.id, at) };
}
