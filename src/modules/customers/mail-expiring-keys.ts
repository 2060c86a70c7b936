import {
  insertKeyNotice,
  listExpiringKeys,
  type ExpiringKey,
} from '../../db/customers/api-key-notice-store.ts';
import type { Database } from '../../db/client/database.ts';
import { daysUntil, dueNotice, keyEnd, NOTICE_DAYS } from '../../domain/customers/keys/key-life.ts';
import { mailAboutKey, type KeyDeps } from './key-mails.ts';

/** Keys that are looked at in one go. */
const PAGE = 200;

export interface ExpiringKeysDeps extends KeyDeps {
  readonly db: Pick<Database, 'system'>;
  /** Rows of a page. */
  readonly page?: number;
}

/**
 * Tells the owners of keys that are about to expire: 30, 7 and 1 days before. Each notice is given once,
 * however often and by how many this runs: its row and its mails are one transaction.
 */
export async function mailExpiringKeys(deps: ExpiringKeysDeps): Promise<void> {
  const { db, clock, page = PAGE } = deps;
  const now = clock.now();
  const span = { from: now, to: keyEnd(NOTICE_DAYS[0], now) ?? now };
  const failures: unknown[] = [];
  for (let after: ExpiringKey | null = null; ;) {
    const from: ExpiringKey | null = after;
    const keys: ExpiringKey[] = await db.system((tx) => listExpiringKeys(tx, span, from, page));
    for (const key of keys)
      await noticeKey(deps, key, now).catch((error: unknown) => failures.push(error));
    after = keys.at(-1) ?? null;
    if (keys.length < page || after === null) break;
  }
  // Only now: one that fails does not keep the others from theirs.
  if (failures.length > 0) throw failures[0] as Error;
}

async function noticeKey(deps: ExpiringKeysDeps, key: ExpiringKey, now: Date): Promise<void> {
  const days = dueNotice(key, now);
  if (days === null) return;
  const { customerId, environment, expiresAt } = key;
  await deps.db.system(async (tx) => {
    if (!(await insertKeyNotice(tx, key, days, now))) return;
    await mailAboutKey(
      deps,
      tx,
      { customerId, environment },
      {
        ...{ kind: 'KEY_EXPIRING', key },
        more: { days: daysUntil(expiresAt, now), endsAt: expiresAt },
      },
    );
  });
}
