import type { Clock } from '../../../src/domain/clock.ts';

/** A clock that several processes read alike. */
export interface FastTime {
  /** By the machine's clock, in ms: when it began. */
  readonly realStartMs: number;
  /** What it said then, in ms. */
  readonly startMs: number;
  /** How many seconds of it pass in one. */
  readonly rate: number;
}

/** Runs ahead of the machine's clock, so that what takes half a minute is over in a second. */
export function createFastClock({ realStartMs, startMs, rate }: FastTime): Clock {
  return { now: () => new Date(startMs + Math.round((Date.now() - realStartMs) * rate)) };
}
