const SHOWN_MS = 90 * 24 * 60 * 60 * 1000;

/** Events are shown for 90 days. */
export function oldestEventShown(now: Date): Date {
  return new Date(now.getTime() - SHOWN_MS);
}
