import type { KycContentType, KycDocumentType } from '../../domain/parties/kyc/kyc-document.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

interface KycDocument {
  readonly id: string;
  readonly type: KycDocumentType;
  readonly contentType: KycContentType;
  /** Sealed for the row `kyc_documents/<id>`, under the end-user's key. */
  readonly content: Buffer;
}

/** One document as stored, with whose key opens it: see `KeyOwner`. */
interface KycDocumentRow extends KycDocument {
  readonly endUserId: string;
  readonly ownerKey: Buffer | null;
}

/** A document that was submitted, as its page shows it. */
export interface GivenKycDocument {
  readonly type: KycDocumentType;
  readonly fingerprint: Buffer;
  /** When it was submitted. */
  readonly createdAt: Date;
  /** When the provider took it; null while it waits, or where it was forgotten unsent. */
  readonly handedOnAt: Date | null;
}

/** What was submitted for a check, oldest first. */
export async function listKycDocuments(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
): Promise<GivenKycDocument[]> {
  return tx.query<GivenKycDocument>(
    `SELECT type, fingerprint, created_at AS "createdAt", handed_on_at AS "handedOnAt"
     FROM kyc_documents WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3
     ORDER BY created_at, type`,
    [customerId, environment, kycCheckId],
  );
}

/** Whether any document of a check waits to be handed on. */
export async function hasWaitingKycDocuments(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 AS one FROM kyc_documents
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3 AND content IS NOT NULL
     LIMIT 1`,
    [customerId, environment, kycCheckId],
  );
  return rows.length > 0;
}

/** The next document of a check that waits behind `afterId`; one at a time, for they are large. */
export async function findWaitingKycDocument(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
  afterId: string,
): Promise<KycDocumentRow | null> {
  const rows = await tx.query<KycDocumentRow>(
    `SELECT d.id, d.type, d.content_type AS "contentType", d.content,
       c.end_user_id AS "endUserId", ${ownerKeyOf('c.end_user_id')}
     FROM kyc_documents d JOIN kyc_checks c ON c.id = d.kyc_check_id
       AND c.customer_id = $1 AND c.environment = $2
     WHERE d.customer_id = $1 AND d.environment = $2 AND d.kyc_check_id = $3
       AND d.content IS NOT NULL AND d.id > $4
     ORDER BY d.id LIMIT 1`,
    [customerId, environment, kycCheckId, afterId],
  );
  return rows[0] ?? null;
}

/** Forgets a document's content, for the provider has it. */
export async function markKycDocumentHandedOn(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE kyc_documents SET content = NULL, handed_on_at = $4, erased_at = $4
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND content IS NOT NULL`,
    [customerId, environment, id, at],
  );
}

/** Forgets the contents of a check that no one waits for any more. */
export async function eraseKycDocuments(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE kyc_documents SET content = NULL, erased_at = $4
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3 AND content IS NOT NULL`,
    [customerId, environment, kycCheckId, at],
  );
}

/** Forgets the contents of documents that no provider has taken before `until`; answers how many. */
export async function eraseExpiredKycDocuments(
  tx: SystemTransaction,
  until: Date,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `UPDATE kyc_documents SET content = NULL, erased_at = $1 WHERE id IN (
       SELECT id FROM kyc_documents WHERE content IS NOT NULL AND expires_at <= $1
       ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`,
    [until, limit],
  );
  return rows.length;
}
