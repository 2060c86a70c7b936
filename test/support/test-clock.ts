import type { Clock } from '../../src/domain/clock.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** A clock that stands still until it is moved. */
export function createTestClock(start = new Date('2026-09-29T12:00:00.000Z')): TestClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance: (milliseconds) => {
      nowMs += milliseconds;
    },
  };
}
