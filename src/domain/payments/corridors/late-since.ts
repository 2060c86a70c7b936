import { expectedArrival, type Terms } from './arrival.ts';

/** Late beyond this is late; no corridor promises more days. In ms. */
const LOOK_BACK_MS = 30 * 24 * 3_600_000;

/** How exact the answer is, in ms. */
const STEP_MS = 60_000;

/**
 * The last moment, to the minute, at which a payment had to leave so that its corridor promised it by `at`: what left
 * by then and has not arrived is late. Null where the corridor's terms promise no arrival.
 */
export function lateSince(terms: Terms, at: Date): Date | null {
  const arrivesBy = (ms: number) => expectedArrival(terms, new Date(ms)).at;
  let late = at.getTime() - LOOK_BACK_MS;
  const first = arrivesBy(late);
  if (first === null) return null;
  if (first > at) return new Date(late);
  let inTime = at.getTime();
  while (inTime - late > STEP_MS) {
    const middle = Math.floor((late + inTime) / 2);
    const arrival = arrivesBy(middle);
    if (arrival !== null && arrival <= at) late = middle;
    else inTime = middle;
  }
  return new Date(late);
}
