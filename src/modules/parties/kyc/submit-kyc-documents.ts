import { submitKycUploads } from '../../../db/parties/kyc-upload-store.ts';
import { missingAsks, type KycAsk } from '../../../domain/parties/kyc/document-asks.ts';
import { changeKyc } from './change-kyc.ts';
import type { KycPage, KycPageDeps } from './kyc-page.ts';
import { writeKycPage } from './write-kyc-page.ts';

/** What came of a submission. */
type KycSubmission =
  | { readonly kind: 'SUBMITTED' }
  /** By an earlier one, or nothing is asked for: nothing was done. */
  | { readonly kind: 'NOT_ASKED' }
  /** Nothing was done. After a resubmission was asked for, any one document will do: then none is named. */
  | { readonly kind: 'INCOMPLETE'; readonly missing: readonly KycAsk[] };

/**
 * Submits what was uploaded, once: the documents wait to be handed on from now on, and the check is
 * IN_REVIEW. Of submissions at once the first counts. The caller wakes the check's workflow after the
 * commit; where that is lost, its next look at the provider finds them. Refuses as `writeKycPage` does.
 */
export async function submitKycDocuments(
  deps: KycPageDeps & {
    /** How long they wait for a provider that does not take them, in milliseconds. */
    readonly documentLifeMs: number;
  },
  page: KycPage,
  token: string,
): Promise<KycSubmission> {
  const { ref } = page;
  return writeKycPage(deps, page, token, async (tx, now, at) => {
    const { endUser, check, step, uploads } = now;
    if (step !== 'GIVE') return { kind: 'NOT_ASKED' };
    const isAgain = check.status === 'RESUBMISSION_REQUIRED';
    const types = uploads.map(({ type }) => type);
    const missing = isAgain ? [] : missingAsks(check.documentsAsked, types);
    if (missing.length > 0 || uploads.length === 0) return { kind: 'INCOMPLETE', missing };
    const expiresAt = new Date(at.getTime() + deps.documentLifeMs);
    await submitKycUploads(tx, ref, check.id, { at, expiresAt });
    await changeKyc(tx, ref, { endUser, check }, { status: 'IN_REVIEW', reasons: [] }, at);
    return { kind: 'SUBMITTED' };
  });
}
