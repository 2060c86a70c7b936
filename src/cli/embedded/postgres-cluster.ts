import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { writeAtomically } from './data-folder.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { Account } from './postgres-account.ts';
import { commandAs } from './postgres-account.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { POSTGRES_MAJOR } from './postgres-binaries.ts';

const INITDB_TIMEOUT_MS = 120_000;

interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: PostgresBinaries;
  readonly account: Account | null;
  readonly isDurable: boolean;
  readonly progress: (line: string) => void;
}

/**
 * Makes sure that `dataDir` holds a cluster of our major version and returns the superuser's
 * password, which lives in `<dataDir>.password` (mode 0600). What is there is kept.
 * @throws PlainError for a cluster of another version and for a lost password.
 */
export async function prepareCluster(options: ClusterOptions): Promise<string> {
  const { dataDir, progress } = options;
  const passwordFile = `${dataDir}.password`;
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    if (existsSync(dataDir)) refuseForeignFolder(dataDir);
    progress('PostgreSQL: preparing a new data folder');
    const password = randomBytes(24).toString('base64url');
    mkdirSync(dirname(dataDir), { recursive: true });
    // Written first: a folder without its password could not be opened again.
    writeAtomically(passwordFile, password);
    await createCluster(options, password);
    return password;
  }
  const found = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  if (found !== POSTGRES_MAJOR) {
    throw new PlainError(
      `${dataDir} was made by PostgreSQL ${found}, this is PostgreSQL ${POSTGRES_MAJOR}. ` +
        'Remove that folder (its data goes with it) or point DATA_DIR elsewhere.',
    );
  }
  refuseForeignOwner(dataDir, options.account);
  if (!existsSync(passwordFile)) {
    throw new PlainError(
      `The password of the database in ${dataDir} is missing (${passwordFile}). Put the file back, ` +
        'remove the folder (its data goes with it) or point DATA_DIR elsewhere.',
    );
  }
  return readFileSync(passwordFile, 'utf8').trim();
}

/** For a cluster that is thrown away. Its password guards nothing, and thousands of connections log in with it. */
const QUICK = ['--no-sync', '--no-data-checksums', '--set=scram_iterations=1'];

/** initdb beside, then rename: a start that is cut off leaves no half-made cluster behind. */
async function createCluster(options: ClusterOptions, password: string): Promise<void> {
  const { dataDir, binaries, account, isDurable } = options;
  const draft = `${dataDir}.new`;
  const handedPassword = `${dataDir}.new-password`;
  rmSync(draft, { recursive: true, force: true });
  rmSync(handedPassword, { force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(handedPassword, password, { mode: 0o600 });
  if (account !== null) {
    for (const path of [draft, handedPassword]) chownSync(path, account.uid, account.gid);
  }
  const flags = ['-D', draft, '--username=postgres', '--auth=scram-sha-256'];
  // The builtin provider sorts the same everywhere; the system's locales change under an index.
  flags.push(
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  );
  flags.push(`--pwfile=${handedPassword}`, ...(isDurable ? [] : QUICK));
  const { command, args, ...ids } = commandAs(account, binaries.initdb, flags, [draft]);
  try {
    const env = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
    await promisify(execFile)(command, args, { ...ids, env, timeout: INITDB_TIMEOUT_MS });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new PlainError(
      `PostgreSQL could not prepare ${dataDir}: ${stderr?.trim() || String(error)}`,
    );
  } finally {
    rmSync(handedPassword, { force: true });
  }
  renameSync(draft, dataDir);
}

/** PostgreSQL wants to own its folder: once started by root, it cannot go on as another user. */
function refuseForeignOwner(dataDir: string, account: Account | null): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  const wanted = account?.uid ?? process.getuid?.();
  if (owner === undefined || wanted === undefined || owner === wanted) return;
  throw new PlainError(
    `${dataDir} belongs to another user (uid ${owner}, this is ${wanted}). Start Causeway as the ` +
      'user who started it first, remove the folder (its data goes with it) or point DATA_DIR elsewhere.',
  );
}

function refuseForeignFolder(dataDir: string): void {
  try {
    // Removes it only where it is empty.
    rmdirSync(dataDir);
  } catch {
    // Another user's cluster looks like an empty place to us.
    if (!isReadable(dataDir)) refuseForeignOwner(dataDir, null);
    throw new PlainError(
      `${dataDir} holds something that is not a PostgreSQL data folder. ` +
        'Move it away or point DATA_DIR elsewhere.',
    );
  }
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
