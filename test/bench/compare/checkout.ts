import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlainError } from '../../../src/server/runtime/plain-error.ts';
import type { RunScope } from '../scope.ts';

const run = promisify(execFile);
const LOCK = 'package-lock.json';
const INSTALL_MS_MAX = 900_000;
/** What `npm ci` says on the way. */
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** The root of the checkout that the bench itself belongs to. */
export const OWN_FOLDER = join(import.meta.dirname, '../../..');

/** The abbreviated commit of a checkout, with `+` where tracked files were changed after it. */
export async function commitOf(folder: string): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: folder })).stdout.trim();
  const commit = await git('rev-parse', '--short', 'HEAD');
  const changed = await git('status', '--porcelain', '--untracked-files=no');
  return changed === '' ? commit : `${commit}+`;
}

/**
 * Puts a revision into a worktree in a temporary folder, installs its packages, and answers the
 * folder. The scope removes it.
 * @throws PlainError with what git or npm said.
 */
export async function checkOut(
  scope: RunScope,
  revision: string,
  say: (line: string) => void,
): Promise<string> {
  const parent = mkdtempSync(join(tmpdir(), 'causeway-bench-checkout-'));
  scope.defer(() => {
    rmSync(parent, { recursive: true, force: true });
  });
  const folder = join(parent, 'causeway');
  const { signal } = scope;
  say(`checking out ${revision}`);
  scope.defer(async () => {
    const remove = ['worktree', 'remove', '--force', folder];
    if (existsSync(folder)) await run('git', remove, { cwd: OWN_FOLDER });
  });
  const add = ['worktree', 'add', '--detach', folder, revision];
  await run('git', add, { cwd: OWN_FOLDER, signal }).catch(sayWhy);
  if (await hasLinkedPackages(folder, signal)) return folder;
  say(`installing the packages of ${revision}`);
  await run('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    signal,
    timeout: INSTALL_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  }).catch(sayWhy);
  return folder;
}

function sayWhy(error: unknown): never {
  const { cmd = '', stderr = '' } = error as { cmd?: string; stderr?: string };
  throw new PlainError(`${cmd} failed:\n${stderr.trim() || String(error)}`);
}

/** Hard links to our own packages, where both lock files ask for the same ones. */
async function hasLinkedPackages(folder: string, signal: AbortSignal): Promise<boolean> {
  const lockOf = (root: string) => readFileSync(join(root, LOCK), 'utf8');
  if (lockOf(folder) !== lockOf(OWN_FOLDER)) return false;
  const target = join(folder, 'node_modules');
  try {
    await run('cp', ['-al', join(OWN_FOLDER, 'node_modules'), target], { signal });
    return true;
  } catch {
    // Another file system, or a cp without -l: they are installed instead.
    rmSync(target, { recursive: true, force: true });
    return false;
  }
}
