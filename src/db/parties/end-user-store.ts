import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { erasedAtOf, ownerKeyOf } from './end-user-key-store.ts';

export type EndUserType = 'INDIVIDUAL' | 'BUSINESS';
export type EndUserStatus = 'ACTIVE' | 'SUSPENDED' | 'CLOSED';

/** SELF is the customer's own company, at most one in a scope; every other end-user is a CLIENT. */
export const RELATIONSHIPS = ['CLIENT', 'SELF'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** One end-user as stored; `personal` is sealed under their key for the row `end_users/<id>`. */
export interface EndUserRow {
  readonly id: string;
  readonly seq: bigint;
  readonly type: EndUserType;
  readonly relationship: Relationship;
  readonly externalId: string | null;
  readonly status: EndUserStatus;
  readonly kycStatus: KycStatus;
  readonly kycRound: number;
  /** From 1, one more with every change of what identifies them: what KYC is about. */
  readonly identityVersion: number;
  readonly personal: Buffer;
  /** See `KeyOwner`. This and `erasedAt` are as of the statement's beginning, before its locks. */
  readonly ownerKey: Buffer | null;
  readonly erasedAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface NewEndUser {
  readonly id: string;
  readonly type: EndUserType;
  /** CLIENT where it is left out. */
  readonly relationship?: Relationship;
  readonly externalId: string | null;
  readonly personal: Buffer;
  /** Their data key, wrapped. */
  readonly ownerKey: Buffer;
  readonly at: Date;
}

export const END_USER_COLUMNS = `id, seq, type, relationship, external_id AS "externalId", status, kyc_status AS "kycStatus",
  kyc_round AS "kycRound", identity_version AS "identityVersion", personal,
  ${ownerKeyOf('end_users.id')}, ${erasedAtOf('end_users.id')}, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The index that keeps a scope to one end-user that is the customer itself. */
export const OWN_ENTITY_IS_ONE = 'one_own_entity';

/**
 * Stores a new end-user with their key. Null where the scope has another one with the same external id.
 * Throws a unique_violation of `OWN_ENTITY_IS_ONE` for a second SELF.
 */
export async function insertEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: NewEndUser,
): Promise<EndUserRow | null> {
  const rows = await tx.query<EndUserRow>(
    `WITH new AS (
       INSERT INTO end_users (customer_id, environment, id, type, relationship, external_id, personal,
         created_at, updated_at)
       VALUES (:customerId, :environment, :id, :type, :relationship, :externalId, :personal, :at, :at)
       ON CONFLICT (customer_id, environment, external_id) DO NOTHING
       RETURNING ${END_USER_COLUMNS}
     ), new_key AS (
       INSERT INTO end_user_keys (customer_id, environment, end_user_id, wrapped_key)
       SELECT :customerId, :environment, id, :ownerKey FROM new
     )
     SELECT * FROM new`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: endUser.id,
      type: endUser.type,
      relationship: endUser.relationship ?? 'CLIENT',
      externalId: endUser.externalId,
      personal: endUser.personal,
      ownerKey: endUser.ownerKey,
      at: endUser.at,
    },
  );
  const [row] = rows;
  // The statement that writes the key does not see it yet.
  return row === undefined ? null : { ...row, ownerKey: endUser.ownerKey };
}

export function findEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<EndUserRow | null> {
  return readEndUser(tx, scope, id, '');
}

/** Reads the end-user that is the customer itself; null where operators have not made it. */
export async function findOwnEntity(
  tx: ScopedTransaction,
  scope: Scope,
): Promise<EndUserRow | null> {
  const rows = await tx.query<EndUserRow>(
    `SELECT ${END_USER_COLUMNS} FROM end_users
     WHERE customer_id = $1 AND environment = $2 AND relationship = 'SELF'`,
    [scope.customerId, scope.environment],
  );
  return rows[0] ?? null;
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
    `SELECT ${END_USER_COLUMNS} FROM end_users
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
     RETURNING ${END_USER_COLUMNS}`,
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

/** Writes what is left of a locked end-user whose key was destroyed, as their next version. */
export async function updateErasedEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  at: Date,
): Promise<EndUserRow> {
  const rows = await tx.query<EndUserRow>(
    `UPDATE end_users SET external_id = NULL, personal = '', version = version + 1,
       updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND version = :version
     RETURNING ${END_USER_COLUMNS}`,
    { ...scope, id: endUser.id, version: endUser.version, at },
  );
  return written(rows, endUser.id);
}

/** The constraint that keeps an external id to one end-user of a scope. */
export const EXTERNAL_ID_IS_UNIQUE = 'end_users_customer_id_environment_external_id_key';

/**
 * Writes a customer's change of a locked end-user, as the version after the one that was read. Throws a
 * unique_violation of `EXTERNAL_ID_IS_UNIQUE` where the scope has another one with the same external id.
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
     RETURNING ${END_USER_COLUMNS}`,
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

/** Closes a locked end-user, as the version after the one that was read. */
export async function closeEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  at: Date,
): Promise<EndUserRow> {
  const rows = await tx.query<EndUserRow>(
    `UPDATE end_users SET status = 'CLOSED', version = version + 1, updated_at = $5
     WHERE customer_id = $1 AND environment = $2 AND id = $3 AND version = $4
     RETURNING ${END_USER_COLUMNS}`,
    [scope.customerId, scope.environment, endUser.id, endUser.version, at],
  );
  return written(rows, endUser.id);
}

function written(rows: readonly EndUserRow[], id: string): EndUserRow {
  const [row] = rows;
  if (row === undefined) throw new Error(`end-user ${id} was changed without its lock`);
  return row;
}
