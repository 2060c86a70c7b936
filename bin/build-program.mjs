/** Builds one program for bin/run.mjs: `node bin/build-program.mjs /path/to/program.ts`. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUILT_BY, folderOf, ROOT, stampOf } from './built-programs.mjs';

const LOADERS = { '.mjs': 'js', '.ts': 'ts', '.tsx': 'tsx', '.json': 'json' };

const [, , entry] = process.argv;
const folder = folderOf(entry);
const stamps = {};

const { outputFiles } = await build({
  entryPoints: [entry],
  absWorkingDir: ROOT,
  outfile: join(folder, 'program.mjs'),
  write: false,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Names of functions and classes are shown in errors and in logs.
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'error',
  plugins: [{ name: 'sources', setup: takeSources }],
}).catch(() => process.exit(1));

for (const source of BUILT_BY) stamps[source] = stampOf(source);

const code = outputFiles.find(({ path }) => path.endsWith('.mjs'));
const map = outputFiles.find(({ path }) => path.endsWith('.map'));
// Named by its content: another process that builds the same writes the same file, and may take this one.
const name = `${createHash('sha256').update(code.contents).digest('hex').slice(0, 16)}.mjs`;
mkdirSync(folder, { recursive: true });
const earlier = readdirSync(folder).filter(
  (file) => /^[0-9a-f]{16}\.mjs(?:\.map)?$/.test(file) && !file.startsWith(name),
);
write(`${name}.map`, map.contents);
write(name, code.text.replace('sourceMappingURL=program.mjs.map', `sourceMappingURL=${name}.map`));
write('record.json', JSON.stringify({ file: name, sources: stamps }));
for (const file of earlier) rmSync(join(folder, file), { force: true });

/** Files appear whole: a program may start while another one is built. */
function write(file, content) {
  const part = join(folder, `${file}.${process.pid}`);
  writeFileSync(part, content);
  renameSync(part, join(folder, file));
}

/** Notes each source as it is read, and keeps what it says of its own place. */
function takeSources({ onLoad }) {
  onLoad({ filter: /\.(?:mjs|ts|tsx|json)$/, namespace: 'file' }, ({ path }) => {
    // Before it is read: an edit in between is seen as a change.
    const stamp = stampOf(relative(ROOT, path));
    stamps[relative(ROOT, path)] = stamp;
    const contents = readFileSync(path, 'utf8')
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
    return { contents, loader: LOADERS[extname(path)] };
  });
}
