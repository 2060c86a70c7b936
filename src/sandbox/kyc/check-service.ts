import type { Clock } from '../../domain/clock.ts';
import type { CallbackSender } from '../callback-sender.ts';
import type { JournalFile } from '../journal-file.ts';
import type { TimerSet } from '../timer-set.ts';
import type { Check, CheckType, CheckVersion, KycState, KycFact } from './kyc-state.ts';
import { movesBetween, nextMove, outcomeOf, outcomeWith } from './kyc-outcome.ts';
import type { CheckStatus } from './kyc-outcome.ts';
import type { KycTimings } from './kyc-timings.ts';

interface CheckServiceDeps {
  readonly state: KycState;
  readonly journal: JournalFile<KycFact>;
  readonly sender: CallbackSender;
  readonly timers: TimerSet;
  readonly clock: Clock;
  readonly newCheckId: () => string;
  readonly timings: KycTimings;
}

export interface CheckService {
  /** Starts a check. The last name decides the outcome and is then forgotten. */
  start(reference: string, type: CheckType, lastName: string): Promise<Check>;
  /**
   * Notes a document of a check, by the SHA-256 of its bytes, which are not kept. The first one takes a
   * check up again that waits for documents.
   */
  addDocument(
    check: Check,
    document: { readonly documentId: string; readonly type: string; readonly sha256: string },
  ): Promise<void>;
  /**
   * Moves a check by hand, through the states between, and tells each move. One that stands there already stays.
   * False where no way leads there. By itself it moves no more.
   */
  direct(check: Check, status: CheckStatus): Promise<boolean>;
  /**
   * Notes where a check goes by hand as soon as it is started: an order may be faster than the request that starts
   * it. The latest order counts. False where no way leads there from the start.
   */
  orderAhead(reference: string, status: CheckStatus): Promise<boolean>;
  /** Takes up what a stopped process left open: moves that are due, callbacks that are owed. */
  resume(): void;
}

/** Moves checks along by themselves and tells each move by a signed callback. */
export function createCheckService(deps: CheckServiceDeps): CheckService {
  const { state, journal, sender, timers, clock, newCheckId, timings } = deps;
  const now = () => clock.now().toISOString();

  function record(fact: KycFact): Promise<void> {
    state.apply(fact);
    return journal.append(fact);
  }

  async function tell(check: Check, told: CheckVersion): Promise<void> {
    const { reference } = check;
    const { version } = told;
    const outcome = await sender.send(`kyc_${check.id}_${version}`, { reference, ...told });
    if (outcome === 'STOPPED') return;
    const fact = outcome === 'DELIVERED' ? 'CALLBACK_SENT' : 'CALLBACK_ABANDONED';
    await record({ fact, at: now(), reference, version });
  }

  function delayBefore(status: CheckVersion['status']): number {
    if (status === 'IN_REVIEW') return timings.reviewAfterMs;
    return status === 'REVOKED' ? timings.revokeAfterMs : timings.decideAfterMs;
  }

  function pursue(check: Check): void {
    const outcome = outcomeWith(check.documents.size, check.outcome);
    const move = nextMove(outcome, check.current.status);
    if (move === null || check.isDirected) return;
    const { version } = check.current;
    const dueAt = Date.parse(check.current.at) + delayBefore(move.status);
    timers.after(dueAt - clock.now().getTime(), async () => {
      // It was moved by hand meanwhile.
      if (check.isDirected || check.current.version !== version) return;
      await record({ fact: 'MOVED', at: now(), reference: check.reference, ...move });
      const told = check.current;
      pursue(check);
      await tell(check, told);
    });
  }

  async function direct(check: Check, status: CheckStatus): Promise<boolean> {
    const { reference } = check;
    const moves = movesBetween(check.current.status, status);
    if (moves === null) return false;
    const written: Promise<void>[] = [];
    if (!check.isDirected) written.push(record({ fact: 'DIRECTED', at: now(), reference }));
    for (const move of moves) {
      written.push(record({ fact: 'MOVED', at: now(), reference, ...move }));
      const told = check.current;
      timers.after(0, () => tell(check, told));
    }
    await Promise.all(written);
    return true;
  }

  async function goOn(check: Check): Promise<void> {
    if (check.ordered === null) pursue(check);
    else await direct(check, check.ordered);
  }

  return {
    direct,
    async orderAhead(reference, status) {
      if (movesBetween('PENDING', status) === null) return false;
      await record({ fact: 'ORDERED', at: now(), reference, status });
      return true;
    },
    async start(reference, type, lastName) {
      const outcome = outcomeOf(lastName);
      const started = record({
        ...{ fact: 'STARTED', at: now(), reference },
        ...{ id: newCheckId(), type, outcome },
      });
      const check = state.check(reference);
      if (check === undefined) throw new Error('the state lacks a check that was started');
      await Promise.all([started, goOn(check)]);
      return check;
    },
    async addDocument(check, document) {
      const { reference } = check;
      const isFirst = check.documents.size === 0 || check.isDirected;
      const isAwaited = isFirst && check.current.status === 'RESUBMISSION_REQUIRED';
      const noted = record({ fact: 'DOCUMENT', at: now(), reference, ...document });
      if (isAwaited) pursue(check);
      await noted;
    },
    resume() {
      for (const check of state.checks()) {
        for (const told of check.untold.values()) timers.after(0, () => tell(check, told));
        timers.after(0, () => goOn(check));
      }
    },
  };
}
