import type { KycStatus } from '../domain/kyc/kyc-states.ts';
import { toPage } from '../domain/lists.ts';
import type { Page, PageRequest } from '../domain/lists.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction } from './database.ts';

export type EndUserType = 'INDIVIDUAL' | 'BUSINESS';
export type EndUserStatus = 'ACTIVE' | 'SUSPENDED' | 'CLOSED';

/** One end-user as stored; `personal` is sealed for the row `end_users/<id>`. */
export interface EndUserRow {
  readonly id: string;
  readonly seq: bigint;
  readonly type: EndUserType;
  readonly externalId: string | null;
  readonly status: EndUserStatus;
  readonly kycStatus: KycStatus;
  readonly kycRound: number;
  /** From 1, one more with every change of what identifies them: what KYC is about. */
  readonly identityVersion: number;
  readonly personal: Buffer;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewEndUser {
  readonly id: string;
  readonly type: EndUserType;
  readonly externalId: string | null;
  readonly personal: Buffer;
  readonly at: Date;
}

export interface EndUserFilter {
  readonly externalId?: string;
  readonly status?: EndUserStatus;
  readonly kycStatus?: KycStatus;
}

const COLUMNS = `id, seq, type, external_id AS "externalId", status, kyc_status AS "kycStatus",
  kyc_round AS "kycRound", identity_version AS "identityVersion", personal, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Stores a new end-user. Null where the scope has another one with the same external id. */
export async function insertEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: NewEndUser,
): Promise<EndUserRow | null> {
  const rows = await tx.query<EndUserRow>(
    `INSERT INTO end_users (customer_id, environment, id, type, external_id, personal,
       created_at, updated_at)
     VALUES (:customerId, :environment, :id, :type, :externalId, :personal, :at, :at)
     ON CONFLICT (customer_id, environment, external_id) DO NOTHING
     RETURNING ${COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: endUser.id,
      type: endUser.type,
      externalId: endUser.externalId,
      personal: endUser.personal,
      at: endUser.at,
    },
  );
  return rows[0] ?? null;
}

export function findEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<EndUserRow | null> {
  return readEndUser(tx, scope, id, '');
}

/** Reads an end-user who must stay as it is until the transaction ends. */
export function shareEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<EndUserRow | null> {
  return readEndUser(tx, scope, id, 'FOR SHARE');
}

/** Reads an end-user whom this transaction is going to change. */
export function lockEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<EndUserRow | null> {
  return readEndUser(tx, scope, id, 'FOR UPDATE');
}

async function readEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  lock: '' | 'FOR SHARE' | 'FOR UPDATE',
): Promise<EndUserRow | null> {
  const rows = await tx.query<EndUserRow>(
    `SELECT ${COLUMNS} FROM end_users
     WHERE customer_id = $1 AND environment = $2 AND id = $3 ${lock}`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** Writes the KYC status of a locked end-user, as the version after the one that was read. */
export async function updateEndUserKyc(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  change: {
    readonly kycStatus: KycStatus;
    readonly kycRound: number;
    /** Until when an approval holds. */
    readonly kycExpiresAt: Date | null;
    readonly at: Date;
  },
): Promise<EndUserRow> {
  const rows = await tx.query<EndUserRow>(
    `UPDATE end_users SET kyc_status = :kycStatus, kyc_round = :kycRound,
       kyc_expires_at = :kycExpiresAt, version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND version = :version
     RETURNING ${COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: endUser.id,
      version: endUser.version,
      kycStatus: change.kycStatus,
      kycRound: change.kycRound,
      kycExpiresAt: change.kycExpiresAt,
      at: change.at,
    },
  );
  return written(rows, endUser.id);
}

/** What a customer may change about an end-user. */
export interface EndUserChange {
  readonly externalId: string | null;
  readonly personal: Buffer;
  /** Whether it changes what KYC is about: one more on `identityVersion`. */
  readonly isIdentity: boolean;
  readonly at: Date;
}

/**
 * Writes a customer's change of a locked end-user, as the version after the one that was read. Throws
 * PostgreSQL's unique_violation where the scope has another one with the same external id.
 */
export async function updateEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  change: EndUserChange,
): Promise<EndUserRow> {
  const rows = await tx.query<EndUserRow>(
    `UPDATE end_users SET external_id = :externalId, personal = :personal,
       identity_version = identity_version + :identityChanges,
       version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND version = :version
     RETURNING ${COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: endUser.id,
      version: endUser.version,
      externalId: change.externalId,
      personal: change.personal,
      identityChanges: change.isIdentity ? 1 : 0,
      at: change.at,
    },
  );
  return written(rows, endUser.id);
}

/** End-users that pass every given filter, newest first. */
export async function listEndUsers(
  tx: ScopedTransaction,
  scope: Scope,
  filter: EndUserFilter,
  page: PageRequest,
): Promise<Page<EndUserRow>> {
  const rows = await tx.query<EndUserRow>(
    `SELECT ${COLUMNS} FROM end_users
     WHERE customer_id = :customerId AND environment = :environment
       AND (:externalId::text IS NULL OR external_id = :externalId)
       AND (:status::text IS NULL OR status = :status)
       AND (:kycStatus::text IS NULL OR kyc_status = :kycStatus)
       AND (:before::bigint IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT :rows`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      externalId: filter.externalId ?? null,
      status: filter.status ?? null,
      kycStatus: filter.kycStatus ?? null,
      before: page.before,
      rows: page.limit + 1,
    },
  );
  return toPage(rows, page.limit);
}

function written(rows: readonly EndUserRow[], id: string): EndUserRow {
  const [row] = rows;
  if (row === undefined) throw new Error(`end-user ${id} was changed without its lock`);
  return row;
}
