import type { Rail } from '../domain/corridors/rail.ts';
import { toPage } from '../domain/lists.ts';
import type { Page, PageRequest } from '../domain/lists.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

export type HolderType = 'INDIVIDUAL' | 'BUSINESS';
export type BankAccountStatus = 'ACTIVE' | 'DISABLED';
export type NameCheck = 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'UNAVAILABLE' | 'NOT_SUPPORTED';

/** One bank account as stored; `personal` is sealed under its end-user's key. */
export interface BankAccountRow {
  readonly id: string;
  readonly seq: bigint;
  readonly endUserId: string;
  readonly country: string;
  readonly currency: string;
  readonly rail: Rail;
  readonly holderType: HolderType;
  readonly fingerprint: string;
  readonly personal: Buffer;
  /** See `KeyOwner`. */
  readonly ownerKey: Buffer | null;
  readonly bankName: string | null;
  readonly status: BankAccountStatus;
  readonly nameCheck: NameCheck;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewBankAccount {
  readonly id: string;
  readonly endUserId: string;
  readonly country: string;
  readonly currency: string;
  readonly rail: Rail;
  readonly holderType: HolderType;
  readonly fingerprint: string;
  readonly personal: Buffer;
  readonly bankName: string | null;
  readonly at: Date;
}

export interface BankAccountFilter {
  readonly endUserId?: string;
  readonly status?: BankAccountStatus;
}

const COLUMNS = `id, seq, end_user_id AS "endUserId", country, currency, rail,
  holder_type AS "holderType", fingerprint, personal,
  ${ownerKeyOf('bank_accounts.end_user_id')}, bank_name AS "bankName", status,
  name_check AS "nameCheck", version, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Stores a new account. Null where the end-user has the same one already. */
export async function insertBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  account: NewBankAccount,
): Promise<BankAccountRow | null> {
  const rows = await tx.query<BankAccountRow>(
    `INSERT INTO bank_accounts (customer_id, environment, id, end_user_id, country, currency, rail,
       holder_type, fingerprint, personal, bank_name, created_at, updated_at)
     VALUES (:customerId, :environment, :id, :endUserId, :country, :currency, :rail,
       :holderType, :fingerprint, :personal, :bankName, :at, :at)
     ON CONFLICT (customer_id, environment, end_user_id, fingerprint) DO NOTHING
     RETURNING ${COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: account.id,
      endUserId: account.endUserId,
      country: account.country,
      currency: account.currency,
      rail: account.rail,
      holderType: account.holderType,
      fingerprint: account.fingerprint,
      personal: account.personal,
      bankName: account.bankName,
      at: account.at,
    },
  );
  return rows[0] ?? null;
}

export async function findBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<BankAccountRow | null> {
  const rows = await tx.query<BankAccountRow>(
    `SELECT ${COLUMNS} FROM bank_accounts WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

export async function findBankAccountByFingerprint(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  fingerprint: string,
): Promise<BankAccountRow | null> {
  const rows = await tx.query<BankAccountRow>(
    `SELECT ${COLUMNS} FROM bank_accounts
     WHERE customer_id = $1 AND environment = $2 AND end_user_id = $3 AND fingerprint = $4`,
    [scope.customerId, scope.environment, endUserId, fingerprint],
  );
  return rows[0] ?? null;
}

/** Accounts that pass every given filter, newest first. */
export async function listBankAccounts(
  tx: ScopedTransaction,
  scope: Scope,
  filter: BankAccountFilter,
  page: PageRequest,
): Promise<Page<BankAccountRow>> {
  const rows = await tx.query<BankAccountRow>(
    `SELECT ${COLUMNS} FROM bank_accounts
     WHERE customer_id = $1 AND environment = $2
       AND ($3::text IS NULL OR end_user_id = $3)
       AND ($4::text IS NULL OR status = $4)
       AND ($5::bigint IS NULL OR seq < $5)
     ORDER BY seq DESC LIMIT $6`,
    [
      scope.customerId,
      scope.environment,
      filter.endUserId ?? null,
      filter.status ?? null,
      page.before,
      page.limit + 1,
    ],
  );
  return toPage(rows, page.limit);
}
