const DAY_MS = 24 * 60 * 60 * 1000;
const SHOWN_MS = 90 * DAY_MS;
/** Between the last look at an event and its deletion: nothing that is being worked on goes. */
const KEPT_LONGER_MS = 60 * 60 * 1000;

/** Events are shown, and can be sent again, for 90 days. */
export function oldestEventShown(now: Date): Date {
  return new Date(now.getTime() - SHOWN_MS);
}

/** Events from before are deleted: an hour after they were last shown. */
export function oldestEventKept(now: Date): Date {
  return new Date(now.getTime() - SHOWN_MS - KEPT_LONGER_MS);
}
