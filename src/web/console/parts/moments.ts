/** A moment to the second, in UTC: "2026-11-22 14:02:10". */
export const moment = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/** The same, or a dash where there is none. */
export const momentOrDash = (at: Date | null): string => (at === null ? '–' : moment(at));
