import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

/** Stores a customer, which has no live access. Answers false where the id is taken. */
export async function insertCustomer(
  tx: SystemTransaction,
  customer: { readonly id: string; readonly name: string },
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO customers (id, name, created_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING id`,
    [customer.id, customer.name, at],
  );
  return rows.length > 0;
}

export async function hasCustomer(tx: SystemTransaction, id: string): Promise<boolean> {
  return (await tx.query('SELECT FROM customers WHERE id = $1', [id])).length > 0;
}

/** A customer's name; null where there is none, or none that the transaction sees. */
export async function findCustomerName(tx: AnyTransaction, id: string): Promise<string | null> {
  const rows = await tx.query<{ name: string }>('SELECT name FROM customers WHERE id = $1', [id]);
  return rows[0]?.name ?? null;
}
