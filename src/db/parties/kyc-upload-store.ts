import type { KycContentType, KycDocumentType } from '../../domain/parties/kyc/kyc-document.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** A document that was uploaded and not submitted, as its page shows it: without its content. */
export interface KycUploadRow {
  readonly id: string;
  readonly type: KycDocumentType;
  readonly contentType: KycContentType;
  /** Of the plain content. */
  readonly byteCount: number;
  readonly createdAt: Date;
}

interface NewKycUpload extends Omit<KycUploadRow, 'createdAt'> {
  readonly kycCheckId: string;
  readonly fingerprint: Buffer;
  /** Sealed for the row `kyc_documents/<id>`, under the end-user's key. */
  readonly content: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** What has been uploaded for a check and is not to be forgotten yet, by type. */
export async function listKycUploads(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
  at: Date,
): Promise<KycUploadRow[]> {
  return tx.query<KycUploadRow>(
    `SELECT id, type, content_type AS "contentType", byte_count AS "byteCount",
       created_at AS "createdAt"
     FROM kyc_uploads WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3
       AND expires_at > $4
     ORDER BY type`,
    [customerId, environment, kycCheckId, at],
  );
}

/** Stores an upload. The check is locked, and has no other one of the type. */
export async function insertKycUpload(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  upload: NewKycUpload,
): Promise<void> {
  await tx.query(
    `INSERT INTO kyc_uploads (customer_id, environment, id, kyc_check_id, type, content_type,
       fingerprint, content, byte_count, created_at, expires_at)
     VALUES (:customerId, :environment, :id, :kycCheckId, :type, :contentType,
       :fingerprint, :content, :byteCount, :at, :expiresAt)`,
    { customerId, environment, ...upload },
  );
}

/** Forgets the upload of a type; answers whether there was one. */
export async function deleteKycUpload(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
  type: KycDocumentType,
): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM kyc_uploads
     WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3 AND type = $4 RETURNING id`,
    [customerId, environment, kycCheckId, type],
  );
  return rows.length > 0;
}

/** Forgets all uploads of a check. */
export async function deleteKycUploads(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
): Promise<void> {
  await tx.query(
    `DELETE FROM kyc_uploads WHERE customer_id = $1 AND environment = $2 AND kyc_check_id = $3`,
    [customerId, environment, kycCheckId],
  );
}

/** Moves all uploads of a locked check to the documents that wait to be handed on. */
export async function submitKycUploads(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  kycCheckId: string,
  times: {
    readonly at: Date;
    /** Until when they wait for a provider that does not take them. */
    readonly expiresAt: Date;
  },
): Promise<void> {
  await tx.query(
    `WITH moved AS (
       DELETE FROM kyc_uploads
       WHERE customer_id = :customerId AND environment = :environment AND kyc_check_id = :kycCheckId
         AND expires_at > :at
       RETURNING *
     )
     INSERT INTO kyc_documents (customer_id, environment, id, kyc_check_id, type, content_type,
       fingerprint, content, created_at, expires_at)
     SELECT customer_id, environment, id, kyc_check_id, type, content_type,
       fingerprint, content, :at, :expiresAt FROM moved`,
    { customerId, environment, kycCheckId, ...times },
  );
}

/** Forgets uploads whose link ran out before `until`; answers how many. */
export async function deleteExpiredKycUploads(
  tx: SystemTransaction,
  until: Date,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM kyc_uploads WHERE id IN (
       SELECT id FROM kyc_uploads WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) RETURNING id`,
    [until, limit],
  );
  return rows.length;
}
