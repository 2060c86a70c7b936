import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Completes dist/client-package, into which tsc wrote the client: what npm needs of a package, and what
// its reader does. `npm pack` makes of it what a partner installs.
const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}dist/client-package/`;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly type: string;
  readonly engines: object;
}

const { name, version, license, type, engines } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
) as Manifest;
const manifest = {
  ...{ name, version, license, type, engines },
  description: 'The client of the Causeway partner API',
  exports: {
    './client': { types: './lib/api/client/index.d.ts', default: './lib/api/client/index.js' },
  },
  files: ['lib'],
  sideEffects: false,
};
writeFileSync(`${folder}package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
cpSync(`${root}LICENSE`, `${folder}LICENSE`);
cpSync(`${root}src/api/client/README.md`, `${folder}README.md`);
