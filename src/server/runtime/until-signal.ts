/** One press reaches a process twice where npm, too, hands on what the terminal sent to the group. */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves with the signal that asks this process to end. Another one, `samePressMs` later or after
 * that, ends it at once: the operator has lost patience.
 */
export function untilSignal(
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
  samePressMs = SAME_PRESS_MS,
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | null = null;
    for (const signal of signals) {
      process.on(signal, () => {
        const now = performance.now();
        if (askedAt !== null && now - askedAt >= samePressMs) process.exit(130);
        askedAt ??= now;
        resolve(signal);
      });
    }
  });
}
