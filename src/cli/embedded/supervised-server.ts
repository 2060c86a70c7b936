import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessExit } from './detached-process.ts';

/** What startPostgres() and startTemporalServer() answer. */
export interface RunningServer {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  stop(): Promise<void>;
}

interface SupervisedServer<T extends RunningServer> {
  /** The newest one; between a death and the restart still the dead one. */
  current(): T;
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 200;
const PAUSE_MAX_MS = 5000;

/**
 * Starts a server and starts it again whenever it dies unasked. `start` must use the same port
 * every time, since clients hold on to the address. A start that fails is tried again, ever more
 * slowly; only the first one throws.
 */
export async function superviseServer<T extends RunningServer>(options: {
  readonly name: string;
  readonly start: () => Promise<T>;
  readonly onLine: (line: string) => void;
  readonly onRestart?: (server: T) => void;
}): Promise<SupervisedServer<T>> {
  const { name, start, onLine, onRestart } = options;
  const stopping = new AbortController();
  let current = await start();
  const watching = watch();

  async function watch(): Promise<void> {
    for (;;) {
      const exit = await current.exited;
      if (exit.wasAsked || stopping.signal.aborted) return;
      onLine(`[${name}] died (${exit.reason}), starting it again`);
      if (!(await startAgain())) return;
      onRestart?.(current);
    }
  }

  /** False where a stop came first. */
  async function startAgain(): Promise<boolean> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return false;
      try {
        current = await start();
        if (!stopping.signal.aborted) return true;
        // The stop came while it was starting.
        await current.stop();
        return false;
      } catch (error) {
        onLine(`[${name}] could not be started again: ${(error as Error).message}`);
      }
    }
  }

  return {
    current: () => current,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await watching;
    },
  };
}
