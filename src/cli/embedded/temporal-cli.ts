import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SayProgress } from './say-progress.ts';
import { SAY_EVERY_MS } from './fetch-step.ts';
import { tryPidLock } from './pid-lock.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { buildTemporal } from './temporal-build.ts';
import { downloadTemporal } from './temporal-download.ts';

/** One version for both ways to fetch it. Newer tags have a `replace` line, which `go install` refuses. */
export const TEMPORAL_CLI_VERSION = '1.5.1';

/** The variables of the environment that decide where the CLI is; handed in by the caller. */
interface CliEnvironment {
  readonly TEMPORAL_CLI_PATH?: string;
  readonly PATH?: string;
  readonly HOME?: string;
  readonly XDG_CACHE_HOME?: string;
  readonly [name: string]: string | undefined;
}

interface CliOptions {
  readonly environment: CliEnvironment;
  /** Gets what a person should see while it is fetched. */
  readonly progress: SayProgress;
}

const VERSION_TIMEOUT_MS = 10_000;
// Longer than the longest download and build together.
const WAIT_FOR_OTHER_MAX_MS = 35 * 60_000;

/**
 * The path of a Temporal CLI that runs: TEMPORAL_CLI_PATH, `temporal` on PATH, our cache, or else
 * fetched into the cache, by download or by Go.
 * @throws PlainError naming the ways out.
 */
export async function findTemporalCli(options: CliOptions): Promise<string> {
  const { environment } = options;
  const given = environment.TEMPORAL_CLI_PATH;
  if (given) return checkGiven(given);
  const onPath = findOnPath('temporal', environment.PATH);
  if (onPath !== null && (await runs(onPath))) return onPath;
  const target = join(cacheFolder(environment), 'temporal');
  if (existsSync(target) && (await runs(target))) return target;
  return fetchOnce(target, options);
}

/** The first executable file of that name on a PATH. */
export function findOnPath(name: string, path: string | undefined): string | null {
  for (const folder of (path ?? '').split(delimiter).filter(Boolean)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      continue;
    }
  }
  return null;
}

async function checkGiven(path: string): Promise<string> {
  const problem = !existsSync(path) ? 'does not exist' : (await runs(path)) ? null : 'does not run';
  if (problem === null) return path;
  throw new PlainError(
    `TEMPORAL_CLI_PATH is ${path}, which ${problem}. ` +
      'Correct it, or unset it to have the Temporal CLI found or fetched.',
  );
}

async function runs(path: string): Promise<boolean> {
  try {
    const env = { PATH: '/usr/bin:/bin' };
    await promisify(execFile)(path, ['--version'], { timeout: VERSION_TIMEOUT_MS, env });
    return true;
  } catch {
    return false;
  }
}

function cacheFolder(environment: CliEnvironment): string {
  const home = environment.HOME;
  const base = environment.XDG_CACHE_HOME || (home ? join(home, '.cache') : null);
  if (base === null) {
    throw new PlainError(
      'There is no place for the Temporal CLI: neither XDG_CACHE_HOME nor HOME is set. ' +
        'Set one, or TEMPORAL_CLI_PATH.',
    );
  }
  return join(base, 'causeway', `temporal-${TEMPORAL_CLI_VERSION}`);
}

/** Two starts at once fetch it once: the second one waits for the first. */
async function fetchOnce(target: string, options: CliOptions): Promise<string> {
  const folder = join(target, '..');
  mkdirSync(folder, { recursive: true });
  const startedAt = performance.now();
  let saidAt = -SAY_EVERY_MS;
  for (;;) {
    const attempt = tryPidLock(join(folder, 'lock'));
    if ('lock' in attempt) {
      try {
        // The one we waited for may have put it there.
        if (existsSync(target) && (await runs(target))) return target;
        return await fetchCli(target, options);
      } finally {
        attempt.lock.release();
      }
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > WAIT_FOR_OTHER_MAX_MS) {
      throw new PlainError(`Process ${attempt.heldBy} has held ${folder} for too long. Stop it.`);
    }
    if (waitedMs - saidAt >= SAY_EVERY_MS) {
      saidAt = waitedMs;
      options.progress(
        `Temporal CLI: process ${attempt.heldBy} is fetching it, waiting (${Math.round(waitedMs / 1000)} s)`,
        { share: null },
      );
    }
    await pause(200);
  }
}

async function fetchCli(target: string, options: CliOptions): Promise<string> {
  const version = TEMPORAL_CLI_VERSION;
  const downloadProblem = await downloadTemporal({ ...options, target, version });
  if (downloadProblem === null) return target;
  options.progress(`Temporal CLI: the download failed (${downloadProblem})`);
  const buildProblem = await buildTemporal({ ...options, target, version });
  if (buildProblem === null) return target;
  throw new PlainError(
    [
      `The Temporal server is missing and could not be fetched: the download failed (${downloadProblem}), ` +
        `and it could not be built (${buildProblem}). You can:`,
      '  - set TEMPORAL_CLI_PATH to a Temporal CLI,',
      '  - put "temporal" on PATH (https://docs.temporal.io/cli),',
      '  - install Go 1.25 or later, and start again: the CLI is then built once,',
      '  - set TEMPORAL_ADDRESS to a Temporal server that already runs; the tests start their own.',
    ].join('\n'),
  );
}
