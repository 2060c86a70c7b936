import { moveWithinBps } from '../fx/move-within.ts';

/** What of a quote decides how far its rate may move against us before its payment must be sent. */
export interface HeldRate {
  /** How far the pair moves in a day: basis points, one standard deviation. */
  readonly dailyMoveBps: number;
  /** From the time of the rate to the last moment in which it may be used, in ms. */
  readonly heldMs: number;
}

/**
 * What a customer who uses only the quotes that turned out in its favor may gain, in deviations of the rate. At a
 * markup of m deviations it uses a quote with probability N(-m), paying the markup, and gains
 * phi(m) - m N(-m) beyond it (Bachelier). From m = 0.612 on, the markup of the used quotes is not less than
 * that gain.
 */
const DEVIATIONS = { of: 5, in: 8 } as const;

const WHOLE_PERCENT = 100;

/**
 * The markup that pays for holding a rate, in whole basis points, rounded up. `percent` of what the risk comes to: 100
 * by the model, 0 for nothing.
 */
export function lockMarkupBps({ dailyMoveBps, heldMs }: HeldRate, percent: number): number {
  const numerator = moveWithinBps(dailyMoveBps, heldMs) * DEVIATIONS.of * percent;
  return Math.ceil(numerator / (DEVIATIONS.in * WHOLE_PERCENT));
}
