import { setTimeout as pause } from 'node:timers/promises';

const POLL_EVERY_MS = 50;
const POLL_EVERY_MS_MAX = 200;

/**
 * Looks again and again, less often as time goes, until something is there, and answers it. Works
 * outside of tests too, where `expect.poll` does not. `what` may be a function, to say what was seen last.
 */
export async function until<Found>(
  what: string | (() => string),
  look: () => Promise<Found | null | undefined> | Found | null | undefined,
  timeoutMs = 120_000,
): Promise<Found> {
  const deadline = performance.now() + timeoutMs;
  for (let waitMs = POLL_EVERY_MS; ; waitMs = Math.min(1.2 * waitMs, POLL_EVERY_MS_MAX)) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    if (performance.now() > deadline) {
      const name = typeof what === 'string' ? what : what();
      throw new Error(`not within ${String(timeoutMs)} ms: ${name}`);
    }
    await pause(waitMs);
  }
}
