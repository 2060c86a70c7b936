import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';

/**
 * Deadlines are written by one worker and judged by another, so their clocks may differ by far less
 * than the shortest wait between them: 2 s in test, a minute in live.
 */
export const SKEW_MAX_MS = 1_000;

/** The first question may have to wait for a connection; the quickest says most. */
const QUESTIONS = 3;

/**
 * By how much at least this machine's clock is behind PostgreSQL's, in milliseconds; below zero: ahead.
 * The time that a question took is no skew.
 */
export async function measureSkewMs(db: Database, clock: Clock): Promise<number> {
  let skewMs = 0;
  for (let question = 0; question < QUESTIONS; question += 1) {
    const asked = clock.now().getTime();
    const there = (await db.serverTime()).getTime();
    const answered = clock.now().getTime();
    const least = there > answered ? there - answered : Math.min(0, there - asked);
    if (Math.abs(least) > Math.abs(skewMs)) skewMs = least;
  }
  return skewMs;
}
