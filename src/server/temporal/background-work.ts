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

/** How works give way to what asks for them, in a process that does both. */
export interface GiveWay {
  /** Looked at again and again: whether works and what asks for them share this process. */
  readonly isOn: () => boolean;
  /** Works at the same time while new ones keep coming. */
  readonly running: number;
  /** After a time without a new work, nothing gives way. */
  readonly quietMs: number;
  /** A work that has waited so long waits no more for new ones. */
  readonly longestMs: number;
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
  readonly giveWay?: GiveWay;
}): BackgroundWork {
  const { giveWay } = deps;
  const limits: BackgroundLimits = { ...DEFAULT_LIMITS, ...deps.limits };
  const queue = new PQueue({ concurrency: limits.running });
  let failuresInARow = 0;
  let restUntil = 0;

  /** When each work that waits was asked for, in order. */
  const waitingSince: number[] = [];
  let lastAskedAt = 0;
  let nextLook: NodeJS.Timeout | null = null;

  /** Sets how many may run now, and looks again while works wait. */
  function tune(): void {
    if (giveWay === undefined) return;
    const now = deps.clock.now().getTime();
    const isAsked = now - lastAskedAt < giveWay.quietMs;
    const isOld = now - (waitingSince[0] ?? now) >= giveWay.longestMs;
    const gives = isAsked && !isOld && giveWay.isOn();
    const running = gives ? giveWay.running : limits.running;
    if (queue.concurrency !== running) queue.concurrency = running;
    if (queue.size === 0 || nextLook !== null) return;
    nextLook = setTimeout(() => {
      nextLook = null;
      tune();
    }, giveWay.quietMs);
  }

  const isResting = () => deps.clock.now().getTime() < restUntil;

  async function runOne(name: string, work: () => Promise<void>, about?: WorkAbout): Promise<void> {
    waitingSince.shift();
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
      lastAskedAt = deps.clock.now().getTime();
      waitingSince.push(lastAskedAt);
      void queue.add(() => runOne(name, work, about));
      tune();
    },
    drained: () => queue.onIdle(),
  };
}
