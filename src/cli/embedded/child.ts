import { appendFileSync, renameSync, statSync } from 'node:fs';
import type { ProcessExit } from './detached-process.ts';
import { startDetached } from './detached-process.ts';

interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Every line of output is appended here, without a prefix. */
  readonly logFile: string;
  /** Gets every line with a `[name]` prefix, and our own lines about deaths and restarts. */
  readonly onLine?: (line: string) => void;
  /** How soon after an unasked death the child runs again; null leaves it dead. */
  readonly restart: { readonly withinMs: number } | null;
}

export interface SupervisedChild {
  /** The id of the running process, or null between a death and the restart. */
  pid(): number | null;
  /** SIGTERM, then SIGKILL for the whole group after `graceMs`. Resolves when nothing is left. */
  stop(graceMs: number): Promise<void>;
  onRestart(listener: (pid: number) => void): void;
  /** How often it died unasked. */
  deaths(): number;
  /** The last lines of the run that died last, oldest first; none before the first death. */
  lastWords(): readonly string[];
}

const FIRST_PAUSE_MS = 100;
const HEALTHY_AFTER_MS = 10_000;
const LOG_BYTES_MAX = 20 * 1024 * 1024;

/** Runs a program as long as we run, and starts it again when it dies without being asked to. */
export function superviseChild(options: ChildOptions): SupervisedChild {
  const { name, restart, logFile } = options;
  const say = (line: string): void => options.onLine?.(`[${name}] ${line}`);
  const listeners: ((pid: number) => void)[] = [];
  let isStopping = false;
  let quickDeaths = 0;
  let deaths = 0;
  // Asked for when wanted: the last lines of a run come after its exit.
  let lastWords = (): readonly string[] => [];
  let timer: NodeJS.Timeout | undefined;
  let current = start();

  function start() {
    rotateLog(logFile);
    const startedAt = performance.now();
    const running = startDetached({
      ...options,
      hasIpc: true,
      onLine: (line) => {
        appendFileSync(logFile, `${line}\n`, { mode: 0o600 });
        say(line);
      },
    });
    void running.exited.then((exit) => onExit(exit, performance.now() - startedAt));
    return running;
  }

  function onExit(exit: ProcessExit, livedMs: number): void {
    if (isStopping) return;
    deaths += 1;
    const died = current;
    lastWords = () => died.lastLines();
    if (restart === null) return say(`died (${exit.reason})`);
    quickDeaths = livedMs < HEALTHY_AFTER_MS ? quickDeaths + 1 : 0;
    // Half of the promise is kept for the start of the process itself.
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(quickDeaths, 10), restart.withinMs / 2);
    say(`died (${exit.reason}), starting it again`);
    timer = setTimeout(() => {
      current = start();
      for (const listener of listeners) listener(current.pid);
    }, pauseMs);
  }

  return {
    pid: () => (current.hasExited() || current.pid === 0 ? null : current.pid),
    stop: async (graceMs) => {
      isStopping = true;
      clearTimeout(timer);
      await current.stop('SIGTERM', graceMs);
    },
    onRestart: (listener) => {
      listeners.push(listener);
    },
    deaths: () => deaths,
    lastWords: () => lastWords(),
  };
}

/** One older file is kept; a run of weeks must not fill the disk. */
function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) renameSync(file, `${file}.1`);
}
