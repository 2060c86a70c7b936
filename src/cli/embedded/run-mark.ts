import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isProcessAlive, startMarkOf } from './process-facts.ts';

/** In the environment of every process that a run starts: who started it, and on which data folder. */
const VARIABLE = 'CAUSEWAY_RUN';
const LOOK_EVERY_MS = 100;
const TIMES = { endAloneMs: 10_000, graceMs: 10_000 };

/** What a run adds to the environment of its parts, so that a later run can tell them apart. */
export function runMark(folder: string): Readonly<Record<string, string>> {
  return { [VARIABLE]: `${process.pid}:${startMarkOf(process.pid) ?? ''}:${folder}` };
}

/**
 * Ends the parts of a killed run on this folder, also those that no file names: it may have been killed
 * before it wrote one, or a person removed the folder. Parts of a run that lives are left alone. Most
 * parts end by themselves and save what they hold, so they get the time for it first. Finds nothing on
 * systems without /proc.
 */
export async function stopLeftParts(
  folder: string,
  progress: (line: string) => void,
  { endAloneMs, graceMs } = TIMES,
): Promise<void> {
  const steps = [
    { signal: null, waitMs: endAloneMs },
    { signal: 'SIGTERM' as const, waitMs: graceMs },
    { signal: 'SIGKILL' as const, waitMs: graceMs },
  ];
  let ended: readonly number[] = [];
  for (const { signal, waitMs } of steps) {
    const left = findLeftParts(folder);
    if (left.length === 0) break;
    if (signal !== null) {
      ended = [...new Set([...ended, ...left])];
      for (const pid of left) send(pid, signal);
    }
    const until = performance.now() + waitMs;
    while (findLeftParts(folder).length > 0 && performance.now() < until) {
      await pause(LOOK_EVERY_MS);
    }
  }
  if (ended.length === 0) return;
  progress(`Stopped processes that an earlier run left behind (${ended.join(', ')})`);
}

function findLeftParts(folder: string): number[] {
  return processIds().filter((pid) => {
    if (pid === process.pid || !isProcessAlive(pid)) return false;
    const [, runPid, mark, path] = /^(\d+):(\d+):(.*)$/s.exec(markOf(pid) ?? '') ?? [];
    if (path !== folder) return false;
    const isRunAlive = isProcessAlive(Number(runPid)) && startMarkOf(Number(runPid)) === mark;
    return !isRunAlive;
  });
}

function markOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.find((one) => one.startsWith(`${VARIABLE}=`))?.slice(VARIABLE.length + 1);
  } catch {
    // It is gone, or belongs to another user.
    return undefined;
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  } catch {
    return [];
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
