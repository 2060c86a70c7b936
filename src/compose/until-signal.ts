/**
 * Resolves with the signal that asks this process to end. A second one ends it at once: somebody has
 * lost patience.
 */
export function untilSignal(
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false;
    for (const signal of signals) {
      process.on(signal, () => {
        if (isAsked) process.exit(130);
        isAsked = true;
        resolve(signal);
      });
    }
  });
}
