import { ActivityError } from '../../../../activities/failures.ts';
import type { PaymentActivities } from '../../../../activities/types.ts';
import type { PaymentRef } from '../../../../src/domain/workflows/work-refs.ts';
import type { PaymentStep } from '../../../../src/domain/payments/next-step.ts';
import type { Agenda } from './agenda.ts';

export interface WorkflowsDeps {
  readonly agenda: Agenda;
  readonly activities: () => PaymentActivities;
}

export interface Start {
  /** From acceptance: a start that got lost is made up for by the reconciler. */
  readonly delayMs: number;
  /** Two workers have the first step at once. */
  readonly isWorkedTwice: boolean;
}

interface Run {
  readonly ref: PaymentRef;
  readonly start: Start;
  isFirst: boolean;
  isWoken: boolean;
  /** One step at a time, as in a workflow. */
  last: Promise<void>;
  /** A look that was planned before a later one counts no more. */
  turn: number;
}

/** How soon a step is tried again that failed without effect. */
const RETRY_MS = 30_000;

/** What the payments' workflows do, without Temporal: a step, the wait that it says or a wake, the next step. */
export function createWorkflows({ agenda, activities }: WorkflowsDeps) {
  const runs = new Map<string, Run>();
  let steps = 0;

  function look(run: Run, delayMs: number): void {
    run.turn += 1;
    const { turn } = run;
    agenda.in(delayMs, () => {
      if (run.turn === turn) run.last = run.last.then(() => step(run));
      return run.last;
    });
  }

  async function step(run: Run): Promise<void> {
    steps += 1;
    const next = await take(run).catch((error: unknown) => {
      // Nothing was sent: Temporal tries the activity again.
      if (error instanceof ActivityError && error.code === 'BANK_UNREACHABLE') return null;
      throw error;
    });
    if (run.isWoken) return look(run, 0);
    if (next === null) return look(run, RETRY_MS);
    if (next.kind === 'WAIT') look(run, next.waitMs);
  }

  async function take(run: Run): Promise<PaymentStep> {
    const { ref, isFirst, start } = run;
    if (run.isWoken) {
      run.isWoken = false;
      return activities().applyTransferReports(ref);
    }
    run.isFirst = false;
    const settle = () => activities().settle({ ...ref, isFirst });
    if (!isFirst || !start.isWorkedTwice) return settle();
    const [, second] = await Promise.all([settle(), settle()]);
    return second;
  }

  return {
    start(ref: PaymentRef, start: Start): void {
      const known = { isFirst: true, isWoken: false, turn: 0, last: Promise.resolve() };
      const run: Run = { ref, start, ...known };
      runs.set(ref.paymentId, run);
      look(run, start.delayMs);
    },
    /** Also of one that has ended: then it is the follow-up workflow. Before the start the rows wait. */
    wake(paymentId: string): void {
      const run = runs.get(paymentId);
      if (run === undefined) return;
      run.isWoken = true;
      look(run, 0);
    },
    steps: () => steps,
  };
}
