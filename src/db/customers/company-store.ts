import { PLATFORM_ACCOUNT } from '../../domain/platform-account.ts';
import { END_USER_COLUMNS, type EndUserRow } from '../parties/end-user-store.ts';
import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

/**
 * The company of a customer, checked as an end-user of the platform account in live: its external id is the customer's.
 * Null where the customer has not said who it is. In the platform account's scope, or in a transaction that sees all.
 */
export async function findCompany(
  tx: AnyTransaction,
  customerId: string,
): Promise<EndUserRow | null> {
  return readCompany(tx, customerId, '');
}

/** The same, for a transaction that is going to change it. */
export async function lockCompany(
  tx: AnyTransaction,
  customerId: string,
): Promise<EndUserRow | null> {
  return readCompany(tx, customerId, 'FOR UPDATE');
}

/** Whether a company's names, as they are now, were looked up in the sanctions list. In the platform account's scope. */
export async function isCompanyScreened(tx: AnyTransaction, companyId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM end_users WHERE customer_id = $1 AND environment = 'live' AND id = $2
       AND screening_status <> 'UNSCREENED'`,
    [PLATFORM_ACCOUNT, companyId],
  );
  return rows.length > 0;
}

/**
 * Companies after `afterId`, last changed before `until`, whose names were not looked up yet, by id: the start of
 * that was lost. An index of all the platform account's end-users gives them; these are as few as customers are.
 */
export async function readUnscreenedCompanies(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM end_users
     WHERE customer_id = $1 AND environment = 'live' AND id > $2 AND external_id IS NOT NULL
       AND status <> 'CLOSED' AND screening_status = 'UNSCREENED' AND updated_at < $3
     ORDER BY id LIMIT $4`,
    [PLATFORM_ACCOUNT, afterId, until, limit],
  );
  return rows.map(({ id }) => id);
}

async function readCompany(
  tx: AnyTransaction,
  customerId: string,
  lock: '' | 'FOR UPDATE',
): Promise<EndUserRow | null> {
  const rows = await tx.query<EndUserRow>(
    `SELECT ${END_USER_COLUMNS} FROM end_users
     WHERE customer_id = $1 AND environment = 'live' AND external_id = $2 ${lock}`,
    [PLATFORM_ACCOUNT, customerId],
  );
  return rows[0] ?? null;
}
