import type { KycCheckRef } from '../../domain/workflows/work-refs.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A KYC check of whichever customer: by its own id, or the newest of an end-user. */
export async function findKycCheckForOps(
  tx: SystemTransaction,
  wanted: { readonly kycCheckId: string } | { readonly endUserId: string },
): Promise<KycCheckRef | null> {
  const [column, id] =
    'kycCheckId' in wanted ? ['id', wanted.kycCheckId] : ['end_user_id', wanted.endUserId];
  const rows = await tx.query<KycCheckRef>(
    `SELECT customer_id AS "customerId", environment, end_user_id AS "endUserId",
       id AS "kycCheckId", round
     FROM kyc_checks WHERE ${column} = $1 ORDER BY round DESC LIMIT 1`,
    [id],
  );
  return rows[0] ?? null;
}
