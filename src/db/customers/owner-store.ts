import type { AnyTransaction } from '../client/database.ts';

/** More owners than a customer has. */
const OWNERS_MAX = 50;

/** An owner of a customer, the address sealed for its row. */
interface OwnerRow {
  readonly id: string;
  readonly address: Buffer;
}

/** The owners of a customer whose addresses are verified. */
export async function listOwners(tx: AnyTransaction, customerId: string): Promise<OwnerRow[]> {
  return tx.query<OwnerRow>(
    `SELECT id, address FROM users WHERE customer_id = $1 AND role = 'OWNER' AND status = 'ACTIVE'
     ORDER BY id LIMIT $2`,
    [customerId, OWNERS_MAX],
  );
}
