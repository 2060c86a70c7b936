import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  completeScreeningList,
  findScreeningList,
} from '../../../db/parties/screening-list-store.ts';
import {
  listPartiesToScreen,
  listPayingToScreen,
  type PartiesWanted,
  type ScreenedParty,
} from '../../../db/parties/screening-party-store.ts';
import { systemActor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import {
  ScreeningError,
  type ScreeningProvider,
} from '../../../domain/parties/screening/screening-provider.ts';
import type { Environment } from '../../../domain/scope.ts';
import type { PartyRef } from '../../../domain/workflows/work-refs.ts';
import { lookAtList } from './look-at-list.ts';
import { UnreadableNames } from './screened-names.ts';
import type { Screener } from './screener.ts';

interface RescreenDeps {
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
const RUNNERS = 4;
/** A party that was missed (a lost start, names that changed) is found by the next look at all of them. */
const LOOK_AGAIN_MS = 3_600_000;

/**
 * Looks all parties up in the list that is in force, if that was not done: first those that payments are
 * under way for. What a run leaves, the next one finds: who was looked up in this list is not looked up
 * again. A party that the provider does not take keeps no other from being looked up. Answers how many
 * were. Throws ScreeningError: at once where the provider does not answer, else when all have had their turn.
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
  const pass: Pass = { screened: 0, failure: null };
  for (const list of [listPayingToScreen, listPartiesToScreen]) {
    for (const kind of ['END_USER', 'BANK_ACCOUNT'] as const) {
      for await (const page of pagesOf(deps.db, list, { kind, environment, version })) {
        await screenPage(deps, kind, page, pass);
        deps.heartbeat(pass.screened);
      }
    }
  }
  const { screened, failure } = pass;
  if (failure !== null) throw failure;
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

/** How far a look at all parties has come. */
interface Pass {
  screened: number;
  /** The first party's that could not be looked up. */
  failure: ScreeningError | null;
}

/** Whether the provider has something against what it was asked, and may answer about another party. */
const isOfOneParty = (error: unknown): error is ScreeningError =>
  error instanceof ScreeningError &&
  (error.code === 'SCREENING_REFUSED' || error.code === 'SCREENING_GARBLED');

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

/** A bounded number at a time. */
async function screenPage(
  deps: RescreenDeps,
  kind: PartyRef['kind'],
  page: readonly ScreenedParty[],
  pass: Pass,
): Promise<void> {
  const rest = [...page];
  const runner = async () => {
    for (let party = rest.shift(); party !== undefined; party = rest.shift()) {
      const { id, customerId, environment } = party;
      try {
        await deps.screener.screenParties({ customerId, environment }, [{ kind, id }]);
        pass.screened += 1;
      } catch (error) {
        if (error instanceof UnreadableNames) deps.onUnreadable({ kind, id });
        else if (isOfOneParty(error)) pass.failure ??= error;
        else {
          rest.length = 0;
          throw error;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: RUNNERS }, runner));
}
