import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** True while a process with this id exists, whichever user owns it. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
}

/** The command line of a living process, or null where it is gone or cannot be read. */
export function commandLineOf(pid: number): string | null {
  const fromProc = readProc(pid, 'cmdline');
  if (fromProc !== null) return fromProc.replaceAll('\0', ' ').trim();
  return askPs(pid, 'command=');
}

/**
 * A mark that two processes with the same id do not share: when the process began. Ids are reused,
 * in containers after every restart; a lock that remembers only an id would then never be free.
 */
export function startMarkOf(pid: number): string | null {
  const stat = readProc(pid, 'stat');
  // proc(5): field 22 is the start time; field 2 (the name) may hold spaces and parentheses.
  if (stat !== null) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  return askPs(pid, 'lstart=');
}

function isZombie(pid: number): boolean {
  const stat = readProc(pid, 'stat');
  return stat !== null && stat.charAt(stat.lastIndexOf(')') + 2) === 'Z';
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** macOS has no /proc; its ps is always there. */
function askPs(pid: number, field: string): string | null {
  try {
    const output = execFileSync('ps', ['-p', String(pid), '-o', field], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
    });
    return output.trim() || null;
  } catch {
    return null;
  }
}
