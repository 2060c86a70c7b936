import type { Clock } from '../domain/clock.ts';

export interface BackgroundLimits {
  /** Works at the same time; what comes beyond waits. */
  readonly running: number;
  /** Works that may wait; what comes beyond is dropped, and the sweep repeats it. */
  readonly waiting: number;
  /** Failures in a row after which nothing is tried for `restMs`. */
  readonly failures: number;
  readonly restMs: number;
}

const DEFAULT_LIMITS: BackgroundLimits = {
  running: 64,
  waiting: 5_000,
  failures: 10,
  restMs: 2_000,
};

export interface BackgroundWork {
  run(name: string, work: () => Promise<void>): void;
  /** Resolves once nothing runs and nothing waits. */
  drained(): Promise<void>;
}

/**
 * Runs what an answer does not wait for, above all starts of workflows: bounded, so that an outage of
 * Temporal cannot fill the memory, and with a breaker, so that it is not hammered. Whatever is
 * dropped or fails here stands in PostgreSQL, where the sweep finds it.
 */
export function createBackgroundWork(deps: {
  readonly clock: Clock;
  readonly onFailure: (name: string, error: unknown) => void;
  readonly limits?: Partial<BackgroundLimits>;
}): BackgroundWork {
  const limits = { ...DEFAULT_LIMITS, ...deps.limits };
  const queue: { readonly name: string; readonly work: () => Promise<void> }[] = [];
  const idleListeners: (() => void)[] = [];
  let running = 0;
  let failuresInARow = 0;
  let restUntil = 0;

  async function runOne(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      failuresInARow = 0;
    } catch (error) {
      failuresInARow += 1;
      if (failuresInARow >= limits.failures) {
        restUntil = deps.clock.now().getTime() + limits.restMs;
        failuresInARow = 0;
      }
      deps.onFailure(name, error);
    }
  }

  function next(): void {
    while (running < limits.running) {
      const item = queue.shift();
      if (item === undefined) break;
      running += 1;
      void runOne(item.name, item.work).finally(() => {
        running -= 1;
        next();
      });
    }
    if (running === 0 && queue.length === 0) for (const tell of idleListeners.splice(0)) tell();
  }

  return {
    run(name, work) {
      const isResting = deps.clock.now().getTime() < restUntil;
      if (isResting || queue.length >= limits.waiting) return;
      queue.push({ name, work });
      next();
    },
    drained: () =>
      running === 0 && queue.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idleListeners.push(resolve)),
  };
}
