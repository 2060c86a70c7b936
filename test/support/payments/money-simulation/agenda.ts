import type { TestClock } from '../../test-clock.ts';

/** What is to happen when, in simulated time. */
export interface Agenda {
  /** Milliseconds since 1970 of the simulated clock. */
  now(): number;
  /** Has it done at that time, or at once where that is past. */
  at(timeMs: number, act: () => Promise<void>): void;
  in(delayMs: number, act: () => Promise<void>): void;
  /** Works until that time; what comes later stays. */
  runUntil(timeMs: number): Promise<void>;
}

interface Entry {
  readonly timeMs: number;
  readonly act: () => Promise<void>;
}

/** What is due within so long happens at once, side by side: the clock stands still meanwhile. */
const GATHER_MS = 5 * 60_000;

export function createAgenda(clock: TestClock, runners: number): Agenda {
  const byTime: Entry[] = [];
  const due: Entry[] = [];
  const now = () => clock.now().getTime();

  function add(entry: Entry): void {
    if (entry.timeMs <= now()) {
      due.push(entry);
      return;
    }
    let low = 0;
    let high = byTime.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byTime[middle]!.timeMs > entry.timeMs) low = middle + 1;
      else high = middle;
    }
    byTime.splice(low, 0, entry);
  }

  /** All that is due, and what that makes due. */
  async function work(): Promise<void> {
    const running = new Set<Promise<void>>();
    const failures: unknown[] = [];
    while ((due.length > 0 && failures.length === 0) || running.size > 0) {
      while (due.length > 0 && running.size < runners && failures.length === 0) {
        const { act } = due.shift()!;
        const done: Promise<void> = act()
          .catch((error: unknown) => void failures.push(error))
          .finally(() => running.delete(done));
        running.add(done);
      }
      await Promise.race(running);
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    now,
    at: (timeMs, act) => add({ timeMs, act }),
    in: (delayMs, act) => add({ timeMs: now() + delayMs, act }),
    async runUntil(timeMs) {
      await work();
      for (let next = byTime.at(-1); next !== undefined; next = byTime.at(-1)) {
        if (next.timeMs > timeMs) break;
        clock.advance(Math.min(next.timeMs + GATHER_MS, timeMs) - now());
        while (byTime.length > 0 && byTime.at(-1)!.timeMs <= now()) due.push(byTime.pop()!);
        await work();
      }
      clock.advance(Math.max(timeMs - now(), 0));
    },
  };
}
