import type { KycReason } from '../../domain/parties/kyc/kyc-reasons.ts';
import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** One round of KYC, without the link that is its end-user's secret. */
export interface KycRoundRow {
  readonly id: string;
  readonly round: number;
  readonly status: KycStatus;
  readonly reasons: readonly KycReason[];
  /** Until when the approval holds; null unless APPROVED with an end. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The newest rounds of an end-user, newest first. */
export async function listKycRounds(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endUserId: string,
  limit: number,
): Promise<KycRoundRow[]> {
  return tx.query<KycRoundRow>(
    `SELECT id, round, status, reasons, expires_at AS "expiresAt", created_at AS "createdAt",
       updated_at AS "updatedAt"
     FROM kyc_checks WHERE customer_id = $1 AND environment = $2 AND end_user_id = $3
     ORDER BY round DESC LIMIT $4`,
    [customerId, environment, endUserId, limit],
  );
}
