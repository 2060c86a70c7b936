import { deleteKycUpload } from '../../../db/parties/kyc-upload-store.ts';
import type { KycDocumentType } from '../../../domain/parties/kyc/kyc-document.ts';
import type { KycPage, KycPageDeps } from './kyc-page.ts';
import { writeKycPage } from './write-kyc-page.ts';

/** Forgets an upload that was not submitted; one that is not there is forgotten already. */
export async function removeKycUpload(
  deps: KycPageDeps,
  page: KycPage,
  token: string,
  type: KycDocumentType,
): Promise<void> {
  await writeKycPage(deps, page, token, async (tx, { check }) => {
    await deleteKycUpload(tx, page.ref, check.id, type);
  });
}
