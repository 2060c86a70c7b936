/** A moment in a person's time zone: `22 Nov 2026, 10:05`. */
export const momentIn = (at: Date, timeZone: string): string =>
  at.toLocaleString('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone,
  });
