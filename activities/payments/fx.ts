import type { Database } from '../../src/db/client/database.ts';
import { writeFxCheckpoint } from '../../src/db/ledger/fx-position-store.ts';
import { deleteOldRates, readRates, replaceRates } from '../../src/db/payments/fx-rate-store.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { currencyValues } from '../../src/domain/payments/fx/currency-value.ts';
import { guardLegs, type RefusedLeg } from '../../src/domain/payments/fx/guard.ts';
import { idsFrom } from '../../src/domain/id-time.ts';
import { ID_PREFIXES } from '../../src/domain/ids.ts';
import { ENVIRONMENTS } from '../../src/domain/scope.ts';
import { FxSourceError, type FxSource } from '../../src/domain/payments/fx/fx-source.ts';
import { ActivityError } from '../failures.ts';

export interface FxActivityDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly sources: readonly FxSource[];
  /** Currencies whose peg holds no longer. */
  readonly releasedPegs: readonly string[];
  /** A rate that moves further than this percentage between two looks is a mistake until proven. */
  readonly moveMaxPercent: string;
  /** Milliseconds after which a rate is stale. */
  readonly rateMaxAgeMs: number;
  /** How long rates are kept, in milliseconds. */
  readonly historyMs: number;
  readonly alarms: FxAlarms;
}

export interface FxAlarms {
  /** A source that did not answer, or not with its document. Nothing of it was stored. */
  readonly sourceFailed: (error: FxSourceError) => void;
  /** Rates that were not believed. */
  readonly ratesRefused: (refused: readonly RefusedLeg[]) => void;
  /** Currencies whose sources contradict each other; they count as stale. */
  readonly sourcesDisagree: (currencies: readonly string[]) => void;
}

/** The ECB dates a day's rates at 16:00 and publishes them about then. */
const AHEAD_MAX_MS = 3_600_000;
/** Rows a transaction deletes, and such transactions a run. */
const PRUNE_BATCH = 1_000;
const PRUNE_BATCHES_MAX = 100;

export function createFxActivities(deps: FxActivityDeps) {
  return {
    /**
     * Fetches every configured source, judges its rates and stores those that pass; one that fails does
     * not keep the others from it. Forgets rates that are older than the history is long.
     */
    async refreshRates(): Promise<void> {
      await forgetOldRates(deps);
      await sumPositionsUp(deps);
      let failures = 0;
      for (const source of deps.sources) {
        await refreshFrom(deps, source).catch((error: unknown) => {
          if (!(error instanceof FxSourceError)) throw error;
          failures += 1;
          deps.alarms.sourceFailed(error);
        });
      }
      await alarmDisputes(deps);
      // Asked again soon, all of them: those that answered answer the same.
      if (failures > 0) throw new ActivityError('RATES_UNREACHABLE');
    },
  };
}

/** Stores what one source answers and the guard believes. Throws FxSourceError. */
async function refreshFrom(deps: FxActivityDeps, source: FxSource): Promise<void> {
  const fetched = await source.fetch();
  const now = deps.clock.now();
  const { accepted, refused } = guardLegs(fetched, await readRates(deps.db), {
    now,
    moveMaxPercent: deps.moveMaxPercent,
    aheadMaxMs: AHEAD_MAX_MS,
    releasedPegs: deps.releasedPegs,
  });
  const alarming = refused.filter((one) => one.reason !== 'older_than_stored');
  if (alarming.length > 0) deps.alarms.ratesRefused(alarming);
  await deps.db.system((tx) => replaceRates(tx, accepted, now));
}

async function alarmDisputes({ db, clock, rateMaxAgeMs, alarms }: FxActivityDeps): Promise<void> {
  const moment = { at: clock.now(), maxAgeMs: rateMaxAgeMs };
  const values = currencyValues(await readRates(db), moment);
  const disputed = [...values].filter(([, { isDisputed }]) => isDisputed).map(([code]) => code);
  if (disputed.length > 0) alarms.sourcesDisagree(disputed.sort());
}

/** No transaction takes as long, and no two clocks of ours are as far apart: ms. */
const SETTLED_AFTER_MS = 3_600_000;

/** What is summed up is not read again at every quote. */
async function sumPositionsUp({ db, clock }: FxActivityDeps): Promise<void> {
  const until = clock.now().getTime() - SETTLED_AFTER_MS;
  const beforeId = idsFrom(ID_PREFIXES.ledgerTransaction, until);
  for (const environment of ENVIRONMENTS) {
    await db.system((tx) => writeFxCheckpoint(tx, environment, beforeId));
  }
}

/** In small transactions, at most 100 a run; the next run takes the rest. */
async function forgetOldRates({ db, clock, historyMs }: FxActivityDeps): Promise<void> {
  const until = new Date(clock.now().getTime() - historyMs);
  for (let batch = 0; batch < PRUNE_BATCHES_MAX; batch += 1) {
    const count = await db.system((tx) => deleteOldRates(tx, until, PRUNE_BATCH));
    if (count < PRUNE_BATCH) return;
  }
}
