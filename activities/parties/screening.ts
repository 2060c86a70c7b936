import type { Database } from '../../src/db/client/database.ts';
import { showDecisions } from '../../src/modules/onchain/deposits/show-decisions.ts';
import type { Clock } from '../../src/domain/clock.ts';
import {
  ScreeningError,
  type ScreeningFailure,
  type ScreeningProvider,
} from '../../src/domain/parties/screening/screening-provider.ts';
import type { Environment } from '../../src/domain/scope.ts';
import type { PartyRef, ScreeningRef } from '../../src/domain/workflows/work-refs.ts';
import { rescreen } from '../../src/modules/parties/screening/rescreen.ts';
import { UnreadableNames } from '../../src/modules/parties/screening/screened-names.ts';
import type { Screener } from '../../src/modules/parties/screening/screener.ts';
import { endReviews } from '../../src/modules/parties/wallets/end-reviews.ts';
import { ActivityError } from '../failures.ts';

interface ScreeningActivityDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly screener: Screener;
  readonly providers: Readonly<Partial<Record<Environment, ScreeningProvider>>>;
  readonly heartbeat: (screened: number) => void;
  /** For the log: Temporal keeps only that the provider did not answer as agreed. */
  readonly onFailure: (code: ScreeningFailure, environment: Environment) => void;
  readonly onUnreadable: (party: PartyRef) => void;
  /** A wallet review or a deposit whose decision could not be carried out: it is tried again each minute. */
  readonly onUnfinished: (id: string, error: unknown) => void;
}

/** Look-ups in the sanctions list that no payment waits for. Every one may run twice. */
export function createScreeningActivities(deps: ScreeningActivityDeps) {
  async function asking<Result>(
    environment: Environment,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ScreeningError)) throw error;
      deps.onFailure(error.code, environment);
      throw new ActivityError('PROVIDER_UNREACHABLE');
    }
  }

  return {
    /** Looks one party's names up in the sanctions list. */
    screenParty: ({ customerId, environment, kind, id }: ScreeningRef): Promise<void> =>
      asking(environment, async () => {
        try {
          await deps.screener.screenParties({ customerId, environment }, [{ kind, id }]);
        } catch (error) {
          if (!(error instanceof UnreadableNames)) throw error;
          deps.onUnreadable(error.party);
        }
      }),
    /** Looks up every party that was not, in the list that is in force; heartbeats. */
    rescreen: (environment: Environment): Promise<void> =>
      asking(environment, async () => {
        const { db, clock } = deps;
        await endReviews({ db, clock, onFault: deps.onUnfinished }, environment);
        await showDecisions({ db, clock, onFault: deps.onUnfinished }, environment);
        const provider = deps.providers[environment];
        if (provider !== undefined) await rescreen(deps, provider, environment);
      }),
  };
}
