/** How long a mail is tried that has no earlier end of its own, as a code has. */
export const MAIL_LIFE_MS = 24 * 3_600_000;

const FIRST_WAIT_MS = 2_000;
const WAIT_MAX_MS = 600_000;

/** How long to wait after a try that did not succeed: 2 s, doubling to 10 min. `tries` counts from 1. */
export function waitAfterTryMs(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 20), WAIT_MAX_MS);
}
