import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/clock.ts';

/**
 * Deadlines are written by one worker and judged by another, so their clocks may differ by far less
 * than the shortest of the waits between them.
 */
export const SKEW_MAX_MS = 2_000;

/**
 * By how much at least this machine's clock is behind PostgreSQL's, in milliseconds; below zero: ahead.
 * The time that the question took is no skew.
 */
export async function measureSkewMs(db: Database, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const there = (await db.serverTime()).getTime();
  const after = clock.now().getTime();
  if (there > after) return there - after;
  return there < before ? there - before : 0;
}
