import { rmSync } from 'node:fs';
import type { SayProgress } from './say-progress.ts';
import type { DetachedProcess } from './detached-process.ts';

export interface FetchOptions {
  /** Where the program shall be when all is done. */
  readonly target: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly progress: SayProgress;
}

/** How often a person is told that it is still going on. */
export const SAY_EVERY_MS = 1000;
const LOOK_EVERY_MS = 250;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Waits for a helper process, tells every second how far it is, and ends it as soon as
 * `isHopeless` says so. If we are asked to end meanwhile, it ends with us and its draft is removed.
 * @returns null when it succeeded, or what went wrong.
 */
export async function watchFetch(options: {
  readonly running: DetachedProcess;
  readonly label: string;
  readonly draft: string;
  readonly progress: SayProgress;
  /** How much of the work is done, between 0 and 1; left out where nobody knows. */
  readonly share?: () => number;
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
    const share = options.share?.() ?? null;
    const percent = share === null ? '' : `, ${Math.floor(share * 100)} %`;
    progress(`${label}${percent} (${Math.round(elapsedMs / 1000)} s)`, { share });
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
    // A single word is no reason: Go lists the packages that it compiles between its errors.
    const reason = running.lastLines().findLast((line) => line.trim().includes(' '));
    return verdict ?? (exit.reason === 'code 0' ? null : (reason ?? exit.reason));
  } finally {
    clearInterval(timer);
    process.off('exit', endWithUs);
    for (const signal of unhandled) process.off(signal, onSignal);
  }
}
