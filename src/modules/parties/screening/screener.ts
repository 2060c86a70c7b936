import type { Database, ScopedTransaction } from '../../../db/client/database.ts';
import { findScreeningList } from '../../../db/parties/screening-list-store.ts';
import { findPartyToScreen } from '../../../db/parties/screening-party-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import {
  ScreeningError,
  type ScreeningProvider,
} from '../../../domain/parties/screening/screening-provider.ts';
import type { Environment, Scope } from '../../../domain/scope.ts';
import type { PartyRef } from '../../../domain/workflows/work-refs.ts';
import { isReleaseBusy } from '../../../db/operations/release-busy.ts';
import type { Vault } from '../../../vault/vault.ts';
import { lookAtList } from './look-at-list.ts';
import { recordScreening } from './record-screening.ts';
import { screenedNames, type NamedParty } from './screened-names.ts';
import type { Screening } from './screening.ts';

interface ScreenerDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** An environment without one lets no payment leave. */
  readonly providers: Readonly<Partial<Record<Environment, ScreeningProvider>>>;
  /** Told of each case that opens, for the log; also of one whose transaction then fails. */
  readonly onCase: (opened: { readonly caseId: string; readonly environment: Environment }) => void;
}

/** Looks the names of parties up, and writes down what was found. */
export interface Screener {
  /** Whether the environment has a list to look names up in. */
  isServed(environment: Environment): boolean;
  /** A party that was looked up no later than this must be looked up again before money leaves. */
  screenedSince(environment: Environment, now: Date): Date;
  /**
   * Looks a party up that the transaction has just written. False where that takes a call over the
   * network: then `screenParties` does it, after the commit.
   */
  screenNew(tx: ScopedTransaction, scope: Scope, party: PartyRef): Promise<boolean>;
  /**
   * Looks parties up; no transaction is open while the provider is asked. Throws ScreeningError, and
   * UnreadableNames where no key opens a party's names.
   */
  screenParties(scope: Scope, parties: readonly PartyRef[]): Promise<void>;
}

/** Later than any look-up. */
const NEVER = new Date('9999-12-31T00:00:00.000Z');

/** Names may change while they are looked up; not for ever. */
const TRIES = 3;

export function createScreener(deps: ScreenerDeps): Screener {
  async function record(
    tx: ScopedTransaction,
    scope: Scope,
    screening: Screening,
  ): Promise<boolean> {
    const recorded = await recordScreening(deps, tx, scope, screening);
    const caseId = recorded?.openedCaseId ?? null;
    if (caseId !== null) deps.onCase({ caseId, environment: scope.environment });
    return recorded !== null;
  }

  const looks = new Map<Environment, Promise<void>>();
  /**
   * Looks at the list: once for all look-ups of the process that have met another version. Where claims do
   * not make room in time, what was looked up is not cleared yet and is tried again.
   */
  function lookOnce(provider: ScreeningProvider, environment: Environment): Promise<void> {
    const look =
      looks.get(environment) ??
      lookAtList(deps, provider, environment)
        .then(() => undefined)
        .catch((error: unknown) => {
          if (!isReleaseBusy(error)) throw error;
        })
        .finally(() => looks.delete(environment));
    looks.set(environment, look);
    return look;
  }

  /** Answers those whose names have changed meanwhile. */
  async function screenOnce(scope: Scope, parties: readonly PartyRef[]): Promise<PartyRef[]> {
    const { environment } = scope;
    const provider = deps.providers[environment];
    if (provider === undefined) throw new ScreeningError('SCREENING_NOT_CONFIGURED');
    const { found, list } = await deps.db.read(scope, async (tx) => ({
      found: await readParties(tx, scope, parties),
      list: await findScreeningList(tx, environment),
    }));
    const asked = found.map((party) => ({ party, subjects: screenedNames(deps.vault, party) }));
    const { listVersion, hits } = await provider.screen(asked.flatMap(({ subjects }) => subjects));
    const at = deps.clock.now();
    const changed: PartyRef[] = [];
    for (const { party, subjects } of asked) {
      const { kind, id, personal } = party;
      const ref = { kind, id };
      const own = hits.filter(({ reference }) => reference.startsWith(`${id}/`));
      const owner = party;
      const screening = { party: ref, owner, personal, subjects, listVersion, hits: own, at };
      // One party a transaction: claims may hold the other one's row and wait for this one's.
      const isDone = await deps.db.write(scope, (tx) => record(tx, scope, screening));
      if (!isDone) changed.push(ref);
    }
    // Asked for anew and not taken from the answer: that may have been long on its way.
    if (list?.version !== listVersion) await lookOnce(provider, environment);
    return changed;
  }

  return {
    isServed: (environment) => deps.providers[environment] !== undefined,
    screenedSince(environment, now) {
      const provider = deps.providers[environment];
      // A list that was taken out of the settings clears no one any more.
      if (provider === undefined) return NEVER;
      const { maxAgeMs } = provider;
      return new Date(maxAgeMs === null ? 0 : now.getTime() - maxAgeMs);
    },
    async screenNew(tx, scope, party) {
      const screenNow = deps.providers[scope.environment]?.screenNow ?? null;
      if (screenNow === null) return false;
      const row = await findPartyToScreen(tx, scope, party);
      if (row === null) throw new Error(`${party.id} is not what the transaction has written`);
      const subjects = screenedNames(deps.vault, { ...row, ...party });
      const { personal } = row;
      const at = deps.clock.now();
      await record(tx, scope, {
        ...{ party, owner: row, personal, subjects, at },
        ...screenNow(subjects),
      });
      return true;
    },
    async screenParties(scope, parties) {
      let rest = parties;
      for (let attempt = 1; attempt <= TRIES && rest.length > 0; attempt += 1) {
        rest = await screenOnce(scope, rest);
      }
    },
  };
}

/** End-users first, accounts behind them. */
async function readParties(
  tx: ScopedTransaction,
  scope: Scope,
  parties: readonly PartyRef[],
): Promise<NamedParty[]> {
  const found: NamedParty[] = [];
  const ordered = [
    ...parties.filter(({ kind }) => kind === 'END_USER'),
    ...parties.filter(({ kind }) => kind === 'BANK_ACCOUNT'),
  ];
  for (const party of ordered) {
    const row = await findPartyToScreen(tx, scope, party);
    if (row !== null) found.push({ ...row, ...party });
  }
  return found;
}
