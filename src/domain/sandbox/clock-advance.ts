/** How far the sandbox's clock of one customer can be moved in sum, in days. The database says the same. */
export const ADVANCED_DAYS_MAX = 400;

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const WEEK_S = 7 * DAY_S;

export const ADVANCED_SECONDS_MAX = ADVANCED_DAYS_MAX * DAY_S;

/** Why a text is no span by which the clock can be moved. */
export type AdvanceProblem = 'NO_SPAN' | 'NO_FIXED_LENGTH' | 'ZERO' | 'TOO_LONG';

type ClockAdvance =
  | { readonly ok: true; readonly seconds: number }
  | { readonly ok: false; readonly problem: AdvanceProblem };

const SPAN =
  /^P(?=[\dT])(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Reads an ISO 8601 duration in weeks, days (24 hours), hours, minutes and whole seconds: `P1D`, `PT2H`, `P1DT12H`.
 * Years and months have no fixed length. Answers seconds, 1 to 400 days.
 */
export function readClockAdvance(text: string): ClockAdvance {
  const parts = SPAN.exec(text);
  if (parts === null) return { ok: false, problem: 'NO_SPAN' };
  const [, years, months, ...fixed] = parts as (string | undefined)[];
  if (years !== undefined || months !== undefined) return { ok: false, problem: 'NO_FIXED_LENGTH' };
  const lengths = [WEEK_S, DAY_S, HOUR_S, MINUTE_S, 1];
  const seconds = lengths.reduce(
    (sum, length, index) => sum + Number(fixed[index] ?? 0) * length,
    0,
  );
  if (seconds === 0) return { ok: false, problem: 'ZERO' };
  if (seconds > ADVANCED_SECONDS_MAX) return { ok: false, problem: 'TOO_LONG' };
  return { ok: true, seconds };
}

/** Whole seconds as an ISO 8601 duration in days, hours, minutes and seconds: `P10D`, `P1DT12H`; 0 is `PT0S`. */
export function formatSpan(seconds: number): string {
  if (seconds === 0) return 'PT0S';
  const part = (length: number, of: number, letter: string): string => {
    const count = Math.floor((of === 0 ? seconds : seconds % of) / length);
    return count === 0 ? '' : `${String(count)}${letter}`;
  };
  const time = `${part(HOUR_S, DAY_S, 'H')}${part(MINUTE_S, HOUR_S, 'M')}${part(1, MINUTE_S, 'S')}`;
  return `P${part(DAY_S, 0, 'D')}${time === '' ? '' : `T${time}`}`;
}
