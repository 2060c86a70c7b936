import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../../src/cli/embedded/process-facts.ts';

/**
 * A file system in memory. CREATE DATABASE from our template takes 38 ms there and 60 to 550 ms on a disk, and a
 * run creates some two thousand databases.
 */
const MEMORY = '/dev/shm';
/** Containers often have 64 MB there. */
const FREE_BYTES_MIN = 6 * 1024 ** 3;
const PREFIX = 'causeway-test-run-';

/**
 * Makes the folder of this run and points TMPDIR to it, so that this process, its workers and their children put
 * temporary files there. Each set-up calls it; the first call does the work. The folder goes when this process ends.
 */
export function openRunFolder(): void {
  if (process.env['TMPDIR']?.includes(PREFIX) === true) return;
  const parent = hasRoom(MEMORY) ? MEMORY : tmpdir();
  removeLeftovers(parent);
  const folder = join(parent, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number(name.slice(PREFIX.length));
    if (!isProcessAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}
