import type { SandboxLog } from './sandbox-log.ts';

/** Timers that end together with the server they belong to. */
export interface TimerSet {
  after(delayMs: number, work: () => Promise<void>): void;
  every(periodMs: number, work: () => Promise<void>): void;
  clear(): void;
}

export function createTimerSet(log: SandboxLog): TimerSet {
  const timers = new Set<NodeJS.Timeout>();
  let isCleared = false;

  function run(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'Sandbox: background work failed');
    });
  }

  return {
    after(delayMs, work) {
      // A request that was under way while its server closed may still ask for one.
      if (isCleared) return;
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          run(work);
        },
        Math.max(0, delayMs),
      );
      timers.add(timer);
    },
    every(periodMs, work) {
      timers.add(setInterval(() => run(work), periodMs));
    },
    clear() {
      isCleared = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
