import type pg from 'pg';
import { UnusableInput } from './unusable-input.ts';

/** Every table that a rule reads. */
export const READ_TABLES = [
  'payments',
  'payment_history',
  'payment_moves',
  'idempotency_keys',
  'ledger_transactions',
  'ledger_entries',
  'balances',
  'quotes',
  'payment_fundings',
  'deposit_addresses',
  'deposits',
  'deposit_history',
  'deposit_onward',
  'set_aside_deposits',
  'cover_trades',
  'fx_checkpoints',
  'events',
  'event_log_floors',
  'exception_acts',
  'payment_batches',
  'funding_credits',
  'end_users',
  'kyc_checks',
  'kyc_moves',
  'bank_accounts',
  'wallets',
  'audit_log',
  'audit_seals',
  'mails',
  'api_keys',
  'api_key_addresses',
  'approvals',
  'approval_uses',
  'approval_signatures',
  'payment_limit_checks',
  'access_requests',
  'live_access_requests',
  'settlement_attempts',
  'chain_foreign_transactions',
  'chain_foreign_payments',
  'chain_signer_accounts',
  'chain_transfers',
  'chain_nonces',
  'chain_transactions',
] as const;

/**
 * Makes sure that this connection sees every row: by a right that row-level security does not bind,
 * or as causeway_system. A role that sees nothing would find nothing wrong, so it is refused.
 */
export async function takeFullSight(client: pg.Client): Promise<void> {
  await assertMigrated(client);
  if (await bypassesRowSecurity(client)) return;
  try {
    await client.query('SET ROLE causeway_system');
  } catch {
    throw new UnusableInput(
      'this role does not see every row: use a superuser, a role with BYPASSRLS, or a member of ' +
        'causeway_system',
    );
  }
  const hidden = await findHiddenTables(client);
  if (hidden.length > 0) {
    throw new UnusableInput(`causeway_system does not see every row of ${hidden.join(', ')}`);
  }
}

async function assertMigrated(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS wanted (name) WHERE to_regclass(name) IS NULL`,
    [[...READ_TABLES]],
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => row.name).join(', ');
  throw new UnusableInput(`this database lacks ${names}: is it the right one, and migrated?`);
}

async function bypassesRowSecurity(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
  );
  return rows[0]?.bypasses === true;
}

/** Tables whose row-level security has no policy that shows everything to the current role. */
async function findHiddenTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM unnest($1::text[]) AS wanted (name)
     JOIN pg_class c ON c.oid = to_regclass(wanted.name)
     WHERE c.relrowsecurity AND (
       NOT EXISTS (
         SELECT FROM pg_policy p
         WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('*', 'r')
           AND pg_get_expr(p.polqual, p.polrelid) = 'true'
           AND EXISTS (SELECT FROM unnest(p.polroles) AS bound (role)
                       WHERE role = 0 OR pg_has_role(current_user, role, 'USAGE')))
       OR EXISTS (SELECT FROM pg_policy p
                  WHERE p.polrelid = c.oid AND NOT p.polpermissive AND p.polcmd IN ('*', 'r')))
     ORDER BY c.relname`,
    [[...READ_TABLES]],
  );
  return rows.map((row) => row.name);
}
