import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const CACHE = join(ROOT, 'node_modules/.cache/causeway/programs');

/** Decides, beside the sources, how a program is built. */
export const BUILT_BY = ['bin/build-program.mjs', 'package-lock.json', 'tsconfig.json'];

/** The folder of what was built from a program's file. */
export function folderOf(entry) {
  return join(CACHE, createHash('sha256').update(entry).digest('hex').slice(0, 16));
}

/** A source as it was when it was read: an edit changes its size or one of its times. Null where it is gone. */
export function stampOf(source) {
  const found = statSync(join(ROOT, source), { throwIfNoEntry: false });
  return found === undefined ? null : `${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
}

/**
 * The JavaScript file that was built from a program.
 * @returns its path; null where there is none or a source has changed since.
 */
export function findBuilt(entry) {
  const folder = folderOf(entry);
  let record;
  try {
    record = JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'));
  } catch {
    return null;
  }
  const isCurrent = Object.entries(record.sources).every(
    ([source, stamp]) => stampOf(source) === stamp,
  );
  return isCurrent ? join(folder, record.file) : null;
}
