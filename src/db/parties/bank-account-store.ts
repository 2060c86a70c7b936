import type { NameCheck } from '../../domain/parties/bank-accounts/name-check.ts';
import type { Rail } from '../../domain/payments/corridors/rail.ts';
import { toPage } from '../../domain/lists.ts';
import type { Page, PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

export type HolderType = 'INDIVIDUAL' | 'BUSINESS';
/** PENDING: an own account of the customer that a second operator has not approved yet. */
export const BANK_ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'DISABLED'] as const;
export type BankAccountStatus = (typeof BANK_ACCOUNT_STATUSES)[number];

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

interface NewBankAccount {
  readonly id: string;
  readonly endUserId: string;
  readonly country: string;
  readonly currency: string;
  readonly rail: Rail;
  readonly holderType: HolderType;
  readonly fingerprint: string;
  readonly personal: Buffer;
  readonly bankName: string | null;
  /** NOT_SUPPORTED where it is left out. */
  readonly nameCheck?: NameCheck;
  /** ACTIVE where it is left out. */
  readonly status?: 'PENDING' | 'ACTIVE';
  readonly at: Date;
}

interface BankAccountFilter {
  readonly endUserId?: string;
  readonly status?: BankAccountStatus;
  readonly country?: string;
  readonly currency?: string;
  readonly rail?: string;
}

const COLUMNS = `id, seq, end_user_id AS "endUserId", country, currency, rail,
  holder_type AS "holderType", fingerprint, personal,
  ${ownerKeyOf('bank_accounts.end_user_id')}, bank_name AS "bankName", status,
  name_check AS "nameCheck", version, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Stores a new account. Null where it is to be ACTIVE and the end-user has the same one, ACTIVE. */
export async function insertBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  account: NewBankAccount,
): Promise<BankAccountRow | null> {
  const rows = await tx.query<BankAccountRow>(
    `INSERT INTO bank_accounts (customer_id, environment, id, end_user_id, country, currency, rail,
       holder_type, fingerprint, personal, bank_name, status, name_check, created_at, updated_at)
     VALUES (:customerId, :environment, :id, :endUserId, :country, :currency, :rail,
       :holderType, :fingerprint, :personal, :bankName, :status, :nameCheck, :at, :at)
     ON CONFLICT (customer_id, environment, end_user_id, fingerprint)
       WHERE status = 'ACTIVE' DO NOTHING
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
      status: account.status ?? 'ACTIVE',
      nameCheck: account.nameCheck ?? 'NOT_SUPPORTED',
      at: account.at,
    },
  );
  return rows[0] ?? null;
}

export function findBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<BankAccountRow | null> {
  return readBankAccount(tx, scope, id, '');
}

/** The countries of accounts, by their ids; asks nothing where there are none. */
export async function readAccountCountries(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ readonly id: string; readonly country: string }>(
    `SELECT id, country FROM bank_accounts
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3)`,
    [customerId, environment, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, country }) => [id, country]));
}

/** Reads an account to change it: a claim of a payment, which shares it, is waited for. */
export function lockBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<BankAccountRow | null> {
  return readBankAccount(tx, scope, id, 'FOR UPDATE');
}

async function readBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  lock: '' | 'FOR UPDATE',
): Promise<BankAccountRow | null> {
  const rows = await tx.query<BankAccountRow>(
    `SELECT ${COLUMNS} FROM bank_accounts
     WHERE customer_id = $1 AND environment = $2 AND id = $3 ${lock}`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** Makes an account of this version DISABLED. The caller holds its lock. */
export function disableBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  account: Pick<BankAccountRow, 'id' | 'version'>,
  at: Date,
): Promise<BankAccountRow> {
  return writeStatus(tx, scope, account, 'DISABLED', at);
}

/**
 * Makes a PENDING account of this version ACTIVE. The caller holds its lock and, in live, uses the
 * approval of it. Throws a unique_violation of `ACTIVE_ACCOUNT_IS_ONE` where the same one is ACTIVE.
 */
export function activateBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  account: Pick<BankAccountRow, 'id' | 'version'>,
  at: Date,
): Promise<BankAccountRow> {
  return writeStatus(tx, scope, account, 'ACTIVE', at);
}

/** The index that keeps an end-user to one ACTIVE row an account. */
export const ACTIVE_ACCOUNT_IS_ONE = 'one_active_bank_account';

/** What a status may follow. */
const BEFORE: Readonly<Record<'ACTIVE' | 'DISABLED', readonly BankAccountStatus[]>> = {
  ACTIVE: ['PENDING'],
  DISABLED: ['PENDING', 'ACTIVE'],
};

async function writeStatus(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, version }: Pick<BankAccountRow, 'id' | 'version'>,
  status: keyof typeof BEFORE,
  at: Date,
): Promise<BankAccountRow> {
  const rows = await tx.query<BankAccountRow>(
    `UPDATE bank_accounts SET status = :status, version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND version = :version AND status = ANY (:before)
     RETURNING ${COLUMNS}`,
    { customerId, environment, id, version, at, status, before: [...BEFORE[status]] },
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`bank account ${id} changed under its lock`);
  return row;
}

/** The end-user's ACTIVE account with that fingerprint; disabled ones do not count. */
export async function findActiveBankAccount(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  fingerprint: string,
): Promise<BankAccountRow | null> {
  const rows = await tx.query<BankAccountRow>(
    `SELECT ${COLUMNS} FROM bank_accounts
     WHERE customer_id = $1 AND environment = $2 AND end_user_id = $3 AND fingerprint = $4
       AND status = 'ACTIVE'`,
    [scope.customerId, scope.environment, endUserId, fingerprint],
  );
  return rows[0] ?? null;
}

const CONDITIONS: Readonly<Record<keyof BankAccountFilter | 'before', string>> = {
  endUserId: 'end_user_id = :endUserId',
  status: 'status = :status',
  country: 'country = :country',
  currency: 'currency = :currency',
  rail: 'rail = :rail',
  before: 'seq < :before',
};

/** Accounts that pass every given filter, newest first. */
export async function listBankAccounts(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  filter: BankAccountFilter,
  page: PageRequest,
): Promise<Page<BankAccountRow>> {
  const given = { ...filter, before: page.before ?? undefined };
  // Only what is asked for stands in the statement: a plan for "or null" would use no index.
  const names = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];
  const asked = names.filter((name) => given[name] !== undefined);
  const rows = await tx.query<BankAccountRow>(
    `SELECT ${COLUMNS} FROM bank_accounts
     WHERE ${['customer_id = :customerId', 'environment = :environment', ...asked.map((name) => CONDITIONS[name])].join(' AND ')}
     ORDER BY seq DESC LIMIT :rows`,
    {
      ...{ customerId, environment, rows: page.limit + 1 },
      ...Object.fromEntries(asked.map((name) => [name, given[name]])),
    },
  );
  return toPage(rows, page.limit);
}
