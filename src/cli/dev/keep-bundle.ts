import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAtomically } from '../embedded/data-folder.ts';
import { bundleWorkflows } from '../../server/temporal/workflow-bundle.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What ends up in the bundle, or decides how it is made. */
const SOURCES = ['workflows', 'src/domain', 'package-lock.json'];

/** The bundle of today's workflow code, made anew only where a source has changed since. */
export async function keepBundle(dataDir: string): Promise<string> {
  const file = join(dataDir, `workflows-${fingerprintSources()}.js`);
  if (!existsSync(file)) writeAtomically(file, (await bundleWorkflows()).code);
  return file;
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
