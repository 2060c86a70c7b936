import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runPart } from './run-part.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Beside the programs that bin/run.mjs builds: a new data folder finds the bundle made. */
const CACHE = join(ROOT, 'node_modules/.cache/causeway/workflows');

/** What ends up in the bundle, or decides how it is made. */
const SOURCES = ['workflows', 'src/domain', 'package-lock.json'];

/**
 * The bundle of today's workflow code, made anew only where a source has changed since. The data folder has a copy:
 * an engine that starts again needs the one that it began with.
 */
export async function keepBundle(
  dataDir: string,
  progress: (line: string) => void,
): Promise<string> {
  const name = `${fingerprintSources()}.js`;
  const kept = join(CACHE, name);
  if (!existsSync(kept)) {
    progress('Bundling the workflows');
    mkdirSync(CACHE, { recursive: true });
    await runPart('bundle-workflows', [kept], {});
    for (const file of readdirSync(CACHE))
      if (/^[0-9a-f]+\.js$/.test(file) && file !== name) rmSync(join(CACHE, file), { force: true });
  }
  const copy = join(dataDir, `workflows-${name}`);
  copyFileSync(kept, copy);
  return copy;
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
