import { createHash } from 'node:crypto';
import type { ScopedTransaction } from '../db/database.ts';
import { countKycDocuments, insertKycDocument } from '../db/kyc-document-store.ts';
import { newId } from '../db/new-id.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import {
  isContentOf,
  KYC_DOCUMENT_BYTES_MAX,
  KYC_DOCUMENTS_MAX,
  KYC_DOCUMENTS_WAITING_MAX,
  type KycDocumentType,
} from '../domain/kyc/kyc-document.ts';
import { isDecided } from '../domain/kyc/kyc-states.ts';
import type { Scope } from '../domain/scope.ts';
import { endUserOwner } from '../end-users/end-user-personal.ts';
import type { Vault } from '../vault/vault.ts';
import { isOutdated, lockKyc } from './change-kyc.ts';

/** The row that a document is sealed for. */
export const kycDocumentRow = (id: string): string => `kyc_documents/${id}`;

/** Why a document is not taken. */
export type KycDocumentProblem =
  'NOT_FOUND' | 'CHECK_IS_OVER' | 'WRONG_CONTENT' | 'TOO_LARGE' | 'TOO_MANY';

/**
 * Keeps a document of an open check, sealed, until the provider has it; the same one again is the same
 * document. The caller wakes the check's workflow after the commit. `problem` says why none was kept.
 */
export async function addKycDocument(
  deps: { readonly vault: Vault },
  tx: ScopedTransaction,
  scope: Scope,
  ref: { readonly endUserId: string; readonly kycCheckId: string },
  document: {
    readonly type: KycDocumentType;
    readonly contentType: string;
    readonly content: Uint8Array;
  },
  at: Date,
): Promise<{ readonly id: string } | { readonly problem: KycDocumentProblem }> {
  const { type, contentType, content } = document;
  if (content.byteLength > KYC_DOCUMENT_BYTES_MAX) return { problem: 'TOO_LARGE' };
  if (!isContentOf(contentType, content)) return { problem: 'WRONG_CONTENT' };
  const kyc = await lockKyc(tx, scope, ref);
  if (kyc === null) return { problem: 'NOT_FOUND' };
  if (isDecided(kyc.check.status) || isOutdated(kyc)) return { problem: 'CHECK_IS_OVER' };
  const { all, waiting } = await countKycDocuments(tx, scope, ref.kycCheckId);
  const hash = createHash('sha256').update(content).digest('hex');
  const fingerprint = deps.vault.keyedHash('kyc_document', `${ref.kycCheckId}/${hash}`);
  const isFull = all >= KYC_DOCUMENTS_MAX || waiting >= KYC_DOCUMENTS_WAITING_MAX;
  if (isFull) return { problem: 'TOO_MANY' };
  const id = newId(ID_PREFIXES.kycDocument);
  const sealed = deps.vault.of(endUserOwner(kyc.endUser)).seal(content, kycDocumentRow(id));
  return {
    id: await insertKycDocument(tx, scope, {
      ...{ id, type, contentType, fingerprint, at },
      kycCheckId: ref.kycCheckId,
      content: sealed,
    }),
  };
}
