import type { Database } from '../../../src/db/client/database.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { addCustomer } from '../test-customer.ts';

/**
 * A new customer in place of another one. Ids of resources are unique in all the database, and each test calls its own
 * `pay_a`: those of the customer before are free again.
 */
export function beginCustomer(db: Database, { customerId, environment }: Scope): Promise<Scope> {
  return db.system(async (tx) => {
    const next = await addCustomer(tx);
    await tx.query(
      `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
    );
    await tx.query(
      `UPDATE events SET resource_id = resource_id || '/' || seq
       WHERE customer_id = $1 AND resource_id !~ '_[0-9a-z]{26}$'`,
      [customerId],
    );
    return { customerId: next, environment };
  });
}
