import type { KycContentType, KycDocumentType } from '../domain/kyc/kyc-document.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

interface KycDocument {
  readonly id: string;
  readonly type: KycDocumentType;
  readonly contentType: KycContentType;
  /** Sealed for the row `kyc_documents/<id>`, under the end-user's key. */
  readonly content: Buffer;
}

/** One document as stored, with whose key opens it: see `KeyOwner`. */
export interface KycDocumentRow extends KycDocument {
  readonly endUserId: string;
  readonly ownerKey: Buffer | null;
}

export interface NewKycDocument extends KycDocument {
  readonly kycCheckId: string;
  readonly fingerprint: Buffer;
  readonly at: Date;
}

/** Stores a document once: answers the id of the one that is there where the check has it already. */
export async function insertKycDocument(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  document: NewKycDocument,
): Promise<string> {
  await tx.query(
    `INSERT INTO kyc_documents (customer_id, environment, id, kyc_check_id, type, content_type,
       fingerprint, content, created_at)
     VALUES (:customerId, :environment, :id, :kycCheckId, :type, :contentType,
       :fingerprint, :content, :at)
     ON CONFLICT (kyc_check_id, type, fingerprint) DO NOTHING`,
    { customerId, environment, ...document },
  );
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM kyc_documents
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3 AND type = $4
       AND fingerprint = $5`,
    [customerId, environment, document.kycCheckId, document.type, document.fingerprint],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`a document of ${document.kycCheckId} is not to be found`);
  return row.id;
}

/** How many documents a check has in all, and how many of them wait to be handed on. */
export async function countKycDocuments(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
): Promise<{ readonly all: number; readonly waiting: number }> {
  const rows = await tx.query<{ all: number; waiting: number }>(
    `SELECT count(*)::int AS all, count(content)::int AS waiting FROM kyc_documents
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3`,
    [customerId, environment, kycCheckId],
  );
  return rows[0] ?? { all: 0, waiting: 0 };
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

/** Forgets the contents of a check that nobody waits for any more. */
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
