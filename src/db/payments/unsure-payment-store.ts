import { NETWORK_UNSURE } from '../../domain/payments/paid-before-restore.ts';
import type { SystemTransaction } from '../client/database.ts';

/** Restored payments whose send networks hold up, in SQL: conditions on `p` and `a` can be added. */
export const UNSURE_PAYMENTS = `settlement_attempts a JOIN payments p ON p.id = a.payment_id
  WHERE a.is_open AND starts_with(a.held_by, '${NETWORK_UNSURE}') AND a.phase = 'UNKNOWN' AND a.is_restored
    AND p.status = 'PROCESSING'`;

export interface UnsurePayment {
  readonly paymentId: string;
  readonly environment: string;
  readonly reference: string;
  /** Names the networks. */
  readonly heldBy: string;
  readonly since: Date;
}

/** These, the longest waiting first. */
export function listUnsurePayments(tx: SystemTransaction, limit: number): Promise<UnsurePayment[]> {
  return tx.query<UnsurePayment>(
    `SELECT p.id AS "paymentId", p.environment, a.reference, a.held_by AS "heldBy",
       a.updated_at AS since
     FROM ${UNSURE_PAYMENTS} ORDER BY a.updated_at LIMIT $1`,
    [limit],
  );
}
