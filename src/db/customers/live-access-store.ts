import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** What one operator decided, in words for the customer. */
interface Decision {
  readonly operator: string;
  readonly reason: string;
  readonly at: Date;
}

/** Declines a request that waits; false where it was decided before. */
export async function declineLiveRequest(
  tx: SystemTransaction,
  id: string,
  decision: Decision,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE live_access_requests SET decision = 'DECLINED', decided_by = :operator,
       decided_at = :at, decision_reason = :reason
     WHERE id = :id AND decision IS NULL RETURNING id`,
    { id, ...decision },
  );
  return rows.length > 0;
}

/** Approves a request by the approval that this transaction uses; false where it was decided before. */
export async function grantLiveAccess(
  tx: ScopedTransaction,
  id: string,
  operator: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query<{ isGranted: boolean }>(
    'SELECT grant_live_access($1, $2, $3) AS "isGranted"',
    [id, operator, at],
  );
  return rows[0]?.isGranted === true;
}

/** Takes a customer's live access away, and marks the request that it came from; false where it has none. */
export async function withdrawLiveAccess(
  tx: SystemTransaction,
  customerId: string,
  decision: Decision,
): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE customers SET live_access = false WHERE id = $1 AND live_access RETURNING id',
    [customerId],
  );
  if (rows.length === 0) return false;
  await tx.query(
    `UPDATE live_access_requests SET withdrawn_by = :operator, withdrawn_at = :at,
       withdrawal_reason = :reason
     WHERE customer_id = :customerId AND decision = 'APPROVED' AND withdrawn_at IS NULL`,
    { customerId, ...decision },
  );
  return true;
}
