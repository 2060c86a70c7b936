import { findMissingSearchAttributes } from '../../adapters/temporal/register-search-attributes.ts';
import { isMigrated } from '../../db/schema/is-migrated.ts';
import type { Resources } from '../runtime/resources.ts';
import { shareAnswers } from '../../domain/share-answers.ts';
import type { Checks } from './monitor-app.ts';

const CHECK_TIMEOUT_MS = 2_000;
/** Of several probes at a time one asks. */
const SHARED_MS = 1_000;

/**
 * Whether PostgreSQL answers and has the schema that this build needs. With `needsTemporal` whether Temporal answers, too:
 * a process that only answers requests works while Temporal is down.
 */
export function createReadiness(
  resources: Pick<Resources, 'db' | 'clock' | 'getClient'>,
  { needsTemporal }: { readonly needsTemporal: boolean },
): () => Promise<Checks> {
  return shareAnswers(resources.clock, SHARED_MS, async () => {
    const [postgres, temporal] = await Promise.all([
      inTime(() => checkSchema(resources)),
      needsTemporal ? inTime(() => checkTemporal(resources)) : 'ok',
    ]);
    return { postgres, ...(needsTemporal ? { temporal } : {}) };
  });
}

const checkSchema = async ({ db }: Pick<Resources, 'db'>): Promise<string> =>
  (await isMigrated(db)) ? 'ok' : 'not_migrated';

async function checkTemporal({ getClient }: Pick<Resources, 'getClient'>): Promise<string> {
  const client = getClient();
  const missing = await client.connection.withDeadline(Date.now() + CHECK_TIMEOUT_MS, () =>
    findMissingSearchAttributes(client),
  );
  return missing.length === 0 ? 'ok' : 'search_attributes_missing';
}

/** What a check says; `unreachable` where it is late or throws. */
async function inTime(check: () => Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      resolve('unreachable');
    }, CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}
