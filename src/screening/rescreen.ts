import { recordAudit } from '../db/audit-store.ts';
import type { Database } from '../db/database.ts';
import { completeScreeningList, findScreeningList } from '../db/screening-list-store.ts';
import {
  listPartiesToScreen,
  listPayingToScreen,
  type PartiesWanted,
  type ScreenedParty,
} from '../db/screening-party-store.ts';
import { systemActor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import type { ScreeningProvider } from '../domain/screening/screening-provider.ts';
import type { Environment } from '../domain/scope.ts';
import type { PartyRef } from '../domain/work-refs.ts';
import { lookAtList } from './look-at-list.ts';
import { UnreadableNames } from './screened-names.ts';
import type { Screener } from './screener.ts';

export interface RescreenDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly screener: Pick<Screener, 'screenParties'>;
  /** Told how many parties were looked up so far. */
  readonly heartbeat: (screened: number) => void;
  /** Told of a party whose names no key opens. */
  readonly onUnreadable: (party: PartyRef) => void;
}

/** Parties that a page looks at. */
const PAGE = 100;
/** Parties looked up at a time. */
const LANES = 4;
/** Whoever was missed (a lost start, names that changed) is found by the next look at everybody. */
const LOOK_AGAIN_MS = 3_600_000;

/**
 * Looks everybody up in the list that is in force, if that was not done: first those that payments are
 * under way for. What a run leaves, the next one finds: who was looked up in this list is not looked up
 * again. Answers how many were. Throws ScreeningError.
 */
export async function rescreen(
  deps: RescreenDeps,
  provider: ScreeningProvider,
  environment: Environment,
): Promise<number> {
  const version = await lookAtList(deps, provider, environment);
  const known = await deps.db.system((tx) => findScreeningList(tx, environment));
  const quietMs = deps.clock.now().getTime() - (known?.completedAt?.getTime() ?? 0);
  if (known?.completedVersion === version && quietMs < LOOK_AGAIN_MS) return 0;
  let screened = 0;
  for (const list of [listPayingToScreen, listPartiesToScreen]) {
    for (const kind of ['END_USER', 'BANK_ACCOUNT'] as const) {
      for await (const page of pagesOf(deps.db, list, { kind, environment, version })) {
        screened += await screenPage(deps, kind, page);
        deps.heartbeat(screened);
      }
    }
  }
  await deps.db.system(async (tx) => {
    const at = deps.clock.now();
    await completeScreeningList(tx, environment, version, at);
    if (screened === 0) return;
    await recordAudit(tx, {
      at,
      actor: systemActor('screening'),
      action: 'screening.list_completed',
      scope: { customerId: null, environment },
      subject: `screening_lists/${environment}`,
      details: { version, screened },
    });
  });
  return screened;
}

async function* pagesOf(
  db: Database,
  list: typeof listPartiesToScreen,
  wanted: PartiesWanted,
): AsyncGenerator<readonly ScreenedParty[]> {
  let after: string | null = '';
  while (after !== null) {
    const from: string = after;
    const { parties, through } = await db.system((tx) => list(tx, wanted, from, PAGE));
    yield parties;
    after = through;
  }
}

/** A bounded number at a time; answers how many could be looked up. */
async function screenPage(
  deps: RescreenDeps,
  kind: PartyRef['kind'],
  page: readonly ScreenedParty[],
): Promise<number> {
  const rest = [...page];
  let screened = 0;
  const lane = async () => {
    for (let party = rest.shift(); party !== undefined; party = rest.shift()) {
      const { id, customerId, environment } = party;
      try {
        await deps.screener.screenParties({ customerId, environment }, [{ kind, id }]);
        screened += 1;
      } catch (error) {
        if (!(error instanceof UnreadableNames)) throw error;
        deps.onUnreadable({ kind, id });
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return screened;
}
