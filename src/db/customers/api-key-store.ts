import type { Environment } from '../../domain/scope.ts';
import type { Database } from '../client/database.ts';

/** A key as authentication needs it, with what it needs of the customer. */
export interface FoundApiKey {
  readonly publicId: string;
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  readonly tokenHmac: Buffer;
  readonly scopes: readonly string[];
  readonly isOpenToAnyAddress: boolean;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly customerStatus: 'ACTIVE' | 'SUSPENDED';
  readonly hasLiveAccess: boolean;
  /** CIDR texts. */
  readonly approvedRanges: readonly string[];
  /** The approval of live access, and of each range: of the customer's requests, and '' where it has none. */
  readonly liveApproval: string | null;
  readonly rangeApprovals: readonly string[];
}

/**
 * Looks keys up by their public ids, in one statement and afresh: a revocation that has committed
 * before it is asked holds. Answers them by public id; one that is not known is not among them.
 */
export async function findApiKeys(
  db: Pick<Database, 'query'>,
  publicIds: readonly string[],
): Promise<ReadonlyMap<string, FoundApiKey>> {
  const rows = await db.query<FoundApiKey>(
    `SELECT public_id AS "publicId", id, customer_id AS "customerId", environment,
       token_hmac AS "tokenHmac", scopes, open_to_any_address AS "isOpenToAnyAddress",
       expires_at AS "expiresAt", revoked_at AS "revokedAt", customer_status AS "customerStatus",
       live_access AS "hasLiveAccess", live_approval AS "liveApproval",
       approved_ranges AS "approvedRanges", range_approvals AS "rangeApprovals"
     FROM find_api_keys($1)`,
    [publicIds],
  );
  return new Map(rows.map((row) => [row.publicId, row]));
}

/** A use of a key. */
export interface ApiKeyUse {
  readonly at: Date;
  /** Where it was used from; null where that cannot be told. */
  readonly address: string | null;
}

/** Writes down when and from where keys were last used, many at once. An older use changes nothing. */
export async function noteApiKeyUses(
  db: Pick<Database, 'query'>,
  uses: ReadonlyMap<string, ApiKeyUse>,
): Promise<void> {
  await db.query('SELECT note_api_key_uses($1)', [JSON.stringify(Object.fromEntries(uses))]);
}
