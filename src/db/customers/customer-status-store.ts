import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** Whether a customer may work, and how often that has changed. */
export interface CustomerStatusRow {
  readonly id: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'SUSPENDED';
  readonly hasLiveAccess: boolean;
  readonly statusVersion: number;
  readonly createdAt: Date;
}

const COLUMNS = `id, name, status, live_access AS "hasLiveAccess", status_version AS "statusVersion",
  created_at AS "createdAt"`;

/** One customer; null where there is none. */
export async function findCustomer(
  tx: SystemTransaction,
  id: string,
): Promise<CustomerStatusRow | null> {
  const rows = await tx.query<CustomerStatusRow>(`SELECT ${COLUMNS} FROM customers WHERE id = $1`, [
    id,
  ]);
  return rows[0] ?? null;
}

/** The names of customers, by their ids. */
export async function readCustomerNames(
  tx: SystemTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ readonly id: string; readonly name: string }>(
    'SELECT id, name FROM customers WHERE id = ANY ($1)',
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Customers after `afterId` whose name or id holds the text, by id: newest first. */
export async function listCustomers(
  tx: SystemTransaction,
  filter: {
    readonly text: string | null;
    readonly status: string | null;
    readonly before: string | null;
  },
  limit: number,
): Promise<CustomerStatusRow[]> {
  return tx.query<CustomerStatusRow>(
    `SELECT ${COLUMNS} FROM customers
     WHERE (:text::text IS NULL OR id = :text OR strpos(lower(name), lower(:text)) > 0)
       AND (:status::text IS NULL OR status = :status) AND (:before::text IS NULL OR id < :before)
     ORDER BY id DESC LIMIT :limit`,
    { ...filter, limit },
  );
}

/** Suspends a customer; false where it is no ACTIVE one. */
export async function suspendCustomerRow(tx: SystemTransaction, id: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE customers SET status = 'SUSPENDED' WHERE id = $1 AND status = 'ACTIVE' RETURNING id`,
    [id],
  );
  return rows.length > 0;
}

/** Ends a suspension by the approval that this transaction uses; false where there is none. */
export async function resumeCustomerRow(tx: ScopedTransaction, id: string): Promise<boolean> {
  const rows = await tx.query<{ isResumed: boolean }>('SELECT resume_customer($1) AS "isResumed"', [
    id,
  ]);
  return rows[0]?.isResumed === true;
}
