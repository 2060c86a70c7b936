/**
 * Runs a TypeScript program of this repository: `node bin/run.mjs src/cli/dev.ts [arguments]`.
 *
 * The program and what it imports become one JavaScript file, which is kept in node_modules/.cache and made anew
 * where one of its sources has changed. Packages stay where they are. Paths of arguments are the caller's own.
 */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBuilt } from './built-programs.mjs';

const BUILD = fileURLToPath(new URL('build-program.mjs', import.meta.url));

const [node, , program, ...args] = process.argv;
if (program === undefined) {
  console.error('Usage: node bin/run.mjs PROGRAM.ts [arguments]');
  process.exit(2);
}
const entry = resolve(program);

let built = findBuilt(entry);
if (built === null) {
  // A process of its own builds: what it needs in memory would stay in the program's.
  try {
    execFileSync(node, [BUILD, entry], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    process.exit(1);
  }
  built = findBuilt(entry);
}
if (built === null) {
  console.error(`${program} changed while it was built: run the command again`);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
// As if Node had been called with the program itself.
process.argv = [node, entry, ...args];
await import(pathToFileURL(built).href);
