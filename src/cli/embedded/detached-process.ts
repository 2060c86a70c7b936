import { spawn } from 'node:child_process';
import { readLines } from './line-reader.ts';

export interface ProcessExit {
  /** "code 1", "signal SIGKILL", or why it could not be started at all. */
  readonly reason: string;
  /** True where stop() was called first. */
  readonly wasAsked: boolean;
}

export interface DetachedProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  hasExited(): boolean;
  /** The newest lines of output, oldest first, for the message of a failed start. */
  lastLines(): string[];
  /** Sends `signal`, waits `graceMs`, then kills the whole process group. Safe to call again. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
}

interface DetachedProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Opens a Node IPC channel, by which the child notices that we are gone. */
  readonly hasIpc?: boolean;
  readonly onLine: (line: string) => void;
}

const LINES_KEPT_MAX = 20;

/**
 * Starts a program in a process group of its own: Ctrl-C in the terminal reaches only us, and we
 * stop the parts in the right order.
 */
export function startDetached(options: DetachedProcessOptions): DetachedProcess {
  const { command, args, env, cwd, uid, gid } = options;
  const child = spawn(command, args, {
    env,
    cwd,
    uid,
    gid,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(options.hasIpc ? ['ipc' as const] : [])],
  });
  const kept: string[] = [];
  const keep = (line: string): void => {
    kept.push(line);
    if (kept.length > LINES_KEPT_MAX) kept.shift();
    options.onLine(line);
  };
  if (child.stdout) readLines(child.stdout, keep);
  if (child.stderr) readLines(child.stderr, keep);

  let wasAsked = false;
  let hasExited = false;
  const exited = new Promise<ProcessExit>((resolve) => {
    const end = (reason: string): void => {
      hasExited = true;
      killGroup(child.pid);
      resolve({ reason, wasAsked });
    };
    child.once('error', (error) => {
      if (child.pid === undefined) end(error.message);
    });
    child.once('exit', (code, signal) => end(signal ? `signal ${signal}` : `code ${String(code)}`));
  });

  return {
    pid: child.pid ?? 0,
    exited,
    hasExited: () => hasExited,
    lastLines: () => [...kept],
    stop: async (signal, graceMs) => {
      wasAsked = true;
      if (hasExited) return;
      child.kill(signal);
      const timer = setTimeout(() => killGroup(child.pid), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Ends what is left of a group; a leader that died may have left children behind. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left: that is what we want.
  }
}
