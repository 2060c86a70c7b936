import type { Database } from '../src/db/database.ts';
import { readRates, replaceRates } from '../src/db/fx-rate-store.ts';
import type { Clock } from '../src/domain/clock.ts';
import { guardLegs, type RefusedLeg } from '../src/domain/fx/guard.ts';
import { FxSourceError, type FxSource } from '../src/providers/fx/fx-source.ts';
import { ActivityError } from './failures.ts';
import type { FxActivities } from './types.ts';

export interface FxActivityDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly sources: readonly FxSource[];
  /** Told of every rate that was not believed. */
  readonly onRefused: (refused: readonly RefusedLeg[]) => void;
}

/** A mid-market rate that moves further than this between two looks is a mistake until proven. */
const MOVE_MAX_PERCENT = '20';
/** The ECB dates a day's rates at 16:00 and publishes them about then. */
const AHEAD_MAX_MS = 3_600_000;

export function createFxActivities(deps: FxActivityDeps): FxActivities {
  return {
    async refreshRates() {
      for (const source of deps.sources) {
        const fetched = await source.fetch().catch((error: unknown) => {
          throw error instanceof FxSourceError ? new ActivityError('RATES_UNREACHABLE') : error;
        });
        const now = deps.clock.now();
        const { accepted, refused } = guardLegs(fetched, await readRates(deps.db), {
          now,
          moveMaxPercent: MOVE_MAX_PERCENT,
          aheadMaxMs: AHEAD_MAX_MS,
        });
        const alarming = refused.filter((one) => one.reason !== 'older_than_stored');
        if (alarming.length > 0) deps.onRefused(alarming);
        await deps.db.system((tx) => replaceRates(tx, accepted, now));
      }
    },
  };
}
