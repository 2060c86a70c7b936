import type { OperatorRole } from '../../domain/customers/access/operator-rights.ts';
import type { SystemTransaction } from '../client/database.ts';

/** An operator without name and address. */
interface OperatorRow {
  readonly id: string;
  readonly role: OperatorRole;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly createdAt: Date;
  readonly passkeys: number;
}

/** Operators, newest first. */
export async function listOperators(tx: SystemTransaction, limit: number): Promise<OperatorRow[]> {
  return tx.query<OperatorRow>(
    `SELECT o.id, o.role, o.status, o.created_at AS "createdAt",
       (SELECT count(*)::integer FROM passkeys p
        WHERE p.operator_id = o.id AND p.removed_at IS NULL) AS passkeys
     FROM operators o ORDER BY o.created_at DESC, o.id DESC LIMIT $1`,
    [limit],
  );
}
