import type { KycCheckRef } from '../../domain/workflows/work-refs.ts';
import type { SystemTransaction } from '../client/database.ts';

/** An approval whose end has come. */
export interface DueApproval {
  readonly check: KycCheckRef;
  readonly expiresAt: Date;
}

/**
 * At most `limit` approvals that ended at `until` or before, the longest over first, behind the one given:
 * so that one that cannot be ended does not hide what is behind it.
 */
export async function readDueApprovals(
  tx: SystemTransaction,
  until: Date,
  after: DueApproval | null,
  limit: number,
): Promise<DueApproval[]> {
  const rows = await tx.query<KycCheckRef & { readonly expiresAt: Date }>(
    `SELECT customer_id AS "customerId", environment, end_user_id AS "endUserId",
       id AS "kycCheckId", round, expires_at AS "expiresAt"
     FROM kyc_checks
     WHERE status = 'APPROVED' AND expires_at <= :until
       AND (:afterId::text IS NULL OR (expires_at, id) > (:afterEnd, :afterId))
     ORDER BY expires_at, id LIMIT :limit`,
    {
      ...{ until, limit },
      afterEnd: after?.expiresAt ?? null,
      afterId: after?.check.kycCheckId ?? null,
    },
  );
  return rows.map(({ expiresAt, ...check }) => ({ check, expiresAt }));
}
