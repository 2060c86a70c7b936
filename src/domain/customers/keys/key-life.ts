import type { Environment } from '../../scope.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Days that a new key lives unless its creator says otherwise; null: without an end. */
export const KEY_DAYS_DEFAULT: Readonly<Record<Environment, number | null>> = {
  test: null,
  live: 365,
};

/** A live key must end, and so may a test key. */
export const KEY_DAYS_MAX = 730;

/** Hours that a key that is replaced works on at most. */
export const OVERLAP_HOURS_MAX = 168;

/** When a key ends that lives for so many days; null where it does not. */
export function keyEnd(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * DAY_MS);
}

/**
 * When a key ends that takes another one's place: it lives as long as that one was to, a live one no longer
 * than a new one may.
 */
export function successorEnd(
  environment: Environment,
  { createdAt, expiresAt }: { readonly createdAt: Date; readonly expiresAt: Date | null },
  now: Date,
): Date | null {
  if (expiresAt === null) return keyEnd(KEY_DAYS_DEFAULT[environment], now);
  const lifeMs = expiresAt.getTime() - createdAt.getTime();
  const isTooLong = environment === 'live' && lifeMs > KEY_DAYS_MAX * DAY_MS;
  return new Date(now.getTime() + (isTooLong ? KEY_DAYS_MAX * DAY_MS : lifeMs));
}

/** When a key that is replaced is refused: after the overlap, or at its own end where that comes first. */
export function replacedKeyEnd(expiresAt: Date | null, overlapHours: number, now: Date): Date {
  const afterOverlap = new Date(now.getTime() + overlapHours * HOUR_MS);
  return expiresAt !== null && expiresAt < afterOverlap ? expiresAt : afterOverlap;
}

/** REPLACED: it works beside its successor until it expires. */
export type KeyState = 'ACTIVE' | 'REPLACED' | 'EXPIRED' | 'REVOKED';

export function keyState(
  key: {
    readonly expiresAt: Date | null;
    readonly revokedAt: Date | null;
    readonly replacedBy: string | null;
  },
  now: Date,
): KeyState {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'REVOKED';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'EXPIRED';
  return key.replacedBy === null ? 'ACTIVE' : 'REPLACED';
}

/** Days before its end at which a key's owners are told, the first one first. */
export const NOTICE_DAYS = [30, 7, 1] as const;
export type NoticeDays = (typeof NOTICE_DAYS)[number];

/**
 * The notice that is due for a key now; null where none is. One that was missed is not made up for once the
 * next one is due, and none comes to a key that was made within its days: who made it knows the end.
 */
export function dueNotice(
  { createdAt, expiresAt }: { readonly createdAt: Date; readonly expiresAt: Date },
  now: Date,
): NoticeDays | null {
  if (expiresAt <= now) return null;
  const due = NOTICE_DAYS.filter((days) => expiresAt.getTime() - days * DAY_MS <= now.getTime());
  const last = due.at(-1);
  if (last === undefined) return null;
  return createdAt.getTime() < expiresAt.getTime() - last * DAY_MS ? last : null;
}

/** Days until a moment, begun ones counted. */
export function daysUntil(moment: Date, now: Date): number {
  return Math.ceil((moment.getTime() - now.getTime()) / DAY_MS);
}
