import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';

export const IMAGE = 'causeway:0.1.0';

/** Without a daemon, in a container too: files are copied, and a program is run by chroot. */
const DRIVER = ['--storage-driver', process.env['STORAGE_DRIVER'] ?? 'vfs'];
const DEBIAN = 'http://deb.debian.org/debian';

/** Runs buildah and answers what it printed. `isShown`: a person sees it instead. */
export function buildah(args: readonly string[], isShown = false): string {
  const stdio = ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'] as const;
  const said = execFileSync('buildah', [...DRIVER, ...args], {
    ...{ stdio: [...stdio], encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  }) as string | null;
  return (said ?? '').trim();
}

/** The command line of a program in a container of the image. */
export const inContainer = (
  container: string,
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
): readonly string[] => [
  ...[...DRIVER, 'run', '--isolation', 'chroot'],
  ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ...[container, '--', ...command],
];

/**
 * Builds the image by buildah, which needs root and Debian's packages `buildah` and `debootstrap`, and no Docker engine.
 * The base of the Dockerfile is made here, where buildah has none of that name: Debian by debootstrap, and Node's program
 * of its npm package. Answers the version of Node in it.
 */
export function buildImage(root: string): string {
  const [, base = '', version = ''] =
    /^FROM (node:([0-9.]+)-([a-z]+)-slim)/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ??
    [];
  const [, suite = ''] = /-([a-z]+)-slim$/.exec(base) ?? [];
  const known = buildah(['images', '--format', '{{.Name}}:{{.Tag}}']).split('\n');
  if (!known.includes(`docker.io/library/${base}`)) makeBase(base, version, suite);
  const folder = mkdtempSync(join(tmpdir(), 'cw-image-'));
  try {
    const trust = trustOfHost(folder);
    const how = ['bud', '--isolation', 'chroot', '--pull-never', '--format', 'docker'];
    buildah([...how, ...trust, '-t', IMAGE, root], true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return version;
}

/** Where this machine trusts authorities of its own, so does npm in the build, and not the image. */
function trustOfHost(folder: string): readonly string[] {
  const authorities = process.env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (authorities === '') return [];
  const settings = join(folder, 'npmrc');
  writeFileSync(settings, 'cafile=/run/authorities.pem\n');
  return ['-v', `${authorities}:/run/authorities.pem:ro`, '-v', `${settings}:/root/.npmrc:ro`];
}

function makeBase(name: string, version: string, suite: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'cw-base-'));
  try {
    const debian = join(folder, 'debian');
    const how = ['--variant=minbase', '--include=ca-certificates', suite, debian, DEBIAN];
    execFileSync('debootstrap', how, { stdio: ['ignore', 'ignore', 'inherit'] });
    const npmHow = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
    const platform = `node-linux-${process.arch}`;
    const node = join(folder, 'node');
    execFileSync('npm', [...npmHow, '--prefix', node, `${platform}@${version}`]);
    const programs = join(debian, 'usr/local/bin');
    cpSync(join(node, 'node_modules', platform, 'bin/node'), join(programs, 'node'));
    chmodSync(join(programs, 'node'), 0o755);
    const npm = join(dirname(process.execPath), '../lib/node_modules/npm');
    if (!existsSync(npm)) throw new Error(`npm is not in ${npm}`);
    cpSync(npm, join(debian, 'usr/local/lib/node_modules/npm'), { recursive: true });
    const container = buildah(['from', 'scratch']);
    buildah(['copy', '-q', container, debian, '/']);
    const links = ['npm', 'npx'].map(
      (one) => `ln -s ../lib/node_modules/npm/bin/${one}-cli.js /usr/local/bin/${one}`,
    );
    const user = 'groupadd -g 1000 node && useradd -u 1000 -g node -m node';
    const set = [...links, user].join(' && ');
    buildah(['run', '--isolation', 'chroot', container, '--', 'sh', '-c', set]);
    buildah(['commit', '-q', '--rm', container, `docker.io/library/${name}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
