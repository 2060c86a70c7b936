import type { Scope } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** Whose own account it is; null where it is none of a customer's own. */
export async function findOwnAccountScope(
  tx: SystemTransaction,
  bankAccountId: string,
): Promise<Scope | null> {
  const rows = await tx.query<Scope>(
    `SELECT a.customer_id AS "customerId", a.environment
     FROM bank_accounts a JOIN end_users e ON e.id = a.end_user_id
     WHERE a.id = $1 AND e.relationship = 'SELF'`,
    [bankAccountId],
  );
  return rows[0] ?? null;
}
