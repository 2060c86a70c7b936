import { findKycCheck, saveKycOpening } from '../../src/db/parties/kyc-check-store.ts';
import type { KycAsk } from '../../src/domain/parties/kyc/document-asks.ts';
import type { KycDocumentType } from '../../src/domain/parties/kyc/kyc-document.ts';
import type { KycCheckRef } from '../../src/domain/workflows/work-refs.ts';
import { keepKycUpload } from '../../src/modules/parties/kyc/keep-kyc-upload.ts';
import { kycCheckRow } from '../../src/modules/parties/kyc/kyc-link.ts';
import { readKycPage, type KycPageDeps } from '../../src/modules/parties/kyc/kyc-page.ts';
import { submitKycDocuments } from '../../src/modules/parties/kyc/submit-kyc-documents.ts';

const MONTH_MS = 30 * 24 * 3_600_000;

/** The token of a check's present link. */
export async function kycTokenOf(deps: KycPageDeps, ref: KycCheckRef): Promise<string> {
  const check = await deps.db.read(ref, (tx) => findKycCheck(tx, ref, ref.kycCheckId));
  if (check === null) throw new Error('there is no such check');
  return deps.vault.of(check).open(check.linkToken, kycCheckRow(check.id)).toString();
}

/** Opens a check as a provider does that asks for something. */
export async function openKycCheckFor(
  { db, vault }: KycPageDeps,
  ref: KycCheckRef,
  documentsAsked: readonly KycAsk[],
): Promise<void> {
  await db.write(ref, async (tx) => {
    const check = await findKycCheck(tx, ref, ref.kycCheckId);
    if (check === null) throw new Error('there is no such check');
    const url = Buffer.from('https://kyc.example/hosted');
    const providerUrl = vault.of(check).seal(url, kycCheckRow(check.id));
    await saveKycOpening(tx, ref, check.id, { providerUrl, documentsAsked });
  });
}

/** What keeping one file of a check says; null where it was kept. */
export async function keepKycFile(
  deps: KycPageDeps,
  ref: KycCheckRef,
  bytes: Buffer,
  type: KycDocumentType = 'PASSPORT',
) {
  const token = await kycTokenOf(deps, ref);
  const page = await readKycPage(deps, token);
  if (page === null) throw new Error('the link opens nothing');
  return keepKycUpload(deps, page, token, { type, bytes });
}

/** Submits what was kept. */
export async function submitKycFiles(deps: KycPageDeps, ref: KycCheckRef) {
  const token = await kycTokenOf(deps, ref);
  const page = await readKycPage(deps, token);
  if (page === null) throw new Error('the link opens nothing');
  return submitKycDocuments({ ...deps, documentLifeMs: MONTH_MS }, page, token);
}
