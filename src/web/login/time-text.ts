/** A moment in a person's time zone: `22 Nov 2026, 10:05`. */
export const timeText = (at: Date, timeZone: string): string =>
  at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });

/** IANA's names of time zones that this runtime knows, UTC first. */
export const TIME_ZONES: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
];
