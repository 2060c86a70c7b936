import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import type { DepositOwner } from '../onchain/deposit-store.ts';
import { isLockTimeout, ScopeBusy } from '../client/outage.ts';
import { LOCK_WAIT_MS } from '../client/pool.ts';

/** A standing address, as given when it was made. */
interface NewDepositAddress {
  readonly id: string;
  /** Null: the customer's own. */
  readonly endUserId: string | null;
  /** Where each deposit is paid on to; neither, and it stays in the balance. */
  readonly bankAccountId: string | null;
  readonly walletId: string | null;
  /** Minor units of whatever asset comes. */
  readonly minAmount: bigint;
  /** In EIP-55's case; the same on all networks, and no other's. */
  readonly address: string;
}

export const DEPOSIT_ADDRESS_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export type DepositAddressStatus = (typeof DEPOSIT_ADDRESS_STATUSES)[number];

export interface DepositAddressRow extends NewDepositAddress {
  readonly seq: bigint;
  readonly status: DepositAddressStatus;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface DepositAddressFilter {
  /** One address, if it passes the other filters. */
  readonly id?: string;
  /** In EIP-55's case. */
  readonly address?: string;
  readonly endUserId?: string;
  readonly status?: DepositAddressStatus;
}

const COLUMNS = `id, seq, end_user_id AS "endUserId", bank_account_id AS "bankAccountId",
  wallet_id AS "walletId", min_amount AS "minAmount", address, status, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A request that waits holds a connection: better that it comes again. */
const WAIT_FOR_OTHERS_MS = 500;

/**
 * Until the transaction ends, no other one makes a standing address of the customer in this environment. Throws
 * ScopeBusy where those before it have not ended after half a second. What follows waits for its locks as usual.
 */
export async function lockNewAddresses(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
): Promise<void> {
  try {
    // In this order: the time is that of the lock alone.
    await tx.query(
      `SELECT set_config('lock_timeout', $3, true),
         pg_advisory_xact_lock(hashtextextended('deposit-addresses:' || $1 || ':' || $2, 0)),
         set_config('lock_timeout', $4, true)`,
      [customerId, environment, String(WAIT_FOR_OTHERS_MS), String(LOCK_WAIT_MS)],
    );
  } catch (error) {
    throw isLockTimeout(error) ? new ScopeBusy({ cause: error }) : error;
  }
}

/**
 * Counts the standing addresses in use, those of the end-user apart (0 where none is named), and those that were
 * disabled after a moment. Exact where the caller holds the lock of `lockNewAddresses`. Read from indexes alone.
 */
export async function countAddresses(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endUserId, disabledSince }: { readonly endUserId: string | null; readonly disabledSince: Date },
): Promise<{ readonly ofCustomer: number; readonly ofEndUser: number; readonly disabled: number }> {
  const [row] = await tx.query<{ customers: bigint; endUsers: bigint; disabled: bigint }>(
    `SELECT count(*) AS customers,
       count(*) FILTER (WHERE end_user_id = :endUserId) AS "endUsers",
       (SELECT count(*) FROM deposit_addresses
        WHERE customer_id = :customerId AND environment = :environment AND status = 'DISABLED'
          AND updated_at > :disabledSince) AS disabled
     FROM deposit_addresses
     WHERE customer_id = :customerId AND environment = :environment AND status = 'ACTIVE'`,
    { customerId, environment, endUserId, disabledSince },
  );
  return {
    ofCustomer: Number(row?.customers ?? 0),
    ofEndUser: Number(row?.endUsers ?? 0),
    disabled: Number(row?.disabled ?? 0),
  };
}

/** Stores a standing address, ACTIVE. */
export async function insertDepositAddress(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  address: NewDepositAddress,
  at: Date,
): Promise<DepositAddressRow> {
  const [row] = await tx.query<DepositAddressRow>(
    `INSERT INTO deposit_addresses (customer_id, environment, id, end_user_id, bank_account_id,
       wallet_id, min_amount, address, created_at, updated_at)
     VALUES (:customerId, :environment, :id, :endUserId, :bankAccountId, :walletId, :minAmount,
       :address, :at, :at)
     RETURNING ${COLUMNS}`,
    { customerId, environment, ...address, at },
  );
  if (row === undefined) throw new Error('a deposit address was not stored');
  return row;
}

export function findDepositAddress(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<DepositAddressRow | null> {
  return readDepositAddress(tx, scope, id, '');
}

/** Reads a standing address to change it, or to book a deposit to it: a transaction that has it is waited for. */
export function lockDepositAddress(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<DepositAddressRow | null> {
  return readDepositAddress(tx, scope, id, 'FOR UPDATE');
}

/** The same of several, in the order of their ids; those that the scope lacks are left out. */
export function lockDepositAddresses(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  ids: readonly string[],
): Promise<DepositAddressRow[]> {
  return tx.query<DepositAddressRow>(
    `SELECT ${COLUMNS} FROM deposit_addresses
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3::text[]) ORDER BY id FOR UPDATE`,
    [customerId, environment, [...ids]],
  );
}

async function readDepositAddress(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  lock: '' | 'FOR UPDATE',
): Promise<DepositAddressRow | null> {
  const rows = await tx.query<DepositAddressRow>(
    `SELECT ${COLUMNS} FROM deposit_addresses
     WHERE customer_id = $1 AND environment = $2 AND id = $3 ${lock}`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** Whose an address is, in EIP-55's case: a standing one, or a payment's; null where it is none of this scope. */
export async function findAddressOwner(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  address: string,
): Promise<DepositOwner | null> {
  const rows = await tx.query<DepositOwner>(
    `SELECT NULL AS "paymentId", id AS "depositAddressId" FROM deposit_addresses
     WHERE customer_id = :customerId AND environment = :environment AND address = :address
     UNION ALL
     SELECT payment_id, NULL FROM payment_fundings
     WHERE customer_id = :customerId AND environment = :environment AND address = :address`,
    { customerId, environment, address },
  );
  return rows[0] ?? null;
}

/** Takes a standing address out of use, for ever. The caller holds its lock. */
export async function disableDepositAddress(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  at: Date,
): Promise<DepositAddressRow> {
  const [row] = await tx.query<DepositAddressRow>(
    `UPDATE deposit_addresses SET status = 'DISABLED', version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
     RETURNING ${COLUMNS}`,
    { customerId, environment, id, at },
  );
  if (row === undefined) throw new Error(`there is no deposit address ${id}`);
  return row;
}

/** Takes all standing addresses of an end-user out of use, and answers those that were in use. */
export function disableAddressesOf(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endUserId: string,
  at: Date,
): Promise<DepositAddressRow[]> {
  return tx.query<DepositAddressRow>(
    `UPDATE deposit_addresses SET status = 'DISABLED', version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND end_user_id = :endUserId
       AND status = 'ACTIVE'
     RETURNING ${COLUMNS}`,
    { customerId, environment, endUserId, at },
  );
}

const CONDITIONS: Readonly<Record<keyof DepositAddressFilter | 'before', string>> = {
  id: 'id = :id',
  address: 'address = :address',
  endUserId: 'end_user_id = :endUserId',
  status: 'status = :status',
  before: 'seq < :before',
};

/** Standing addresses that pass every given filter, newest first. */
export async function listDepositAddresses(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  filter: DepositAddressFilter,
  page: PageRequest,
): Promise<Page<DepositAddressRow>> {
  const given = { ...filter, before: page.before ?? undefined };
  // Only what is asked for stands in the statement: a plan for "or null" would use no index.
  const names = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];
  const asked = names.filter((name) => given[name] !== undefined);
  const rows = await tx.query<DepositAddressRow>(
    `SELECT ${COLUMNS} FROM deposit_addresses
     WHERE ${['customer_id = :customerId', 'environment = :environment', ...asked.map((name) => CONDITIONS[name])].join(' AND ')}
     ORDER BY seq DESC LIMIT :rows`,
    {
      ...{ customerId, environment, rows: page.limit + 1 },
      ...Object.fromEntries(asked.map((name) => [name, given[name]])),
    },
  );
  return toPage(rows, page.limit);
}
