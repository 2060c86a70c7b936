import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const LINES_KEPT_MAX = 60;
const LOOK_EVERY_MS = 50;

/** A program with all that it started in its own process group. */
export interface ProcessGroup {
  hasExited(): boolean;
  /** The newest lines of its output, oldest first. */
  lastLines(): readonly string[];
  /** Sends a signal to every process of the group; nothing happens where none is left. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with true once no process of the group is left, with false after `timeoutMs`. */
  untilGone(timeoutMs: number): Promise<boolean>;
}

/** Starts a program as the leader of a new process group: Ctrl-C in the terminal does not reach it. */
export function startGroup(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): ProcessGroup {
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let hasExited = false;
  const keep = (chunk: Buffer) => {
    lines.push(...chunk.toString().split('\n').filter(Boolean));
    lines.splice(0, lines.length - LINES_KEPT_MAX);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.once('exit', () => (hasExited = true));
  child.once('error', (error) => {
    hasExited = true;
    lines.push(error.message);
  });
  const send = (name: NodeJS.Signals | 0): boolean => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
      return child.pid !== undefined;
    } catch {
      return false;
    }
  };
  return {
    hasExited: () => hasExited,
    lastLines: () => lines,
    signal: (name) => void send(name),
    async untilGone(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      while (send(0)) {
        if (performance.now() > deadline) return false;
        await pause(LOOK_EVERY_MS);
      }
      return true;
    },
  };
}
