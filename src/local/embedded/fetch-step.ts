import { rmSync } from 'node:fs';
import type { DetachedProcess } from './detached-process.ts';

export interface FetchOptions {
  /** Where the program shall be when all is done. */
  readonly target: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: (line: string) => void;
}

/** How often a person is told that it is still going on. */
export const SAY_EVERY_MS = 5000;
const LOOK_EVERY_MS = 250;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Waits for a helper process, tells every five seconds how long it has taken, and ends it as soon as
 * `isHopeless` says so. If we are asked to end meanwhile, it ends with us and its draft is removed.
 * @returns null when it succeeded, or what went wrong.
 */
export async function watchFetch(options: {
  readonly running: DetachedProcess;
  readonly label: string;
  readonly draft: string;
  readonly progress: (line: string) => void;
  readonly isHopeless: (elapsedMs: number) => string | null;
}): Promise<string | null> {
  const { running, label, draft, progress, isHopeless } = options;
  const startedAt = performance.now();
  let saidAt = 0;
  let verdict: string | null = null;
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    verdict ??= isHopeless(elapsedMs);
    if (verdict !== null) void running.stop('SIGKILL', 0);
    if (elapsedMs - saidAt < SAY_EVERY_MS) return;
    saidAt = elapsedMs;
    progress(`${label} (${Math.round(elapsedMs / 1000)} s)`);
  }, LOOK_EVERY_MS);
  const endWithUs = (): void => {
    try {
      process.kill(-running.pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
    rmSync(draft, { recursive: true, force: true });
  };
  // A signal that no main handles ends us without an 'exit' event, and would leave a build running.
  const onSignal = (): never => process.exit(130);
  const unhandled = SIGNALS.filter((signal) => process.listenerCount(signal) === 0);
  for (const signal of unhandled) process.once(signal, onSignal);
  process.once('exit', endWithUs);
  try {
    const exit = await running.exited;
    return (
      verdict ?? (exit.reason === 'code 0' ? null : (running.lastLines().at(-1) ?? exit.reason))
    );
  } finally {
    clearInterval(timer);
    process.off('exit', endWithUs);
    for (const signal of unhandled) process.off(signal, onSignal);
  }
}
