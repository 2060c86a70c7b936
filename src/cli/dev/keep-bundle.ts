import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '../../server/config/settings.ts';
import { writeAtomically } from '../embedded/data-folder.ts';
import { runPart } from './run-part.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Beside the programs that bin/run.mjs builds: a new data folder finds the bundle made. */
const CACHE = join(ROOT, 'node_modules/.cache/causeway/workflows');

const OLD_MS = 24 * 3_600_000;

/** What ends up in the bundle, or decides how it is made. */
const SOURCES = ['workflows', 'src/domain', 'package-lock.json'];

/**
 * The bundle of today's workflow code, made anew only where a source has changed since. The data folder has a copy:
 * an engine that starts again needs the one that it began with.
 */
export async function keepBundle(
  dataDir: string,
  env: Env,
  progress: (line: string) => void,
): Promise<string> {
  const name = `${fingerprintSources()}.js`;
  const kept = join(CACHE, name);
  if (!existsSync(kept)) {
    progress('Bundling the workflows');
    mkdirSync(CACHE, { recursive: true });
    await runPart('bundle-workflows', [kept], { ...env });
  }
  const copy = join(dataDir, `workflows-${name}`);
  writeAtomically(copy, readFileSync(kept, 'utf8'));
  for (const file of readdirSync(CACHE)) if (file !== name) removeOld(join(CACHE, file));
  return copy;
}

/** Another run may be about to copy what is young. */
function removeOld(file: string): void {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age > OLD_MS) rmSync(file, { force: true });
}

function fingerprintSources(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) hashTree(join(ROOT, source), hash);
  return hash.digest('hex').slice(0, 16);
}

function hashTree(path: string, hash: ReturnType<typeof createHash>): void {
  if (statSync(path).isFile()) {
    hash.update(path.slice(ROOT.length)).update(readFileSync(path));
    return;
  }
  for (const name of readdirSync(path).sort()) hashTree(join(path, name), hash);
}
