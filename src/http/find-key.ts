import { findApiKeys, type FoundApiKey } from '../db/api-key-store.ts';
import { createBatcher } from '../db/batcher.ts';
import type { Database } from '../db/database.ts';

/** The key of a public id as it is now; null where there is none. */
export type FindKey = (publicId: string) => Promise<FoundApiKey | null>;

/** One lane: a look-up takes as long for keys of many customers as for one key. */
const LANE = 'keys';

/** A look-up that takes longer, in ms, no longer holds up the next one: its connection may be lost. */
const HOLD_UP_MAX_MS = 1_000;

/**
 * Looks API keys up for requests. What arrives while a look-up is under way asks in the next one, never
 * in that one: a look-up reads what was committed when it began, so a revocation that committed before
 * a request arrived holds for it.
 */
export function createKeyFinder(
  db: Pick<Database, 'query'>,
  holdUpMaxMs = HOLD_UP_MAX_MS,
): FindKey {
  const ask = createBatcher<string, { readonly keys: ReturnType<typeof findApiKeys> }>(
    async (publicIds) => {
      const keys = findApiKeys(db, [...new Set(publicIds)]);
      await endOf(keys, holdUpMaxMs);
      return publicIds.map(() => ({ status: 'fulfilled', value: { keys } }));
    },
  );
  return async (publicId) => {
    const { keys } = await ask(LANE, publicId);
    return (await keys).get(publicId) ?? null;
  };
}

/** Waits until work has ended, `maxMs` at most. Rejects where the work has failed by then. */
async function endOf(work: Promise<unknown>, maxMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  try {
    await Promise.race([work, isOver]);
  } finally {
    clearTimeout(timer);
  }
}
