import type { Environment } from '../domain/scope.ts';
import type { Database } from './database.ts';

/** A key as authentication needs it, with what it needs of the customer. */
export interface FoundApiKey {
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
}

/** Looks a key up by its public id, in one statement and afresh: a revocation holds at once. */
export async function findApiKey(
  db: Pick<Database, 'query'>,
  publicId: string,
): Promise<FoundApiKey | null> {
  const [row] = await db.query<FoundApiKey>(
    `SELECT id, customer_id AS "customerId", environment, token_hmac AS "tokenHmac", scopes,
       open_to_any_address AS "isOpenToAnyAddress", expires_at AS "expiresAt",
       revoked_at AS "revokedAt", customer_status AS "customerStatus",
       live_access AS "hasLiveAccess", approved_ranges AS "approvedRanges"
     FROM find_api_key($1)`,
    [publicId],
  );
  return row ?? null;
}

/** Writes down when keys were last used, many at once. */
export async function touchApiKeys(
  db: Pick<Database, 'query'>,
  marks: ReadonlyMap<string, Date>,
): Promise<void> {
  await db.query('SELECT touch_api_keys($1)', [JSON.stringify(Object.fromEntries(marks))]);
}
