import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isProcessAlive, startMarkOf } from './process-facts.ts';

interface PidLock {
  release(): void;
}
export type LockAttempt = { readonly lock: PidLock } | { readonly heldBy: number };

const ATTEMPTS_MAX = 5;

/**
 * Tries once to take the lock file at `path` for this process. A lock whose process is gone is
 * taken over. The file appears with its content or not at all (link), so no process reads half a lock.
 */
export function tryPidLock(path: string): LockAttempt {
  const mine = JSON.stringify({ pid: process.pid, startMark: startMarkOf(process.pid) });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o644 });
  try {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      if (linkUnlessTaken(draft, path)) return { lock: { release: () => release(path, mine) } };
      const found = readOrNull(path);
      if (found === null) continue;
      const holder = livingHolder(found);
      if (holder !== null) return { heldBy: holder };
      removeStale(path, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new Error(`the lock ${path} keeps changing hands`);
}

function livingHolder(content: string): number | null {
  try {
    const { pid, startMark } = JSON.parse(content) as { pid: number; startMark: string | null };
    if (!isProcessAlive(pid)) return null;
    return startMark === null || startMark === startMarkOf(pid) ? pid : null;
  } catch {
    return null;
  }
}

/**
 * Moves the stale lock aside before it is deleted: of two starts that saw the same dead process, the
 * slower one may be holding the faster one's fresh lock, and then puts it back.
 */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readOrNull(aside) !== stale) linkUnlessTaken(aside, path);
  rmSync(aside, { force: true });
}

function linkUnlessTaken(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function release(path: string, mine: string): void {
  if (readOrNull(path) === mine) rmSync(path, { force: true });
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
