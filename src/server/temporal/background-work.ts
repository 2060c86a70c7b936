import PQueue from 'p-queue';
import type { Clock } from '../../domain/clock.ts';

interface BackgroundLimits {
  /** Works at the same time; what comes beyond waits. */
  readonly running: number;
  /** Works that may wait; what comes beyond is dropped, and the reconciler repeats it. */
  readonly waiting: number;
  /** Failures in a row after which nothing is tried for `restMs`. */
  readonly failures: number;
  readonly restMs: number;
}

const DEFAULT_LIMITS: Omit<BackgroundLimits, 'running'> = {
  waiting: 5_000,
  failures: 10,
  restMs: 2_000,
};

/** What a work is about, for the log. */
export interface WorkAbout {
  readonly requestId: string;
}

export interface BackgroundWork {
  /** `about` is told with a failure. */
  run(name: string, work: () => Promise<void>, about?: WorkAbout): void;
  /** Resolves once nothing runs and nothing waits. */
  drained(): Promise<void>;
}

/**
 * Runs what an answer does not wait for, as starts and wakes of workflows: bounded, so that an outage of
 * Temporal cannot fill the memory, and with a breaker, so that it is not hammered. What is
 * dropped or fails here is in a row of PostgreSQL, where the reconciler finds it.
 */
export function createBackgroundWork(deps: {
  readonly clock: Clock;
  readonly onFailure: (name: string, error: unknown, about?: WorkAbout) => void;
  readonly limits: Pick<BackgroundLimits, 'running'> & Partial<BackgroundLimits>;
}): BackgroundWork {
  const limits: BackgroundLimits = { ...DEFAULT_LIMITS, ...deps.limits };
  const queue = new PQueue({ concurrency: limits.running });
  let failuresInARow = 0;
  let restUntil = 0;

  const isResting = () => deps.clock.now().getTime() < restUntil;

  async function runOne(name: string, work: () => Promise<void>, about?: WorkAbout): Promise<void> {
    // Asked again here: the rest may have begun while this work waited.
    if (isResting()) return;
    try {
      await work();
      failuresInARow = 0;
    } catch (error) {
      failuresInARow += 1;
      if (failuresInARow >= limits.failures) {
        restUntil = deps.clock.now().getTime() + limits.restMs;
        failuresInARow = 0;
      }
      deps.onFailure(name, error, about);
    }
  }

  return {
    run(name, work, about) {
      if (isResting() || queue.size >= limits.waiting) return;
      void queue.add(() => runOne(name, work, about));
    },
    drained: () => queue.onIdle(),
  };
}
