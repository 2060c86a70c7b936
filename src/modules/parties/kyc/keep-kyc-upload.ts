import { createHash } from 'node:crypto';
import { deleteKycUpload, insertKycUpload } from '../../../db/parties/kyc-upload-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { readDocument } from '../../../domain/parties/kyc/documents/read-document.ts';
import {
  KYC_DOCUMENT_BYTES_MAX,
  KYC_DOCUMENTS_AT_ONCE_MAX,
  KYC_DOCUMENTS_MAX,
  type KycDocumentType,
} from '../../../domain/parties/kyc/kyc-document.ts';
import { endUserOwner } from '../end-users/end-user-personal.ts';
import { inflate } from './inflate.ts';
import type { KycPage, KycPageDeps } from './kyc-page.ts';
import { writeKycPage } from './write-kyc-page.ts';

/** The row that a document is sealed for, submitted or not. */
export const kycDocumentRow = (id: string): string => `kyc_documents/${id}`;

/** What fingerprints are hashed for. */
const PURPOSE = 'kyc_document';

/** Why an upload is not kept. */
export type KycUploadProblem =
  /** The page asks for nothing, or no longer. */
  | 'NOT_ASKED'
  | 'EMPTY'
  | 'TOO_LARGE'
  /** Neither a whole JPEG or PNG picture nor a PDF that can only be looked at. */
  | 'WRONG_CONTENT'
  /** The scanner found malware, or did not answer. */
  | 'HARMFUL'
  | 'NOT_SCANNED'
  /** Six of other types are there, or the check has had 24 in all. */
  | 'TOO_MANY'
  /** The same bytes were submitted for this check before. */
  | 'SAME_AS_BEFORE';

/**
 * Keeps a file, sealed, until it is submitted; it takes the place of an earlier one of its type. What type of
 * file it is, its bytes say, and what stands behind a picture is cut off. Null: it is kept. Refuses as
 * `writeKycPage` does.
 */
export async function keepKycUpload(
  deps: KycPageDeps,
  page: KycPage,
  token: string,
  file: { readonly type: KycDocumentType; readonly bytes: Uint8Array },
): Promise<KycUploadProblem | null> {
  const { type, bytes } = file;
  if (bytes.byteLength === 0) return 'EMPTY';
  if (bytes.byteLength > KYC_DOCUMENT_BYTES_MAX) return 'TOO_LARGE';
  const found = readDocument(bytes, inflate);
  if (found === null) return 'WRONG_CONTENT';
  const content = bytes.subarray(0, found.length);
  const verdict = await deps.documentScanner?.scan(content);
  if (verdict !== undefined && verdict !== 'CLEAN') return verdict;
  const hash = createHash('sha256').update(content).digest('hex');
  const printed = `${page.check.id}/${hash}`;
  const fingerprint = deps.vault.keyedHash(PURPOSE, printed);
  const id = newId(ID_PREFIXES.kycDocument);
  // Before the lock: it takes its time with megabytes.
  const sealed = deps.vault.of(endUserOwner(page.endUser)).seal(content, kycDocumentRow(id));
  return writeKycPage(deps, page, token, async (tx, { step, check, uploads, documents }, at) => {
    if (step !== 'GIVE') return 'NOT_ASKED';
    const others = uploads.filter((upload) => upload.type !== type).length;
    const isFull = others >= KYC_DOCUMENTS_AT_ONCE_MAX;
    if (isFull || documents.length + others >= KYC_DOCUMENTS_MAX) return 'TOO_MANY';
    const isRepeated = documents.some(
      (one) => one.type === type && deps.vault.isKeyedHash(one.fingerprint, PURPOSE, printed),
    );
    if (isRepeated) return 'SAME_AS_BEFORE';
    await deleteKycUpload(tx, page.ref, check.id, type);
    await insertKycUpload(tx, page.ref, {
      ...{ id, type, fingerprint, at },
      ...{ kycCheckId: check.id, contentType: found.contentType, content: sealed },
      ...{ byteCount: content.byteLength, expiresAt: check.linkExpiresAt },
    });
    return null;
  });
}
