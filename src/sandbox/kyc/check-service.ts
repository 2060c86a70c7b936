import type { Clock } from '../../domain/clock.ts';
import type { CallbackSender } from '../callback-sender.ts';
import type { JournalFile } from '../journal-file.ts';
import type { TimerSet } from '../timer-set.ts';
import type { Check, CheckType, CheckVersion, KycState, KycFact } from './kyc-state.ts';
import { nextMove, outcomeOf, outcomeWith } from './kyc-outcome.ts';
import type { KycTimings } from './kyc-timings.ts';

export interface CheckServiceDeps {
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
    if (move === null) return;
    const dueAt = Date.parse(check.current.at) + delayBefore(move.status);
    timers.after(dueAt - clock.now().getTime(), async () => {
      await record({ fact: 'MOVED', at: now(), reference: check.reference, ...move });
      const told = check.current;
      pursue(check);
      await tell(check, told);
    });
  }

  return {
    async start(reference, type, lastName) {
      const outcome = outcomeOf(lastName);
      const started = record({
        ...{ fact: 'STARTED', at: now(), reference },
        ...{ id: newCheckId(), type, outcome },
      });
      const check = state.check(reference);
      if (check === undefined) throw new Error('the state lacks a check that was started');
      pursue(check);
      await started;
      return check;
    },
    async addDocument(check, document) {
      const { reference } = check;
      const isAwaited =
        check.documents.size === 0 && check.current.status === 'RESUBMISSION_REQUIRED';
      const noted = record({ fact: 'DOCUMENT', at: now(), reference, ...document });
      if (isAwaited) pursue(check);
      await noted;
    },
    resume() {
      for (const check of state.checks()) {
        for (const told of check.untold.values()) timers.after(0, () => tell(check, told));
        pursue(check);
      }
    },
  };
}
