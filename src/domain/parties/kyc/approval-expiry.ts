const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Until when an approval holds that was given, or confirmed, `at`: to the end that the provider states
 * or for our own `approvalDays`, whichever is sooner. Null: without an end, as with 0 days.
 */
export function approvalExpiry(at: Date, approvalDays: number, stated: Date | null): Date | null {
  if (approvalDays === 0) return stated;
  const own = new Date(at.getTime() + approvalDays * DAY_MS);
  return stated !== null && stated < own ? stated : own;
}
