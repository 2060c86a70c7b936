import type { Clock } from '../../domain/clock.ts';

/** The system's own clock: the one place where the wall clock is read. */
export const systemClock: Clock = { now: () => new Date() };
