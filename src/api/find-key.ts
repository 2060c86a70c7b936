import { findApiKeys, type FoundApiKey } from '../db/customers/api-key-store.ts';
import { createBatcher } from '../db/client/batcher.ts';
import type { Database } from '../db/client/database.ts';

/** The key of a public id as it is now; null where there is none. */
type FindKey = (publicId: string) => Promise<FoundApiKey | null>;

/** One batch key: a look-up takes as long for keys of many customers as for one key. */
const BATCH_KEY = 'keys';

/**
 * Looks API keys up for requests. What arrives while a look-up is under way asks in the next one, never
 * in that one: a look-up reads what was committed when it began, so a revocation that committed before
 * a request arrived holds for it.
 */
export function createKeyFinder(
  db: Pick<Database, 'query'>,
  options?: { readonly holdUpMaxMs: number },
): FindKey {
  const ask = createBatcher<string, FoundApiKey | null>(async (publicIds) => {
    const keys = await findApiKeys(db, [...new Set(publicIds)]);
    return publicIds.map((id) => ({ status: 'fulfilled', value: keys.get(id) ?? null }));
  }, options);
  return (publicId) => ask(BATCH_KEY, publicId);
}
