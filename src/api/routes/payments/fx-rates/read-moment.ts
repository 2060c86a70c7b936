import { refuseField } from '../../../../domain/errors/refusal.ts';

/**
 * The moment that a query names, null where it names none. Refuses with invalid_parameter one in the
 * future, one of which no rates are kept any more, and what a Date cannot hold (a leap second).
 */
export function readMoment(text: string | undefined, now: Date, historyMs: number): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  const ageMs = now.getTime() - at.getTime();
  // An invalid Date gives NaN, which is neither.
  if (ageMs >= 0 && ageMs <= historyMs) return at;
  const days = String(Math.floor(historyMs / (24 * 60 * 60 * 1000)));
  const message = `Give a date and time within the last ${days} days, such as 2026-09-29T12:00:00Z.`;
  throw refuseField('invalid_parameter', '/query/at', message);
}
