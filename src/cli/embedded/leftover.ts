import { setTimeout as pause } from 'node:timers/promises';
import { commandLineOf, isProcessAlive } from './process-facts.ts';

const LOOK_EVERY_MS = 50;

/**
 * Ends a server that an earlier run left behind because it was killed itself. Nothing happens where
 * the id belongs to another program by now.
 * @returns true where such a process was found and ended.
 */
export async function stopLeftover(options: {
  readonly pid: number;
  readonly isOurs: (commandLine: string) => boolean;
  readonly signal: NodeJS.Signals;
  readonly graceMs: number;
}): Promise<boolean> {
  const { pid, isOurs, signal, graceMs } = options;
  if (!isProcessAlive(pid) || !isOurs(commandLineOf(pid) ?? '')) return false;
  process.kill(pid, signal);
  for (let waitedMs = 0; isProcessAlive(pid); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs === graceMs) process.kill(pid, 'SIGKILL');
    if (waitedMs >= graceMs * 2) throw new Error(`process ${pid} does not end`);
    await pause(LOOK_EVERY_MS);
  }
  return true;
}
