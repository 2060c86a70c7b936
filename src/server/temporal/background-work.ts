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

/** How works give way to requests, where both share the processors. */
export interface GiveWay {
  /** Whether they do. Asked each time, as a process learns it only after its start. */
  readonly isOn: () => boolean;
  /** Requests at the same time that make a burst. */
  readonly requests: number;
  /** A burst is over after so long without as many requests. */
  readonly quietMs: number;
  /** During a burst one work begins each time that so long has passed, so that no processor is idle. */
  readonly everyMs: number;
  /** A work gives way at most so long. */
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
  /** Runs a request at once. While many run, works wait: see GiveWay. */
  ahead<T>(request: () => Promise<T>): Promise<T>;
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
  /** Left out, works begin whatever requests run. */
  readonly giveWay?: GiveWay;
}): BackgroundWork {
  const { giveWay } = deps;
  const limits: BackgroundLimits = { ...DEFAULT_LIMITS, ...deps.limits };
  const queue = new PQueue({ concurrency: limits.running });
  let failuresInARow = 0;
  let restUntil = 0;

  let requests = 0;
  let lastBurstAt = -Infinity;
  let lastBegunAt = -Infinity;
  /** When each work that waits was asked for, in order. */
  const waitingSince: number[] = [];
  let nextLook: NodeJS.Timeout | null = null;

  function noteBurst(): void {
    if (giveWay === undefined || requests < giveWay.requests) return;
    lastBurstAt = deps.clock.now().getTime();
  }

  /** Holds works back during a burst of requests, and looks again while any wait. */
  function look(): void {
    if (giveWay === undefined) return;
    noteBurst();
    const now = deps.clock.now().getTime();
    const isBurst = now - lastBurstAt < giveWay.quietMs;
    const isOld = now - (waitingSince[0] ?? now) >= giveWay.longestMs;
    const isTurn = now - lastBegunAt >= giveWay.everyMs;
    if (isBurst && !isOld && !isTurn && giveWay.isOn()) queue.pause();
    else queue.start();
    if (waitingSince.length === 0 || nextLook !== null) return;
    nextLook = setTimeout(() => {
      nextLook = null;
      look();
    }, giveWay.everyMs);
  }

  const isResting = () => deps.clock.now().getTime() < restUntil;

  async function runOne(name: string, work: () => Promise<void>, about?: WorkAbout): Promise<void> {
    waitingSince.shift();
    lastBegunAt = deps.clock.now().getTime();
    look();
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
      waitingSince.push(deps.clock.now().getTime());
      look();
      void queue.add(() => runOne(name, work, about));
    },
    async ahead(request) {
      requests += 1;
      try {
        return await request();
      } finally {
        // Requests that share a transaction end together, and the next ones come at once.
        noteBurst();
        requests -= 1;
      }
    },
    drained: () => queue.onIdle(),
  };
}
