import type { KycAsk } from '../../domain/parties/kyc/document-asks.ts';
import type { KycReason } from '../../domain/parties/kyc/kyc-reasons.ts';
import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { KycCheckRef } from '../../domain/workflows/work-refs.ts';
import type { AnyTransaction, Database, ScopedTransaction } from '../client/database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

/** One KYC check as stored; `linkToken` and `providerUrl` are sealed under its end-user's key. */
export interface KycCheckRow {
  readonly id: string;
  readonly endUserId: string;
  /** See `KeyOwner`. */
  readonly ownerKey: Buffer | null;
  readonly round: number;
  /** The end-user's `identityVersion` when the check was started. */
  readonly identityVersion: number;
  readonly status: KycStatus;
  readonly reasons: KycReason[];
  /** Until when the approval holds; null unless APPROVED with an end. */
  readonly expiresAt: Date | null;
  /** The approval by which two operators gave it its state; null once anything else has changed it. */
  readonly overrideId: string | null;
  readonly linkToken: Buffer;
  readonly linkExpiresAt: Date;
  readonly redirectUrl: string | null;
  /** Null until the provider has opened the check. */
  readonly providerUrl: Buffer | null;
  /** What our own page asks for; none where the provider's asks. */
  readonly documentsAsked: readonly KycAsk[];
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The secret half of a hosted link: found by its hash, shown again from the sealed copy. */
export interface SealedLink {
  readonly tokenHmac: Buffer;
  readonly token: Buffer;
  readonly expiresAt: Date;
}

interface NewKycCheck {
  readonly id: string;
  readonly endUserId: string;
  readonly round: number;
  readonly identityVersion: number;
  readonly link: SealedLink;
  readonly redirectUrl: string | null;
  readonly at: Date;
}

const COLUMNS = `id, end_user_id AS "endUserId", ${ownerKeyOf('kyc_checks.end_user_id')}, round,
  identity_version AS "identityVersion", status, reasons, expires_at AS "expiresAt",
  override_id AS "overrideId", link_token AS "linkToken",
  link_expires_at AS "linkExpiresAt", redirect_url AS "redirectUrl",
  provider_url AS "providerUrl", documents_asked AS "documentsAsked", version, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Stores a new round, PENDING at version 1. The end-user's row must be locked. */
export async function insertKycCheck(
  tx: ScopedTransaction,
  scope: Scope,
  check: NewKycCheck,
): Promise<KycCheckRow> {
  const rows = await tx.query<KycCheckRow>(
    `INSERT INTO kyc_checks (customer_id, environment, id, end_user_id, round, identity_version,
       link_token_hmac, link_token, link_expires_at, redirect_url, created_at, updated_at)
     VALUES (:customerId, :environment, :id, :endUserId, :round, :identityVersion, :tokenHmac, :token,
       :expiresAt, :redirectUrl, :at, :at)
     RETURNING ${COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: check.id,
      endUserId: check.endUserId,
      round: check.round,
      identityVersion: check.identityVersion,
      tokenHmac: check.link.tokenHmac,
      token: check.link.token,
      expiresAt: check.link.expiresAt,
      redirectUrl: check.redirectUrl,
      at: check.at,
    },
  );
  return written(rows, check.id);
}

export async function findKycCheck(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<KycCheckRow | null> {
  const rows = await tx.query<KycCheckRow>(
    `SELECT ${COLUMNS} FROM kyc_checks WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** Reads a check that this transaction may change. Its end-user is locked first. */
export async function lockKycCheck(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<KycCheckRow | null> {
  const rows = await tx.query<KycCheckRow>(
    `SELECT ${COLUMNS} FROM kyc_checks
     WHERE customer_id = $1 AND environment = $2 AND id = $3 FOR UPDATE`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

export async function findNewestKycCheck(
  tx: AnyTransaction,
  scope: Scope,
  endUserId: string,
): Promise<KycCheckRow | null> {
  const rows = await tx.query<KycCheckRow>(
    `SELECT ${COLUMNS} FROM kyc_checks
     WHERE customer_id = $1 AND environment = $2 AND end_user_id = $3
     ORDER BY round DESC LIMIT 1`,
    [scope.customerId, scope.environment, endUserId],
  );
  return rows[0] ?? null;
}

/** What a KYC check comes to: `expiresAt` only of an approval, `overrideId` only by two operators. */
interface KycOutcome {
  readonly status: KycStatus;
  readonly reasons: readonly KycReason[];
  readonly expiresAt: Date | null;
  readonly overrideId: string | null;
}

/** Writes a locked check's outcome as the version after the one that was read. */
export async function updateKycCheck(
  tx: ScopedTransaction,
  scope: Scope,
  check: KycCheckRow,
  change: KycOutcome & { readonly at: Date },
): Promise<KycCheckRow> {
  const rows = await tx.query<KycCheckRow>(
    `UPDATE kyc_checks SET status = :status, reasons = :reasons, expires_at = :expiresAt,
       override_id = :overrideId, version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND version = :version
     RETURNING ${COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: check.id,
      version: check.version,
      status: change.status,
      reasons: JSON.stringify(change.reasons),
      expiresAt: change.expiresAt,
      overrideId: change.overrideId,
      at: change.at,
    },
  );
  return written(rows, check.id);
}

/** Gives a locked check a new hosted link, as the version after the one that was read. */
export async function updateKycLink(
  tx: ScopedTransaction,
  scope: Scope,
  check: KycCheckRow,
  link: SealedLink & { readonly at: Date },
): Promise<KycCheckRow> {
  const rows = await tx.query<KycCheckRow>(
    `UPDATE kyc_checks SET link_token_hmac = :tokenHmac, link_token = :token,
       link_expires_at = :expiresAt, version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND version = :version
     RETURNING ${COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: check.id,
      version: check.version,
      tokenHmac: link.tokenHmac,
      token: link.token,
      expiresAt: link.expiresAt,
      at: link.at,
    },
  );
  return written(rows, check.id);
}

/** Keeps a check's opening at the provider. No version of its own: the resource doesn't show it. */
export async function saveKycOpening(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  opened: { readonly providerUrl: Buffer; readonly documentsAsked: readonly KycAsk[] },
): Promise<void> {
  await tx.query(
    `UPDATE kyc_checks SET provider_url = $4, documents_asked = $5
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, id, opened.providerUrl, opened.documentsAsked],
  );
}

/** Whose check a provider's reference (our check id) names: read before any scope is known. */
export async function findKycCheckScope(
  db: Database,
  id: string,
): Promise<(Scope & { readonly endUserId: string; readonly round: number }) | null> {
  const rows = await db.query<{
    customer_id: string;
    environment: Environment;
    end_user_id: string;
    round: number;
  }>('SELECT * FROM find_kyc_check_scope($1)', [id]);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    customerId: row.customer_id,
    environment: row.environment,
    endUserId: row.end_user_id,
    round: row.round,
  };
}

/** Whose check a hosted link's token opens, which is all that its visitor has. */
export async function findKycPageScope(
  db: Database,
  tokenHmacs: readonly Buffer[],
): Promise<KycCheckRef | null> {
  const rows = await db.query<KycCheckRef>(
    `SELECT customer_id AS "customerId", environment, end_user_id AS "endUserId",
       kyc_check_id AS "kycCheckId", round
     FROM unnest($1::bytea[]) AS token (hmac), find_kyc_page_scope(token.hmac)`,
    [[...tokenHmacs]],
  );
  return rows[0] ?? null;
}

function written(rows: readonly KycCheckRow[], id: string): KycCheckRow {
  const [row] = rows;
  if (row === undefined) throw new Error(`kyc check ${id} was changed without its lock`);
  return row;
}
