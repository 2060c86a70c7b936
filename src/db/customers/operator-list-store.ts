import type { OperatorRole } from '../../domain/customers/access/operator-rights.ts';
import type { SystemTransaction } from '../client/database.ts';

/** An operator's account; name and address are sealed. */
export interface OperatorRow {
  readonly id: string;
  readonly name: Buffer;
  readonly address: Buffer;
  readonly role: OperatorRole;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly version: number;
  readonly createdAt: Date;
  /** Null: made by a command, and approves nothing before an admin has confirmed it. */
  readonly confirmedAt: Date | null;
}

const COLUMNS =
  'id, name, address, role, status, version, created_at AS "createdAt", confirmed_at AS "confirmedAt"';

/** Every operator, those who may log in first. */
export function listOperators(tx: SystemTransaction, limit: number): Promise<OperatorRow[]> {
  return tx.query<OperatorRow>(`SELECT ${COLUMNS} FROM operators ORDER BY status, id LIMIT $1`, [
    limit,
  ]);
}

export async function findOperator(tx: SystemTransaction, id: string): Promise<OperatorRow | null> {
  const rows = await tx.query<OperatorRow>(`SELECT ${COLUMNS} FROM operators WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/** Those who may log in and have one of the roles. */
export function listActiveOperators(
  tx: SystemTransaction,
  roles: readonly string[],
  limit: number,
): Promise<OperatorRow[]> {
  return tx.query<OperatorRow>(
    `SELECT ${COLUMNS} FROM operators WHERE status = 'ACTIVE' AND role = ANY ($1)
     ORDER BY id LIMIT $2`,
    [[...roles], limit],
  );
}

/**
 * Ends an account; false where it was not ACTIVE any more. The database ends its sessions with it.
 */
export async function disableOperatorRow(tx: SystemTransaction, id: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE operators SET status = 'DISABLED', version = version + 1
     WHERE id = $1 AND status = 'ACTIVE' RETURNING id`,
    [id],
  );
  return rows.length > 0;
}

/**
 * The admins who are confirmed and may log in, by id; locks them until the commit, so that two do not disable each
 * other. The database refuses it as well: see `an_admin_stays`.
 */
export async function lockAdmins(tx: SystemTransaction): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM operators WHERE status = 'ACTIVE' AND role = 'ADMIN' AND confirmed_at IS NOT NULL
     ORDER BY id FOR UPDATE`,
  );
  return rows.map(({ id }) => id);
}

/** Confirms an ACTIVE account that is not yet; false where there is none. The database refuses who is no admin. */
export async function confirmOperatorRow(
  tx: SystemTransaction,
  id: string,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE operators SET confirmed_at = $3, confirmed_by = $2, version = version + 1
     WHERE id = $1 AND status = 'ACTIVE' AND confirmed_at IS NULL RETURNING id`,
    [id, by, at],
  );
  return rows.length > 0;
}
