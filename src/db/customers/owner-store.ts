import type { UserRole } from '../../domain/customers/access/user-rights.ts';
import type { AnyTransaction } from '../client/database.ts';

/** More users of a role than a customer has. */
const USERS_MAX = 50;

/** A user of a customer, the address sealed for its row. */
interface ActiveUserRow {
  readonly id: string;
  readonly address: Buffer;
}

/** The owners of a customer whose addresses are verified. */
export const listOwners = (tx: AnyTransaction, customerId: string): Promise<ActiveUserRow[]> =>
  listUsersOfRoles(tx, customerId, ['OWNER']);

/** The users of a customer in one of these roles whose addresses are verified. */
export async function listUsersOfRoles(
  tx: AnyTransaction,
  customerId: string,
  roles: readonly UserRole[],
): Promise<ActiveUserRow[]> {
  return tx.query<ActiveUserRow>(
    `SELECT id, address FROM users WHERE customer_id = $1 AND role = ANY ($2) AND status = 'ACTIVE'
     ORDER BY id LIMIT $3`,
    [customerId, [...roles], USERS_MAX],
  );
}
